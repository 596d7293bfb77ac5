/** Published results, each with all its numbers. */
import { attentionOf, countVerdicts, numbersIn, type AuditRow, resultKey } from "../audit/index.js";
import { fieldsOf, isKind } from "../metrics/index.js";
import { byText, groupsOf } from "../platform/index.js";
import { column } from "./document.js";
import { signedDifference, verdictCounts, verdictText, whereOf } from "./numbers.js";

interface OfExperiment {
  readonly experiment_id: string;
  /** Its identifier, if it has no name. */
  readonly name: string;
  readonly rows: readonly AuditRow[];
}

const urgencyOf = ({ rows }: OfExperiment): number =>
  rows.reduce((most, { verdict }) => Math.max(most, attentionOf(verdict)), -1);

/** "round 9" comes before "round 10". */
const withDigits = (name: string): string =>
  name.replace(/\d+/g, (digits) => digits.padStart(16, "0"));

/** The most urgent first; names, then identifiers, order the others. */
export const byUrgency = <T extends OfExperiment>(all: readonly T[]): T[] =>
  all.toSorted(
    (a, b) =>
      urgencyOf(b) - urgencyOf(a) ||
      byText(withDigits(a.name), withDigits(b.name)) ||
      byText(a.experiment_id, b.experiment_id),
  );

export const experimentsOf = (all: readonly AuditRow[]): OfExperiment[] =>
  byUrgency(
    [...groupsOf(all, ({ experiment_id }) => experiment_id)].map(([experiment_id, rows]) => ({
      experiment_id,
      name: experimentName(rows[0]),
      rows,
    })),
  );

/** A published result, with every place that publishes it with the same verdicts and causes. */
export interface ResultRows {
  readonly rows: readonly AuditRow[];
  readonly first: AuditRow;
  readonly experiment: string;
  readonly places: string;
  /** "10 explained", or only the verdict if all numbers have it. */
  readonly verdicts: string;
  /**
   * The largest difference of the first field that differs, with its name; "" if nothing differs.
   */
  readonly difference: string;
  readonly causes: readonly string[];
}

export function mergedResults(all: readonly AuditRow[]): ResultRows[] {
  const rows = experimentsOf(all).flatMap((one) => one.rows);
  const results = [
    ...groupsOf(rows, (row) => JSON.stringify([resultKey(row), row.published_in])).values(),
  ];
  const lineOf = (own: readonly [AuditRow, ...AuditRow[]]) =>
    JSON.stringify([resultKey(own[0]), verdictsOf(own), largestDifference(own), causesOf(own)]);
  return [...groupsOf(results, lineOf).values()].map((same) => {
    const own = same.flat();
    const [[first]] = same;
    return {
      rows: own,
      first,
      experiment: experimentName(first),
      places: same.map(([{ published_in }]) => published_in).join(", "),
      verdicts: verdictsOf(own),
      difference: largestDifference(own),
      causes: causesOf(own),
    };
  });
}

export const resultColumns = [
  column.plain("Experiment", ({ experiment }: ResultRows) => experiment),
  column.plain("Metric", ({ first }: ResultRows) => first.kind),
  column.plain("Scope", ({ first }: ResultRows) => whereOf(first)),
  column.plain("Published in", ({ places }: ResultRows) => places),
  column.num("Numbers", ({ rows }: ResultRows) => numbersIn(rows)),
  column.plain("Verdict", (one: ResultRows) => one.verdicts),
  column.num("Largest difference", ({ difference }: ResultRows) => difference),
  column.plain("Cause", ({ causes }: ResultRows) => causes.join("; ")),
];

export const experimentName = ({
  experiment_id,
  experiment_name,
}: Pick<AuditRow, "experiment_id" | "experiment_name">): string => experiment_name || experiment_id;

function causesOf(group: readonly AuditRow[]): string[] {
  return [...new Set(group.map((r) => r.explanation).filter((e) => e !== null))];
}

export function verdictsOf(group: readonly AuditRow[]): string {
  const [first] = group;
  const isOne = first !== undefined && group.every(({ verdict }) => verdict === first.verdict);
  return isOne ? verdictText(first.verdict) : verdictCounts(countVerdicts(group));
}

/** Only of one field: fields share no unit. */
function largestDifference(group: readonly AuditRow[]): string {
  const off = group.filter((row) => row.verdict !== "exact" && row.difference !== null);
  const rank = ({ kind, field }: AuditRow): number =>
    isKind(kind) ? fieldsOf(kind).indexOf(field) >>> 0 : 0;
  const first = Math.min(...off.map(rank));
  const largest = off
    .filter((row) => rank(row) === first)
    .reduce<AuditRow | null>(
      (a, b) => (a && Math.abs(a.difference ?? 0) >= Math.abs(b.difference ?? 0) ? a : b),
      null,
    );
  return largest === null ? "" : `${largest.field} ${signedDifference(largest)}`;
}
