import { createHash } from "node:crypto";
import { exceptVerdicts, type LakeAudit } from "../../audit/index.js";
import type { Conventions } from "../../metrics/index.js";
import { counted, packageFile, readText, thousands, mapTexts, visible, type Redact } from "../../platform/index.js";
import { toneOfReport, verdictSentence } from "../verdict-sentence.js";
import { html, textOfHtml, trusted, type Html, withCode, limits } from "./html.js";
import { type ReportData, type Section, changesSince, gatherReport } from "./report-data.js";
import { dataSection } from "./sections/data.js";
import { differencesSection } from "./sections/differences.js";
import { methodSection } from "./sections/method.js";
import { rankingsSection } from "./sections/rankings.js";
import { statisticsSection } from "./sections/statistics.js";
import { verdictSection } from "./sections/verdict.js";

const asset = (name: string): Promise<string> => readText(packageFile(`data/report/${name}`));

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** The whole page: one file that loads nothing, runs only its own script and takes no other style. */
export async function renderPage(data: ReportData): Promise<string> {
  const [looks, script] = await Promise.all([asset("page.css"), asset("page.js")]);
  const style = looks.replace(
    "SNAPSHOT",
    `${data.project}, snapshot ${data.audit.snapshot}`.replace(/[^\w ,.-]/g, "_"),
  );
  const policy = `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}; base-uri 'none'; form-action 'none'`;
  const answers = sections.map(
    ({ id, title, render }) =>
      html`<section id="${id}" aria-labelledby="${id}-title">
        <h2 id="${id}-title">${title}</h2>
        ${render(data)}
      </section> `,
  );
  return textOfHtml(
    html`${trusted("<!doctype html>")}
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta http-equiv="Content-Security-Policy" content="${policy}" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="referrer" content="no-referrer" />
          <meta name="generator" content="Recount ${data.version}" />
          <title>${data.project}: do the published numbers follow from the ratings?</title>
          ${trusted(`<style>${style}</style>`)}
        </head>
        <body>
          <a class="skip" href="#differences">Skip to the causes</a>
          <div class="layout">
            <header>${head(data)}</header>
            <nav aria-label="Contents">
              <ol>
                ${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
              </ol>
            </nav>
            <main>${answers}</main>
            <footer>
              Made by Recount ${data.version} from snapshot <code>${data.audit.snapshot}</code> of
              ${data.audit.created_at}. The same snapshot gives the same file.
            </footer>
          </div>
          ${trusted(`<script>${script}</script>`)}
        </body>
      </html> `,
  );
}

function head({ project, audit, experiments }: ReportData): Html {
  const sum = (of: (each: ReportData["experiments"][number]["population"]) => number): string =>
    thousands(experiments.reduce((total, { population }) => total + of(population), 0));
  const exact = audit.rows.filter(({ verdict }) => verdict === "exact").length;
  const facts = [
    ["published numbers", thousands(audit.rows.length)],
    ["exact", thousands(exact)],
    ["experiments", thousands(experiments.length)],
    ["ratings", sum(({ ratings }) => ratings)],
    ["sessions", sum(({ sessions }) => sessions)],
  ] as const;
  return html`<p class="eyebrow">Published numbers against the raw ratings</p>
    <h1>${project}</h1>
    <p class="verdict ${toneOfReport(audit)}">${verdictSentence(audit)}</p>
    <dl class="facts">
      ${facts.map(
        ([term, value]) =>
          html`<div>
            <dt>${term}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
    <p class="note">
      Snapshot of
      ${day(audit.created_at)}${audit.findings.length > 0 && `; ${counted(audit.findings.length, "result")} needed an explanation`}.
    </p>
    <div class="tools" hidden>
      <button type="button" data-unfold="open">Unfold everything</button
      ><button type="button" data-unfold="close">Fold everything</button>
    </div>`;
}

/** `2026-11-22 02:37 UTC`. */
const day = (instant: string): string => `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`;

const glossarySection: Section = {
  id: "glossary",
  title: "Glossary",
  render: ({ glossary }) =>
    html`${glossary.map(
      ({ title, terms }) =>
        html`<details>
          <summary>${title}: ${counted(terms.length, "term")}</summary>
          <dl class="terms">
            ${terms.map(
              ({ term, meaning }) =>
                html`<dt>${withCode(term)}</dt>
                  <dd>${withCode(meaning)}</dd>`,
            )}
          </dl>
        </details>`,
    )}`,
};

/** The questions that the page answers, in this order. Adding one is adding its value here. */
const sections: readonly Section[] = [
  differencesSection,
  verdictSection,
  rankingsSection,
  statisticsSection,
  dataSection,
  methodSection,
  glossarySection,
];

/**
 * An audit as one HTML file, without clock or network: the same lake gives the same bytes. The warehouse of the audit must
 * be open and hold every model. Secrets are hidden, and control characters in names are escaped as on the console.
 */
export async function reportPage(
  lake: string,
  audited: LakeAudit,
  conventions: Conventions,
  redact: Redact,
): Promise<string> {
  const changes = await changesSince(lake, audited.snapshot.manifest, conventions);
  const data = await gatherReport(audited, conventions, changes);
  const hide = exceptVerdicts(redact);
  return renderPage(mapTexts(data, (text) => visible(shortened(hide(text)))));
}

const shortened = (text: string): string => (text.length > limits.text ? `${text.slice(0, limits.text)}…` : text);
