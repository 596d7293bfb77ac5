/** What an audit finds of a published result, and the conventions that a person accepts. */
import { sortedNames } from "../explain/names.js";
import type { EvidenceBits } from "../explain/weigh.js";
import type { GroupKey } from "../read/cells.js";
import type { Renamed, Repair } from "../explain/repair-items.js";
import type { AuditRow } from "../compare/compare.js";
import { attentionOf, type Verdict } from "./verdict.js";

export interface Explanation {
  readonly name: string;
  readonly says: string;
  readonly bits: EvidenceBits;
  readonly unstated: string;
  /**
   * Items with numbers that follow only without it: wrong, as a result has one set of conventions.
   */
  readonly mixed: readonly string[];
  readonly contradicts: readonly string[];
  readonly reproduced: number;
  readonly of: number;
  /** Numbers that differ under the run's conventions, items not published included. */
  readonly differing: number;
  readonly matched: number;
  readonly rivals: readonly string[];
}

/** The best candidate that fails, with the largest difference left. */
export interface Nearest {
  readonly name: string;
  readonly reproduced: number;
  readonly of: number;
  readonly differing: number;
  readonly matched: number;
  readonly largest_residual: number;
  readonly largest_item: string | null;
}

export interface Finding extends Omit<GroupKey, "experiment_name" | "published_in"> {
  readonly published_in: readonly string[];
  readonly explanation: Explanation | null;
  readonly verdict: Verdict;
  readonly accepted: Acceptance | null;
  readonly nearest: Nearest | null;
  readonly smallest_difference: Repair | null;
  readonly renamed: readonly Renamed[];
  readonly stated: readonly string[];
  readonly tried: number;
  readonly untried: readonly string[];
}

export interface Acceptance {
  readonly experiment: string;
  readonly kind: string;
  /** As the audit names it: `k=16 start=1000`. */
  readonly convention: string;
  readonly reason: string;
}

export interface AcceptedConvention extends Acceptance {
  readonly numbers: number;
  readonly state: "holds" | "not_needed" | "does_not_hold" | "inconclusive" | "not_published";
}

type Covered = Pick<Explanation, "unstated" | "rivals">;
type Subject = Pick<AuditRow, "experiment_id" | "experiment_name" | "kind">;

export const isAbout = ({ experiment, kind }: Acceptance, of: Subject): boolean =>
  isAnyOr(kind, of.kind) &&
  (isAnyOr(experiment, of.experiment_id) || experiment === of.experiment_name);

const isAnyOr = (stated: string, value: string): boolean => stated === "*" || stated === value;

/** Whether it is all that nobody states of an explanation, or a rival; in any order. */
function covers({ convention }: Acceptance, { unstated, rivals }: Covered): boolean {
  return [unstated, ...rivals].some((name) => sortedNames(name) === sortedNames(convention));
}

export function acceptedFor(
  accept: readonly Acceptance[],
  of: Subject,
  explanation: Covered,
): Acceptance | null {
  return accept.find((entry) => isAbout(entry, of) && covers(entry, explanation)) ?? null;
}

export function acceptedIn(
  accept: readonly Acceptance[],
  rows: readonly AuditRow[],
  findings: readonly {
    readonly experiment_id: string;
    readonly kind: string;
    readonly explanation: Covered | null;
  }[],
): AcceptedConvention[] {
  return accept.map((entry) => {
    const own = rows.filter((row) => isAbout(entry, row));
    const ids = new Set(own.map((row) => row.experiment_id));
    const found = findings.filter(
      ({ experiment_id, kind }) => ids.has(experiment_id) && isAnyOr(entry.kind, kind),
    );
    const holds = found.some(
      ({ explanation }) => explanation !== null && covers(entry, explanation),
    );
    return { ...entry, numbers: own.length, state: holds ? "holds" : stateOf(own) };
  });
}

function stateOf(rows: readonly AuditRow[]): AcceptedConvention["state"] {
  if (rows.length === 0) return "not_published";
  if (rows.some(({ verdict }) => verdict === "inconclusive")) return "inconclusive";
  const isSettled = rows.every(
    ({ verdict }) => attentionOf(verdict) === 0 || verdict === "explained",
  );
  return isSettled ? "not_needed" : "does_not_hold";
}
