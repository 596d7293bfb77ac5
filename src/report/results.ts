import { countVerdicts, verdicts, type AuditRow } from "../audit/index.js";
import { fieldsOf, isKind } from "../metrics/index.js";
import { groupsOf } from "../platform/index.js";
import { differenceText, verdictText } from "./numbers.js";

/** One published result, as tables show it, with every place that publishes it with the same verdicts and causes. */
export interface ResultRows {
  readonly rows: readonly AuditRow[];
  readonly first: AuditRow;
  readonly experiment: string;
  readonly places: string;
  /** "10 explained", or only the verdict if all numbers have it. */
  readonly verdicts: string;
  /** The largest difference of the first field that differs, with its name; "" if nothing differs. */
  readonly difference: string;
  readonly causes: readonly string[];
}

const identity = ["experiment_id", "kind", "dimension", "source"] as const;

export function resultsOf(rows: readonly AuditRow[]): ResultRows[] {
  const identityOf = (row: AuditRow) => JSON.stringify(identity.map((field) => row[field]));
  const results = [...groupsOf(rows, (row) => JSON.stringify([identityOf(row), row.published_in])).values()];
  const lineOf = (own: readonly [AuditRow, ...AuditRow[]]) =>
    JSON.stringify([identityOf(own[0]), verdictsOf(own), largestDifference(own), causesOf(own)]);
  return [...groupsOf(results, lineOf).values()].map((same) => {
    const all = same.flat();
    const [[first]] = same;
    return {
      rows: all,
      first,
      experiment: first.experiment_name || first.experiment_id,
      places: same.map(([{ published_in }]) => published_in).join(", "),
      verdicts: verdictsOf(all),
      difference: largestDifference(all),
      causes: causesOf(all),
    };
  });
}

function causesOf(group: readonly AuditRow[]): string[] {
  return [...new Set(group.map((r) => r.explanation).filter((e) => e !== null))];
}

/** `10 explained, 2 exact`, or only the verdict if all numbers have it. */
export function verdictsOf(group: readonly AuditRow[]): string {
  const own = countVerdicts(group);
  const counts = verdicts.map((v) => [v, own[v]] as const).filter(([, n]) => n > 0);
  const [only] = counts;
  if (counts.length === 1 && only) return verdictText(only[0]);
  return counts.map(([v, n]) => `${n} ${verdictText(v)}`).join(", ");
}

/** Only of one field: fields share no unit. */
function largestDifference(group: readonly AuditRow[]): string {
  const off = group.filter((row) => row.verdict !== "exact" && row.difference !== null);
  const rank = ({ kind, field }: AuditRow): number => (isKind(kind) ? fieldsOf(kind).indexOf(field) >>> 0 : 0);
  const first = Math.min(...off.map(rank));
  const largest = off
    .filter((row) => rank(row) === first)
    .reduce<AuditRow | null>((a, b) => (a && Math.abs(a.difference ?? 0) >= Math.abs(b.difference ?? 0) ? a : b), null);
  return largest === null ? "" : `${largest.field} ${differenceText(largest)}`;
}
