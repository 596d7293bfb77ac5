/** The HTML report: one file that loads nothing. */
import { createHash } from "node:crypto";
import { exceptVerdicts, type LakeAudit } from "../../audit/index.js";
import type { Conventions } from "../../metrics/index.js";
import { packageFile, readText, mapTexts, visible, type Redact } from "../../platform/index.js";
import { packs } from "../../packs.js";
import { toneOfReport, verdictSentence } from "../verdict-sentence.js";
import { html, textOfHtml, trusted, type Html, pageLimits } from "./html.js";
import {
  type ReportData,
  type Section,
  type Statement,
  changesSince,
  gatherReport,
} from "./report-data.js";
import { dataSection } from "./sections/data.js";
import { changesSection } from "./sections/changes.js";
import { causes, notesSection } from "./sections/differences.js";
import { experimentsSection } from "./sections/experiments.js";
import { methodSection } from "./sections/method.js";

const asset = (name: string): Promise<string> => readText(packageFile(`data/report/${name}`));

const policyHash = (text: string): string =>
  `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Runs only its own script, and takes no other style. */
async function renderPage(
  data: ReportData,
  statements: readonly Statement[] = [],
): Promise<string> {
  const [looks, script] = await Promise.all([asset("page.css"), asset("page.js")]);
  const style = looks.replace(
    "SNAPSHOT",
    `${data.project}, snapshot ${data.audit.snapshot}`.replace(/[^\w ,.-]/g, "_"),
  );
  const policy =
    `default-src 'none'; style-src ${policyHash(style)}; script-src ${policyHash(script)}; ` +
    "base-uri 'none'; form-action 'none'";
  const all = [experimentsSection(statements), ...sections].map(({ id, title, render }) => {
    const content = render(data);
    return (
      content &&
      html`<section id="${id}" aria-labelledby="${id}-title">
        <h2 id="${id}-title" ${id === "experiments" && html` class="hidden"`}>${title}</h2>
        ${content}
      </section> `
    );
  });
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
          <a class="skip" href="#experiments">Skip to the experiments</a>
          <div class="layout">
            <header>${head(data)}</header>
            <main>${all}</main>
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

function head(data: ReportData): Html {
  const { project, audit } = data;
  const isCompared = audit.rows.length > 0;
  const what = isCompared
    ? "Published numbers against the raw ratings"
    : "Rankings from the raw ratings";
  const says = verdictSentence(audit);
  return html`<p class="eyebrow">${what}, snapshot of ${audit.created_at.slice(0, 10)}</p>
    <h1>${project}</h1>
    ${
      isCompared
        ? html`<p class="verdict ${toneOfReport(audit)}">${says}</p>`
        : html`<p class="note">${says}</p>`
    }
    ${causes(data)}`;
}

const sections: readonly Section[] = [notesSection, changesSection, dataSection, methodSection];

/**
 * Without clock or network: the same lake gives the same bytes. The warehouse must be open; what it
 * lacks is computed. Secrets are hidden, and control characters escaped.
 */
export async function makePage(
  lake: string,
  audited: LakeAudit,
  conventions: Conventions,
  redact: Redact,
): Promise<string> {
  const changes = await changesSince(lake, audited.snapshot.manifest, conventions);
  const data = await gatherReport(audited, conventions, changes);
  const hide = exceptVerdicts(redact);
  const shown = <T>(own: T): T => mapTexts(own, (text) => visible(boundedText(hide(text))));
  const statements = packs.map(async ({ sections: ofPack }) =>
    (await ofPack?.())?.statementsOf(
      audited,
      data.experiments.flatMap(({ rankings }) => rankings),
      shown,
    ),
  );
  const all = (await Promise.all(statements)).flatMap((own) => own ?? []);
  return renderPage(shown(data), all);
}

const boundedText = (text: string): string =>
  text.length > pageLimits.text ? `${text.slice(0, pageLimits.text)}…` : text;
