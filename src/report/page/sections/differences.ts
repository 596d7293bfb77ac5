/** What did not reproduce, and why. */
import {
  attentionOf,
  describeFindings,
  findingText,
  sourceText,
  type AuditReport,
  type AuditRow,
  type FindingView,
  resultKey,
} from "../../../audit/index.js";
import {
  capitalized,
  counted,
  groupsOf,
  joinParts,
  keyOf,
  thousands,
} from "../../../platform/index.js";
import {
  adviceOf,
  contradictionNote,
  correctnessNote,
  gapLines,
  undecidedLines,
} from "../../findings.js";
import { column, type TableColumn } from "../../document.js";
import {
  remainingText,
  underExplanation,
  shortNumber,
  signedDifference,
  titleOfKind,
  verdictText,
} from "../../numbers.js";
import { toneOf } from "../../verdict-sentence.js";
import {
  badge,
  folded,
  html,
  pageLimits,
  listOfLines,
  moreNote,
  table,
  verdictBadge,
  withCode,
  type Html,
} from "../html.js";
import type { ExperimentData, ExperimentPopulation, ReportData, Section } from "../report-data.js";
import { lookupBy } from "../rows.js";

const inPlaces = ({ places: { length } }: FindingView): string =>
  length > 1 ? ` in each of ${length} places` : "";

/** The causes, one line each, the most urgent first; each is told with its experiment. */
export function causes({ audit, experiments }: ReportData): Html | null {
  const lines = cardsOf(audit).map(([view]) => {
    const { experiment, title, verdict, numbers } = view;
    const ids = new Set(numbers.map(({ experiment_id }) => experiment_id));
    const own = experiments.find(({ id, details }) => details !== null && ids.has(id));
    const name =
      own === undefined ? experiment : html`<a href="#experiment-${own.id}">${experiment}</a>`;
    const told = findingText({ ...view, caveats: [] });
    return html`${badge(toneOf(verdict), verdictText(verdict))} ${name}, ${title}: ${told}`;
  });
  const all = [
    ...lines,
    ...undecidedLines(audit).map((line) => html`${badge("doubt", "to decide")} ${line}`),
  ];
  if (all.length === 0) return null;
  const rest = all.slice(pageLimits.causes);
  return html`<h2 class="hidden">Causes</h2>
    <ul class="causes">
      ${all.slice(0, pageLimits.causes).map((line) => html`<li>${line}</li>`)}
    </ul>
    ${
      rest.length > 0 &&
      folded(counted(rest.length, "more cause"), [
        listOfLines(rest.slice(0, pageLimits.findings)),
        moreNote(Math.max(0, rest.length - pageLimits.findings), "causes"),
      ])
    }`;
}

/** Findings with the same numbers are told once. */
const cardsOf = (audit: AuditReport): [FindingView, ...FindingView[]][] =>
  [...groupsOf(describeFindings(audit), sameNumbers).values()].toSorted(
    ([a], [b]) => attentionOf(b.verdict) - attentionOf(a.verdict),
  );

export function differencesIn({ audit }: ReportData): (of: ExperimentData) => Html | null {
  const cards = cardsOf(audit);
  const placeOf = (of: AuditRow, place: string) => keyOf(resultKey(of), place);
  const found = new Set(
    cards.flatMap((views) =>
      views.flatMap(({ numbers, places }) =>
        numbers.flatMap((row) => places.map((place) => placeOf(row, place))),
      ),
    ),
  );
  const others = lookupBy(
    audit.rows.filter(
      (row) => attentionOf(row.verdict) > 0 && !found.has(placeOf(row, row.published_in)),
    ),
    ({ experiment_id }) => experiment_id,
  );
  return ({ id, name, population }) => {
    const own = cards.flatMap(([view, ...same]) => {
      const numbers = view.numbers.filter(({ experiment_id }) => experiment_id === id);
      const isHere = numbers.length > 0 || (view.numbers.length === 0 && view.experiment === name);
      return isHere ? [findingCard({ ...view, numbers }, same, population)] : [];
    });
    if (own.length === 0 && others(id).length === 0) return null;
    return html`${own.slice(0, pageLimits.findings)}
    ${moreNote(Math.max(0, own.length - pageLimits.findings), "findings")}
    ${others(id).length > 0 && otherDifferences(others(id))}`;
  };
}

/**
 * Equal for results with one verdict and the same numbers, as those of an experiment and its only
 * job.
 */
const sameNumbers = ({ experiment, title, verdict, numbers }: FindingView): string =>
  JSON.stringify([
    experiment,
    verdict,
    numbers.length === 0
      ? title
      : numbers.map((row) => ({ ...row, source: "", published_in: "", explanation: "" })),
  ]);

/** @param others results with the same numbers */
function findingCard(
  view: FindingView,
  others: readonly FindingView[],
  population: ExperimentPopulation,
): Html {
  const { experiment, title, places, verdict, stated, numbers } = view;
  return html`<article class="finding ${toneOf(verdict)}">
    <h4>${capitalized(title)}</h4>
    <p>
      ${badge(toneOf(verdict), verdictText(verdict))}
      <span class="note"
        >published in
        ${places.join(", ")}${others.map(
          ({ title: other, places: lists }) =>
            `; the same numbers for ${other} in ${lists.join(", ")}`,
        )}</span
      >
    </p>
    <p>${findingText(view, true)}</p>
    ${
      stated.length > 0 &&
      html`<p class="note">The published options state ${stated.join(", ")}.</p>`
    }
    ${carriers(view)}
    <p class="note">${ratingsText(population)}</p>
    ${
      numbers.length > 0 &&
      folded(
        `${counted(numbers.length, "number")} that ` +
          `${numbers.length === 1 ? "differs" : "differ"}${inPlaces(view)}`,
        differenceTable(numbers, `Numbers of ${experiment}, ${title}`),
        numbers.length <= pageLimits.unfolded,
      )
    }
  </article>`;
}

