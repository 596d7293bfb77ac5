/** What an audit finds of a published result, and what came of the conventions accepted. */
import type { Cause, FoundCause } from "../explain/find-cause.js";
import { covers, isAbout, isAnyOr, type Acceptance, type Covered } from "../explain/names.js";
import { judge } from "./judge.js";
import type { AuditRow } from "./rows.js";
import { attentionOf, type Verdict } from "./verdict.js";

export interface Finding extends Cause {
  readonly published_in: readonly string[];
  readonly verdict: Verdict;
}

/** Null if the result could not be compared. */
export function findingOf({ places, cause, isOpen }: FoundCause): Finding | null {
  const [{ numbers, doubt }] = places;
  const { experiment_id, kind, dimension, source, explanation, accepted, ...more } = cause;
  const isCompared = numbers.every(({ obstacle }) => obstacle === undefined);
  const reason = explanation && {
    ...explanation,
    isAccepted: accepted !== null,
    isReproduced: true,
  };
  const verdict = isOpen
    ? "inconclusive"
    : judge({ nearness: "apart", cause: reason, doubt }).verdict;
  if (explanation === null && (verdict === "inconclusive" || !isCompared)) return null;
  const published_in = places.map(({ target }) => target.group.published_in);
  return {
    ...{ experiment_id, kind, dimension, source, published_in },
    ...{ explanation, verdict, accepted },
    ...more,
  };
}

export interface AcceptedConvention extends Acceptance {
  readonly numbers: number;
  readonly state: "holds" | "not_needed" | "does_not_hold" | "inconclusive" | "not_published";
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
