/** What an audit finds of a published result, and the conventions that a person accepts. */
import type { EvidenceBits } from "../explain/weigh.js";
import type { GroupKey } from "../published/cells.js";
import type { Renamed, Repair } from "./repair-items.js";
import type { AuditRow } from "../compare.js";
import { attentionOf, type Verdict } from "../verdict.js";

export interface Explanation {
  /** `training=include`, `k=16 start=1000`. */
  readonly name: string;
  /** Completes "The published numbers match when …". */
  readonly says: string;
  readonly bits: EvidenceBits;
  /**
   * The parts of `name` that the published options do not state; empty if they state everything.
   */
  readonly unstated: string;
  /**
   * Items with numbers that follow only without it: a result follows one set of conventions, so
   * these are wrong.
   */
  readonly mixed: readonly string[];
  /** Conventions that the published options state but the numbers contradict. */
  readonly contradicts: readonly string[];
  readonly reproduced: number;
  readonly of: number;
  /** Numbers that differ under the run's own conventions, items that are not published included. */
  readonly differing: number;
  /** Those of them that it reproduces. */
  readonly matched: number;
  /**
   * Equally simple explanations that reproduce as many numbers; if there are any, the result is
   * undetermined.
   */
  readonly rivals: readonly string[];
}

/**
 * The best candidate that does not reproduce the numbers, with the largest difference that it
 * leaves.
 */
export interface Nearest {
  readonly name: string;
  readonly reproduced: number;
  readonly of: number;
  /** Numbers that differ under the run's own conventions, items that are not published included. */
  readonly differing: number;
  /** Those of them that it reproduces. */
  readonly matched: number;
  readonly largest_residual: number;
}

/** The cause found for one published result that differs from the recomputed one. */
export interface Finding extends Omit<GroupKey, "experiment_name" | "published_in"> {
  /** Every place that publishes exactly these numbers. */
  readonly published_in: readonly string[];
  readonly explanation: Explanation | null;
  /** Of the numbers that the explanation reproduces; `unexplained` without one. */
  readonly verdict: Verdict;
  /** The accepted convention under which the numbers are explained. */
  readonly accepted: Acceptance | null;
  /** Without an explanation: the conventions that come nearest. */
  readonly nearest: Nearest | null;
  /**
   * Without an explanation: the smallest change of items that makes the numbers match, if any.
   */
  readonly smallest_difference: Repair | null;
  /** Items that may be published under another name: proposed, and taken for no verdict. */
  readonly renamed: readonly Renamed[];
  /** Conventions that the published options state, as `name=value`. */
  readonly stated: readonly string[];
  /** Combinations of conventions that were evaluated. */
  readonly tried: number;
  /** What was left out at the limit on work. */
  readonly untried: readonly string[];
}

/**
 * A convention that a person accepts for the published numbers of one kind of an experiment
 * (`accept:`).
 */
export interface Acceptance {
  /** Identifier or name; `*`: every experiment. */
  readonly experiment: string;
  /** `*`: every kind. */
  readonly kind: string;
  /**
   * What the published options do not state, as the audit names it: `training=include`, `k=16
   * start=1000`.
   */
  readonly convention: string;
  readonly reason: string;
}

export interface AcceptedConvention extends Acceptance {
  /** Published numbers of the kind and experiment. */
  readonly numbers: number;
  readonly state: "holds" | "not_needed" | "does_not_hold" | "inconclusive" | "not_published";
}

type Covered = Pick<Explanation, "unstated" | "rivals">;
type Subject = Pick<AuditRow, "experiment_id" | "experiment_name" | "kind">;

export const isAbout = ({ experiment, kind }: Acceptance, of: Subject): boolean =>
  isAnyOr(kind, of.kind) &&
  (isAnyOr(experiment, of.experiment_id) || experiment === of.experiment_name);

const isAnyOr = (stated: string, value: string): boolean => stated === "*" || stated === value;

/**
 * Whether a convention is everything that nobody states of an explanation, or one of its rivals; in
 * any order.
 */
function covers({ convention }: Acceptance, { unstated, rivals }: Covered): boolean {
  return [unstated, ...rivals].some((name) => inOrder(name) === inOrder(convention));
}

const inOrder = (convention: string): string => convention.trim().split(/\s+/).sort().join(" ");

/** The accepted convention that covers an explanation, or null. */
export function acceptedFor(
  accept: readonly Acceptance[],
  of: Subject,
  explanation: Covered,
): Acceptance | null {
  return accept.find((entry) => isAbout(entry, of) && covers(entry, explanation)) ?? null;
}

/** What became of each accepted convention, in their order. */
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
