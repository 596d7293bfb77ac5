import type { Conventions, Kind } from "../../metrics/index.js";
import type { AuditRow } from "../compare/audit-row.js";
import { findRepair } from "../repair/index.js";
import type { Evaluator } from "../evaluate/evaluator.js";
import type { Finding } from "./finding.js";
import type { PublishedGroup } from "../published/group.js";
import { ownScenario, type Scenario } from "../evaluate/scenario.js";
import { explain, nameOf, type Candidate, type Explanation, type SearchLimits } from "../explain/index.js";
import { modelOf, targetOf, type Target } from "../target/index.js";
import type { Tolerances } from "../compare/tolerances.js";

/** Looks for what explains the rows of a result that the run's own conventions do not reproduce. */
export function explainGroup(
  group: PublishedGroup,
  kind: Kind,
  rows: readonly AuditRow[],
  evaluator: Evaluator,
  conventions: Conventions,
  tolerances: Tolerances,
  limits?: SearchLimits,
): { rows: AuditRow[]; finding: Finding } {
  const target = targetOf(group, kind, tolerances);
  const own = ownScenario(conventions, group.dimension, group.source);
  const { explanation, nearest, candidate, stated, tried, untried } = explain(target, evaluator, own, limits);
  const { experiment_id, dimension, source } = group;
  const finding: Finding = {
    experiment_id,
    kind,
    dimension,
    source,
    published_in: [group.published_in],
    explanation,
    nearest,
    smallest_difference: explanation === null ? findRepair(target, evaluator, own, nearestIn(candidate)) : null,
    stated,
    tried,
    untried,
  };
  return { rows: explanation === null ? [...rows] : explained(target, rows, candidate, explanation), finding };
}

/** The conventions that come nearest, unless they are the run's own: a difference may be small under them. */
function nearestIn(candidate: Candidate): { name: string; scenario: Scenario } | null {
  const name = nameOf(candidate);
  return name === "" ? null : { name, scenario: candidate.scenario };
}

/** How an explanation is written in a row: with its rivals where nothing published tells them apart. */
export function explanationText({ name, rivals }: Pick<Explanation, "name" | "rivals">): string {
  return rivals.length === 0 ? name : `undetermined: ${[name, ...rivals].join(" or ")}`;
}

function explained(
  target: Target,
  rows: readonly AuditRow[],
  candidate: Candidate,
  explanation: Explanation,
): AuditRow[] {
  const text = explanationText(explanation);
  const model = modelOf(target, candidate.table);
  const missed = new Set(candidate.fit.misses);
  const unpublished = new Set(candidate.fit.unpublished);
  return rows.map((row) => {
    if (row.verdict !== "unexplained") return row;
    if (row.published === null) {
      return unpublished.has(row.item) ? row : { ...row, verdict: "explained", explanation: text };
    }
    const cell = target.cells.findIndex(
      (c) => c.item === row.item && c.field === row.field && c.published.value === row.published,
    );
    if (!missed.has(cell)) return { ...row, verdict: "explained", explanation: text };
    const own = model[cell] as number;
    return {
      ...row,
      explanation: `not under ${explanation.name} either, which gives ${Number.isFinite(own) ? own : "nothing"}`,
    };
  });
}
