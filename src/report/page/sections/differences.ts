import {
  attentionOf,
  describeFindings,
  findingText,
  sourceText,
  type AuditReport,
  type AuditRow,
  type FindingView,
} from "../../../audit/index.js";
import { isKind, metricKind } from "../../../metrics/index.js";
import { counted, groupsOf, thousands } from "../../../platform/index.js";
import { adviceOf, contradictionNote, correctnessNote, gapLines } from "../../findings.js";
import { columnOfNumbers, differenceText, remainingText } from "../../numbers.js";
import { toneOf } from "../../verdict-sentence.js";
import {
  badge,
  html,
  limits,
  moreNote,
  table,
  verdictBadge,
  withCode,
  type Content,
  type Html,
  type TableColumn,
} from "../html.js";
import type { ExperimentPopulation, Section } from "../report-data.js";

export const differencesSection: Section = {
  id: "differences",
  title: "What did not reproduce, and why?",
  render: ({ audit, experiments }) => {
    const isOff = ({ verdict }: AuditRow): boolean => attentionOf(verdict) > 0;
    const off = audit.rows.filter(isOff);
    const numbers = audit.rows.filter(({ item }) => item !== "");
    const differing = numbers.filter(isOff);
    const views = describeFindings(audit);
    const populations = new Map(experiments.map(({ id, population }) => [id, population]));
    const placeOf = (of: AuditRow, place: string) =>
      JSON.stringify([of.experiment_id, of.kind, of.dimension, of.source, place]);
    const found = new Set(
      views.flatMap(({ numbers, places }) => numbers.flatMap((row) => places.map((place) => placeOf(row, place)))),
    );
    const others = off.filter((row) => !found.has(placeOf(row, row.published_in)));
    const cards = [...groupsOf(views, sameNumbers).values()];
    const shown = cards
      .toSorted(([a], [b]) => attentionOf(b.verdict) - attentionOf(a.verdict))
      .slice(0, limits.findings);
    return html`${
      numbers.length === 0
        ? html`<p>Nothing: no published number could be compared.</p>`
        : differing.length === 0
          ? html`<p>
              Nothing: ${counted(numbers.length, "published number")} compared, and each equals the recomputed one at
              its published precision.
            </p>`
          : html`<p>
              ${counted(differing.length, "published number")} of ${thousands(numbers.length)}
              ${differing.length === 1 ? "differs" : "differ"} from what the conventions of this report give.
            </p>`
    }
    ${shown.map(([view, ...others]) => findingCard(view, others, populations.get(view.numbers[0]?.experiment_id ?? "")))}
    ${moreNote(cards.length - shown.length, "findings")} ${others.length > 0 && otherDifferences(others)}
    ${notes(audit)}`;
  },
};

/** Equal for results with one verdict and the same numbers, as those of an experiment and of its only job. */
const sameNumbers = ({ experiment, title, verdict, numbers }: FindingView): string =>
  JSON.stringify([
    experiment,
    verdict,
    numbers.length === 0 ? title : numbers.map((row) => ({ ...row, source: "", published_in: "", explanation: "" })),
  ]);

/** @param others results with the same numbers */
function findingCard(
  view: FindingView,
  others: readonly FindingView[],
  population: ExperimentPopulation | undefined,
): Html {
  const { experiment, title, places, verdict, stated, numbers } = view;
  const text = findingText(view);
  const isOne = new Set(numbers.map(({ experiment_id }) => experiment_id)).size === 1;
  const compared = differenceTable(numbers, `Numbers of ${experiment}, ${title}`);
  return html`<article class="finding ${toneOf(verdict)}">
    <h3>${experiment}: ${title}</h3>
    <p>
      ${badge(toneOf(verdict), verdict)}
      <span class="note"
        >published in
        ${places.join(", ")}${others.map(({ title: other, places: lists }) => `; the same numbers for ${other} in ${lists.join(", ")}`)}</span
      >
    </p>
    <p>${text.charAt(0).toUpperCase() + text.slice(1)}</p>
    ${stated.length > 0 && html`<p class="note">The published options state ${stated.join(", ")}.</p>`}
    ${carriers(view)} ${isOne && population && html`<p class="note">${ratingsText(population)}</p>`}
    ${
      numbers.length > 0 &&
      html`<details ${numbers.length <= limits.unfolded && html` open`}>
        <summary>
          ${counted(numbers.length, "number")} that
          ${numbers.length === 1 ? "differs" : "differ"}${places.length > 1 && `, in each of ${places.length} places`}
        </summary>
        ${compared}
      </details>`
    }
  </article>`;
}

/** The ratings among which a convention chooses. */
const ratingsText = ({ ratings, counted: used, training, incomplete }: ExperimentPopulation): string =>
  `This report counts ${thousands(used)} of the experiment's ${thousands(ratings)} ratings: ${thousands(training)} are training, and ${thousands(incomplete)} belong to sessions that were not completed.`;

