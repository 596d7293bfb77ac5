/** The HTML report: one file that loads nothing. */
import { createHash } from "node:crypto";
import { exceptVerdicts, type LakeAudit } from "../../audit/index.js";
import {
  counted,
  joinParts,
  mapTexts,
  packageFile,
  readText,
  sumOf,
  thousands,
  visible,
} from "../../platform/index.js";
import { limitLines } from "../findings.js";
import { toneOfReport } from "../tones.js";
import { othersText, verdictSentence } from "../verdict-sentence.js";
import { gatherPage, pageData, type PageData } from "./data.js";
import { experimentsSection, queryText } from "./experiments.js";
import { causesSection, wrongSection } from "./findings.js";
import { html, pageLimits, textOfHtml, trusted, withCode, boldNames, type Html } from "./html.js";

const asset = (name: string): Promise<string> => readText(packageFile(`data/report/${name}`));

const policyHash = (text: string): string =>
  `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Runs only its own script, and takes no other style. */
async function renderPage(data: PageData): Promise<string> {
  const [looks, script] = await Promise.all([asset("page.css"), asset("page.js")]);
  const style = looks.replace(
    "SNAPSHOT",
    `${data.project}, snapshot ${data.audit.snapshot}`.replace(/[^\w ,.-]/g, "_"),
  );
  const policy =
    `default-src 'none'; style-src ${policyHash(style)}; script-src ${policyHash(script)}; ` +
    "base-uri 'none'; form-action 'none'";
  return textOfHtml(
    html`${trusted("<!doctype html>")}
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta http-equiv="Content-Security-Policy" content="${policy}" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="referrer" content="no-referrer" />
          <meta name="generator" content="Recount ${data.version}" />
          <title>${data.project}: ${subjectOf(data)}</title>
          ${trusted(`<style>${style}</style>`)}
        </head>
        <body>
          <main>
            <header>${head(data)}</header>
            ${wrongSection(data)} ${causesSection(data)} ${experimentsSection(data)} ${foot(data)}
          </main>
          ${trusted(`<script>${script}</script>`)}
        </body>
      </html> `,
  );
}

const subjectOf = ({ audit }: PageData): string =>
  audit.rows.length > 0
    ? "Published numbers against the raw ratings"
    : "Rankings from the raw ratings";

function head(data: PageData): Html {
  const { project, audit } = data;
  const says = boldNames(verdictSentence(audit));
  const facts = [factLine(data), ...limitLines(audit)];
  const tone = audit.rows.length > 0 && ` ${toneOfReport(audit)}`;
  return html`<p class="eye">${subjectOf(data)} · snapshot of ${audit.created_at.slice(0, 10)}</p>
    <h1>${project}</h1>
    <p class="verdict${tone}">${says}</p>
    ${facts.map((line) => html`<p class="facts">${withCode(line)}</p>`)}`;
}

function factLine({ audit, experiments, unlisted }: PageData): string {
  const [first] = experiments;
  const { compared, equal } = audit.correctness;
  const published = experiments.filter(({ rows }) => rows.length > 0).length;
  const count = experiments.length + unlisted;
  const ratings = sumOf(experiments.map((one) => one.ratings));
  return joinParts(
    [
      othersText(audit),
      count === 1 && first !== undefined
        ? `${counted(ratings, "rating")}, ${counted(first.raters, "rater")}`
        : `${counted(count, "experiment")}, ${thousands(published)} with published numbers`,
      compared > 0 &&
        compared === equal &&
        `${counted(compared, "correctness flag")} recomputed, all equal`,
    ],
    " · ",
  );
}

function foot({ audit, manifestDigest, version }: PageData): Html {
  const query = queryText("from published_vs_recomputed", audit.accepted.length > 0);
  const others = ["leaderboard", "separation", "robustness"].map(
    (name, i) => html`${i > 0 && ", "}<code>${name}</code>`,
  );
  return html`<footer>
    Made by Recount ${version} from snapshot <code>${audit.snapshot}</code>; the digest of its
    manifest, <code>${manifestDigest}</code>, identifies every file. The numbers of this page:
    ${query}, and from ${others}.
  </footer>`;
}

/**
 * Without clock or network: the same lake gives the same bytes. The warehouse must be open; what it
 * lacks is computed. Secrets are hidden, control characters escaped.
 */
export async function makePage(
  audited: LakeAudit,
  redact: (text: string) => string,
): Promise<string> {
  const hide = exceptVerdicts(redact);
  const shown = mapTexts(await gatherPage(audited), (text) => visible(boundedText(hide(text))));
  return renderPage(pageData(shown));
}

const boundedText = (text: string): string =>
  text.length > pageLimits.text ? `${text.slice(0, pageLimits.text)}…` : text;
