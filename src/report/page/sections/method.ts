/** How it was computed. */
import { filesService } from "../../../lake/index.js";
import { kinds, metricKind, type Kind } from "../../../metrics/index.js";
import type { ReportData, Section } from "../report-data.js";
import { column } from "../../document.js";
import { folded, html, withScripts, type Html, table } from "../html.js";

export const methodSection: Section = {
  id: "method",
  title: "How it was computed",
  render: (data) =>
    html`<p>
        Recount
        ${
          isOfFiles(data)
            ? "read the ratings from the files of the study"
            : "downloaded the ratings from the study service"
        }
        and recomputed every metric from them.
        ${
          data.audit.rows.length > 0 &&
          "It compared each published number with the recomputed one at its published " +
            "precision. Where they differ, it searched for a convention that reproduces the " +
            "published numbers. It accepts one only if the numbers that differ carry more " +
            "information than the convention assumes."
        }
      </p>
      ${folded("Metrics: definitions, conventions and sources", metrics(data))}
      ${folded("Which ratings count", countedRatings(data))}
      ${folded("Intervals and ranks", intervalsText)}
      <h3>Snapshot</h3>
      ${snapshotFacts(data)}
      <h3>How to verify</h3>
      ${verification(data)}`,
};

export const isOfFiles = ({ service }: ReportData): boolean => service === filesService;

const settingText = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);

function metrics({ audit, conventions, experiments }: ReportData): Html {
  const recomputed = experiments.flatMap(({ rankings }) => rankings.map(({ kind }) => kind));
  const names = new Set<string>([...audit.rows.map((row) => row.kind), ...recomputed]);
  const shown = kinds.filter((kind) => names.has(kind));
  const deciding = (kind: Kind) => Object.entries(metricKind(kind).decidedBy(conventions));
  return table(
    shown,
    [
      column.plain("Metric", (kind) => kind),
      column.text(
        "Definition",
        (kind) => html`<span class="formula">${withScripts(metricKind(kind).definition)}</span>`,
      ),
      column.text("Conventions", (kind) =>
        deciding(kind).map(([name, value]) => html`<code>${name}=${settingText(value)}</code> `),
      ),
      column.text("Source", (kind) => metricKind(kind).source),
    ],
    { caption: "How each metric is recomputed", label: "Definitions", isWide: true },
  );
}

function countedRatings({
  conventions: { training, incomplete, incorrect, screen, item_pattern },
}: ReportData): Html {
  const words = { include: "count", exclude: "do not count" };
  return html`<p>
    Training ratings ${words[training]} (<code>training=${training}</code>); those of sessions that
    were not completed ${words[incomplete]} (<code>incomplete=${incomplete}</code>); for incorrect
    ones the convention is
    <code>incorrect=${incorrect}</code>.
    ${
      screen === null
        ? ""
        : html`Ratings that screening by <code>screen=${screen}</code> leaves out do not count. `
    }An
    item is
    ${
      item_pattern === null
        ? "the stimulus's name, or its condition"
        : html`the part of a stimulus that <code>${item_pattern}</code> matches`
    }.
    A comparison is a slate in which exactly two items were scored: the higher score wins, equal
    scores tie. Sessions are taken in the order in which they were completed.
  </p>`;
}

const intervalsText = html`<p>
  A credible interval is the range between the 2.5 % and 97.5 % quantiles of the posterior.
  Intervals of means treat the ratings of one rater as dependent (Liang and Zeger,
  <cite>Biometrika</cite> 73, 1986; Cameron and Miller, <cite>Journal of Human Resources</cite> 50,
  2015). Intervals of shares do the same through the number of independent ratings with the same
  variance (Wilson, <cite>Journal of the American Statistical Association</cite> 22, 1927). Those of
  log worths are the middle 95 % of Bradley–Terry models (<cite>Biometrika</cite> 39, 1952) fitted
  to resampled raters; with fewer than 20 raters they are too narrow. A rank interval has the ranks
  that Holm's test (<cite>Scandinavian Journal of Statistics</cite> 6, 1979) of an item's
  differences from each of the others leaves at 5 %. The range over orders is that of the online Elo
  when whole sessions are replayed in random orders.
</p>`;

function snapshotFacts(data: ReportData): Html {
  const { project, service, version, manifestDigest, audit } = data;
  const facts = [
    ["Project", project],
    isOfFiles(data) ? ["Source", "files of the study"] : ["Service", service],
    ["Snapshot", audit.snapshot],
    ["Taken", audit.created_at],
    ["SHA-256 of the manifest", manifestDigest],
    ["Recount", version],
  ] as const;
  return html`<dl class="terms">
      ${facts.map(
        ([term, value]) =>
          html`<dt>${term}</dt>
            <dd><code>${value}</code></dd>`,
      )}
    </dl>
    <p>
      The manifest lists the digest of every ${isOfFiles(data) ? "source file" : "response"} and of
      every file made from it, so its own digest identifies all the data.
    </p>`;
}

function verification({ audit, project }: ReportData): Html {
  const lake = `--lake LAKE --project ${project}`;
  return html`<p>
      With the lake, and the pipeline file if there is one (<code>--pipeline FILE</code>):
    </p>
    <pre>
recount verify ${lake}
recount audit ${lake} --snapshot ${audit.snapshot}
recount report ${lake} --snapshot ${audit.snapshot} -o report.html</pre>
    <p>
      <code>verify</code> checks every digest. The last command makes this file again, byte for
      byte, with the same version of Recount. <code>recount audit --bundle evidence.zip</code> packs
      what a third party needs to repeat the audit offline with
      <code>recount verify evidence.zip</code>.
    </p>`;
}
