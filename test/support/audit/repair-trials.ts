import { findCause } from "../../../src/audit/findings/find-cause.js";
import type { Finding } from "../../../src/audit/findings/finding.js";
import { createEvaluator } from "../../../src/audit/evaluate/evaluator.js";
import type { Kind } from "../../../src/metrics/kinds.js";
import { seededRandom } from "../../../src/platform/random.js";
import { definitions, others, scoresOf } from "./bed/bed.js";
import {
  plainShape,
  studyOf,
  type Family,
  type Published,
  type Row,
  type Study,
} from "./bed/world.js";
import { auditSettings } from "./settings.js";
import { madeUpGroup } from "./synthetic-ratings.js";
import { plantsOf, type Plant } from "./repair-plants.js";

/** A made-up result that differs from the definition, and what was done to it. */
export interface RepairTrial {
  readonly kind: Kind;
  readonly decimals: number | null;
  readonly study: Study;
  readonly plant: Plant;
  readonly finding: Finding;
}

export const outcomes = ["named", "one of several", "wrong", "not found", "explained"] as const;
export type RepairOutcome = (typeof outcomes)[number];

const precisions = [0, 1, 2, 3, null] as const;

/** Every plant, and every algorithm without a name, on one made-up study, each at one precision; null if it does not show. */
export function* repairTrials(
  family: Family,
  [items, sessions, slates]: readonly [number, number, number],
  seed: number,
): Generator<() => RepairTrial | null> {
  const perSession = family === "mushra" ? Math.max(3, slates >> 2) : slates;
  const study = studyOf(seed, plainShape(family, items, sessions, perSession));
  const evaluator = createEvaluator(study.ratings);
  const random = seededRandom(seed + 31);
  let at = seed;
  const trial = (kind: Kind, plant: Plant, published: Published): RepairTrial | null => {
    const decimals = precisions[at++ % precisions.length] ?? null;
    // The study lacks what the algorithm needs, such as weights.
    if (published.size === 0) return null;
    if ([...published.values()].some((own) => Object.values(own).some((v) => !Number.isFinite(v))))
      return null;
    const group = madeUpGroup(kind, scoresOf(published, decimals), study.items);
    const { finding } = findCause({ group, kind, numbers: [] }, evaluator, auditSettings);
    return { kind, decimals, study, plant, finding };
  };
  for (const { kind, families, of } of definitions) {
    if (!families.includes(family)) continue;
    for (const plant of plantsOf(study, random)) {
      yield () => {
        const own = of(study.counted, random);
        const numbers = plant.numbers?.(own, kind) ?? of(plant.rows ?? study.counted, random);
        return JSON.stringify([...numbers]) === JSON.stringify([...own])
          ? null
          : trial(kind, plant, numbers);
      };
    }
  }
  for (const { name, kind, families, of } of others) {
    if (!families.includes(family)) continue;
    yield () =>
      trial(kind, { name, origin: "another algorithm", repairs: [] }, of(study.counted, random));
  }
}

/** What the audit makes of a trial. Named: the planted change, or one that the published numbers cannot tell from it. */
export function judgeRepair({ finding, plant, study }: RepairTrial): RepairOutcome {
  const found = finding.smallest_difference;
  if (finding.explanation !== null) return "explained";
  if (found === null || found.change === "items") return "not found";
  const isPlanted =
    plant.repairs.includes(found.change) &&
    (found.unit === "item" || plant.touched === undefined || isSame(found.ids));
  return isPlanted ? "named" : found.alternatives > 0 ? "one of several" : "wrong";

  function isSame(ids: readonly string[]): boolean {
    if (found === null || found.alternatives > 0) return true;
    const nameOf: Record<string, (row: Row) => string> = {
      session: (row) => `s${row.session}`,
      rater: (row) => `rater-${String(row.rater).padStart(3, "0")}`,
      slate: (row) => String(10_000 + row.slate),
      rating: (row) => `${10_000 + row.slate}/${row.item}`,
    };
    const name = nameOf[found.unit] as (row: Row) => string;
    const wanted = new Set(plant.touched?.map(name));
    const touched = new Set(plant.touched);
    const isAll = study.counted.every(
      (row) =>
        touched.has(row) ||
        (found.change === "flipped" && row.score === 0) ||
        !wanted.has(name(row)),
    );
    return (
      ids.length === wanted.size &&
      ids.every((id) => wanted.has(id)) &&
      (found.change === "added" || isAll)
    );
  }
}