/** The ratings among which a convention chooses. */
const ratingsText = ({
  ratings,
  counted: used,
  training,
  incomplete,
}: ExperimentPopulation): string =>
  `This report counts ${thousands(used)} of the experiment's ${thousands(ratings)} ratings: ` +
  `${thousands(training)} are training, and ${thousands(incomplete)} belong to sessions ` +
  "that were not completed.";

/** The items that carry a difference. */
function carriers({ changed }: FindingView): Html | null {
  if (changed === null) return null;
  const { ids } = changed;
  const named =
    ids.length === 1
      ? `item ${ids[0] ?? ""}`
      : `${counted(ids.length, "item")}: ${ids.slice(0, pageLimits.differences).join(", ")}`;
  return html`<p class="note">
    Carried by ${named}${ids.length > pageLimits.differences && " …"}.
  </p>`;
}

function differenceTable(all: readonly AuditRow[], label: string): Html {
  const rows = all.slice(0, pageLimits.differences);
  const hasExplanation = rows.some((row) => underExplanation(row) !== null);
  return table(
    all,
    [
      column.item("Item", ({ item }) => item),
      rows.some(({ field }) => field !== "value") && column.plain("Field", ({ field }) => field),
      byField("Published", ({ published }) => published),
      byField("Recomputed", ({ recomputed }) => recomputed),
      column.num("Difference", signedDifference),
      hasExplanation && byField("Under the explanation", underExplanation, ""),
      hasExplanation && column.num("Remaining", remainingText),
      rows.some(({ verdict }) => verdict !== rows[0]?.verdict) &&
        column.plain("Verdict", verdictBadge),
    ],
    {
      caption: `As published in ${rows[0]?.published_in ?? ""}`,
      label,
      most: pageLimits.differences,
      what: "numbers",
    },
  );
}

/** Numbers with the decimals of their field. */
function byField(
  head: string,
  of: (row: AuditRow) => number | null,
  none?: string,
): TableColumn<AuditRow, string> {
  const aligned = column.aligned(head, of, none);
  return {
    ...aligned,
    cells(rows) {
      const fields = groupsOf(rows, ({ field }) => field);
      const texts = new Map(
        [...fields].map(([field, own]) => [field, aligned.cells(own).values()]),
      );
      return rows.map(({ field }) => texts.get(field)?.next().value ?? "");
    },
  };
}

/** Numbers without a finding: their verdict says why. */
function otherDifferences(rows: readonly AuditRow[]): Html {
  const metricOf = ({ kind, dimension, source }: AuditRow): string =>
    joinParts([titleOfKind(kind), dimension, sourceText(source)]);
  return html`<h4>Numbers without a finding</h4>
    ${table(
      rows.toSorted((a, b) => attentionOf(b.verdict) - attentionOf(a.verdict)),
      [
        column.plain("Metric", metricOf),
        column.plain("Published in", (row) => row.published_in),
        column.item("Item", ({ item }) => item),
        column.plain("Field", ({ field }) => field),
        column.num("Published", ({ published }) => shortNumber(published)),
        column.num("Recomputed", ({ recomputed }) => shortNumber(recomputed)),
        column.plain("Verdict", verdictBadge),
        column.text("Reason", ({ explanation }) => explanation),
      ],
      {
        caption: "Numbers that could not be compared, or have no explanation",
        label: "Other numbers",
        isWide: true,
        most: 3 * pageLimits.differences,
        what: "numbers",
      },
    )}`;
}

/** What a reader has to decide, and what the audit could not check. */
export const notesSection: Section = {
  id: "notes",
  title: "Open questions",
  render({ audit, experiments }) {
    const advice = adviceOf(audit);
    const contradictions = contradictionNote(audit, pageLimits.differences);
    const flags = correctnessNote(audit, pageLimits.differences);
    const gaps = [...gapLines(audit), ...audit.shortfalls.map(({ message }) => message)];
    const known = new Set(experiments.map(({ id }) => id));
    const others = audit.rows.filter(
      (row) => attentionOf(row.verdict) > 0 && !known.has(row.experiment_id),
    );
    const isEmpty =
      advice === null && contradictions === null && gaps.length === 0 && others.length === 0;
    if (isEmpty && flags.examples.length === 0) return null;
    return html`${
      advice !== null &&
      html`<p>${advice.says}</p>
        <pre>${advice.yaml.join("\n")}</pre>`
    }${
      contradictions !== null &&
      folded(contradictions.says.replace(/:$/, ""), listOfLines(contradictions.examples))
    }
    ${flags.examples.length > 0 && folded(flags.says, listOfLines(flags.examples))}
    ${gaps.length > 0 && listOfLines(gaps.map(withCode))}
    ${others.length > 0 && otherDifferences(others)}`;
  },
};