/** The values of an explanation, or the items or ratings that carry a difference. */
function carriers({ values, changed }: FindingView): Html | null {
  if (values.length > 0) return html`<p class="note">Values: ${values.join(", ")}.</p>`;
  if (changed === null) return null;
  const { unit, ids, alternatives } = changed;
  const named =
    ids.length === 1
      ? `${unit} ${ids[0] ?? ""}`
      : `${counted(ids.length, unit)}: ${ids.slice(0, limits.differences).join(", ")}`;
  const others = `; ${counted(alternatives, "other change")} of the same size would do as well`;
  return html`<p class="note">
    Carried by ${named}${ids.length > limits.differences && " …"}${alternatives > 0 && others}.
  </p>`;
}

function differenceTable(all: readonly AuditRow[], label: string): Html {
  const rows = all.slice(0, limits.differences);
  const published = byField(rows, (row) => row.published);
  const recomputed = byField(rows, (row) => row.recomputed);
  const hasExplanation = rows.some((row) => row.under_explanation !== null);
  const under = byField(rows, (row) => row.under_explanation);
  const explained: readonly TableColumn<AuditRow>[] = [
    { head: "Under the explanation", as: "num", cell: (row, i) => row.under_explanation !== null && under[i] },
    { head: "Remaining", as: "num", cell: remainingText },
  ];
  return html`${table<AuditRow>(
    [
      { head: "Item", as: "item", cell: ({ item }) => item },
      ...varying(rows, { head: "Field", cell: ({ field }) => field }, ({ field }) => field === "value"),
      { head: "Published", as: "num", cell: (_, i) => published[i] },
      { head: "Recomputed", as: "num", cell: (_, i) => recomputed[i] },
      { head: "Difference", as: "num", cell: differenceText },
      ...(hasExplanation ? explained : []),
      ...varying(rows, { head: "Verdict", cell: verdictBadge }, ({ verdict }) => verdict === rows[0]?.verdict),
    ],
    rows,
    { caption: `As published in ${rows[0]?.published_in ?? ""}`, label },
  )}${moreNote(all.length - rows.length, "numbers")}`;
}

/** A column, unless it would say of every row what is said already. */
const varying = (
  rows: readonly AuditRow[],
  column: TableColumn<AuditRow>,
  isSaid: (row: AuditRow) => boolean,
): readonly TableColumn<AuditRow>[] => (rows.every(isSaid) ? [] : [column]);

/** Numbers with the decimals of their field. */
function byField(rows: readonly AuditRow[], valueOf: (row: AuditRow) => number | null): string[] {
  const texts = new Map<AuditRow, string>();
  for (const field of new Set(rows.map((row) => row.field))) {
    const own = rows.filter((row) => row.field === field);
    columnOfNumbers(own.map(valueOf)).forEach((text, i) => texts.set(own[i] as AuditRow, text));
  }
  return rows.map((row) => texts.get(row) ?? "");
}

/** Numbers without a finding: their verdict says why. */
function otherDifferences(rows: readonly AuditRow[]): Html {
  const shown = rows
    .toSorted((a, b) => attentionOf(b.verdict) - attentionOf(a.verdict))
    .slice(0, 3 * limits.differences);
  return html`<h3>Other numbers without a match</h3>
    ${table(
      [
        { head: "Experiment", as: "item", cell: (row) => row.experiment_name || row.experiment_id },
        {
          head: "Metric",
          cell: ({ kind, dimension, source }) =>
            [isKind(kind) ? metricKind(kind).title : kind, dimension, sourceText(source)]
              .filter((part) => part !== "")
              .join(", "),
        },
        { head: "Published in", cell: (row) => row.published_in },
        { head: "Item", as: "item", cell: ({ item }) => item },
        { head: "Field", cell: ({ field }) => field },
        { head: "Published", as: "num", cell: ({ published }) => columnOfNumbers([published]) },
        { head: "Recomputed", as: "num", cell: ({ recomputed }) => columnOfNumbers([recomputed]) },
        { head: "Verdict", cell: verdictBadge },
        { head: "Reason", as: "text", cell: ({ explanation }) => explanation },
      ],
      shown,
      { caption: "Numbers that could not be compared, or have no explanation", label: "Other numbers", isWide: true },
    )}${moreNote(rows.length - shown.length, "numbers")}`;
}

/** What else the console prints about an audit. */
function notes(audit: AuditReport): Html {
  const advice = adviceOf(audit);
  const contradictions = contradictionNote(audit, limits.differences);
  const flags = correctnessNote(audit, limits.differences);
  const gaps = [...gapLines(audit), ...audit.shortfalls.map(({ message }) => message)];
  const list = (lines: readonly Content[]): Content =>
    lines.length > 0 &&
    html`<ul>
      ${lines.map((line) => html`<li>${line}</li>`)}
    </ul>`;
  const examples = (note: typeof flags): Content =>
    list([...note.examples, ...(note.more === null ? [] : [note.more])]);
  return html`${
      advice !== null &&
      html`<h3>To accept what nobody has stated</h3>
        <p>${advice.says}</p>
        <pre>${advice.yaml.join("\n")}</pre>`
    }${
      contradictions !== null &&
      html`<h3>Published with different values in different places</h3>
        ${examples(contradictions)}`
    }
    ${flags.examples.length > 0 && html`<h3>Correctness of ratings</h3>`}
    <p>${flags.says}</p>
    ${examples(flags)}
    ${
      gaps.length > 0 &&
      html`<h3>What the audit could not see</h3>
        ${list(gaps.map(withCode))}`
    }`;
}
