/**
 * Trials for the rule of evidence, drawn at random: any algorithm, over any ratings, with any error. Conventions meet
 * here in pairs; half of the algorithms have no name. A rule that was changed is measured with new seeds.
 */
import { createEvaluator, type Evaluator } from "../../../../src/audit/recompute/evaluator.js";
import { inUnit, ownInUnit } from "../../../../src/audit/compare/unit.js";
import { fitOf, type Target } from "../../../../src/audit/compare/target.js";
import type { Kind } from "../../../../src/metrics/kinds.js";
import { seededRandom, type Random } from "../../../../src/platform/random.js";
import { madeUpTarget, own as ownScenario } from "../synthetic-ratings.js";
import { errors, maps, populations, slips, type Change } from "./changes.js";
import { paired } from "./paired.js";
import { scored } from "./scored.js";
import { countFields, studyOf, type Algorithm, type Published, type Study } from "./world.js";

export type Origin = "under a convention" | "by another algorithm" | "with an error";

export interface Case {
  readonly name: string;
  readonly kind: Kind;
  readonly origin: Origin;
  /** What the audit may call it, errors aside; none if no convention has a name for it. */
  readonly names: readonly string[];
  /** Every convention in it, even if the algorithm has no name. */
  readonly assumed: readonly string[];
  readonly of: (study: Study, random: Random) => Published;
  readonly round: NonNullable<Change["round"]>;
}

export interface Trial extends Case {
  readonly study: Study;
  readonly decimals: number | null;
  readonly target: Target;
  readonly published: Published;
  readonly evaluator: Evaluator;
}

const definitions: readonly Algorithm[] = [...scored.definitions, ...paired.definitions];
export const conventions: readonly Algorithm[] = [...scored.conventions, ...paired.conventions];
/** Algorithms that no convention has a name for. */
const others: readonly Algorithm[] = [...scored.others, ...paired.others];

const toNearest = (v: number, decimals: number): number => Number(v.toFixed(decimals));

export function caseOf(algorithm: Algorithm, changes: readonly Change[] = []): Case {
  const isDefinition = definitions.includes(algorithm);
  const parts = isDefinition ? changes : [algorithm, ...changes];
  const isOther = !isDefinition && algorithm.names.length === 0;
  const isWrong = changes.some(({ names }) => names.length === 0);
  return {
    name: parts.map(({ name }) => name).join(", "),
    kind: algorithm.kind,
    origin: isWrong ? "with an error" : isOther ? "by another algorithm" : "under a convention",
    names: isOther ? [] : parts.flatMap(({ names }) => names),
    assumed: parts.flatMap(({ names }) => names),
    of(study, random) {
      const counted = changes.reduce(
        (own, { rows }) => rows?.({ ...study, counted: own }, random) ?? own,
        study.counted,
      );
      const all = shownIn(study, algorithm.kind, algorithm.of(counted, random));
      return changes.reduce(
        (own, { numbers }) => numbers?.(own, algorithm.kind, random) ?? own,
        all,
      );
    },
    round: changes.find((c) => c.round !== undefined)?.round ?? toNearest,
  };
}

function shownIn({ shape }: Study, kind: Kind, published: Published): Published {
  const isShown = (field: string): boolean =>
    kind === "win_loss" ||
    (kind === "stats" ? shape.fields.includes(field) : shape.withCounts || field === "value");
  return new Map(
    [...published].map(([item, own]) => [
      item,
      Object.fromEntries(Object.entries(own).filter(([field]) => isShown(field))),
    ]),
  );
}

const ways: readonly (readonly [readonly Algorithm[], ...(readonly (readonly Change[])[])])[] = [
  [conventions],
  [conventions, populations],
  [definitions, populations, maps],
  [others],
  [others, populations],
  [others],
  [definitions, errors],
  [definitions, slips],
  [conventions, [...errors, ...slips]],
  [definitions, populations, [...errors, ...slips]],
];

function casesOf({ family }: Study, seed: number): Case[] {
  const random = seededRandom(seed * 15_485_863 + 3);
  const one = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
  const all = [...definitions, ...conventions, ...others].filter((a) =>
    a.families.includes(family),
  );
  const kinds = [...new Set(all.map((a) => a.kind))];
  const cases = new Map<string, Case>();
  for (let i = 0; i < 32; i++) {
    const kind = kinds[i % kinds.length]!;
    const [from, ...changed] = one(ways);
    const algorithm = one<Algorithm | undefined>(
      from.filter((a) => a.kind === kind && a.families.includes(family)),
    );
    const changes = changed.map((some) => one(some));
    if (algorithm === undefined) continue;
    const own = caseOf(algorithm, changes);
    cases.set(`${kind} ${own.name}`, own);
  }
  return [...cases.values()];
}

const precisions = [0, 1, 2, 3, null];

/** Each case for one study at one precision; null if the numbers do not differ. */
export function* trialsOf(seed: number): Generator<() => Trial | null> {
  const study = studyOf(seed);
  const evaluator = createEvaluator(study.ratings);
  const cases = casesOf(study, seed);
  for (const [i, own] of cases.entries()) {
    const number = seed + i;
    yield () => {
      return trialOf(
        own,
        study,
        evaluator,
        precisions[number % precisions.length]!,
        1000 * seed + number,
      );
    };
  }
}

export function trialOf(
  own: Case,
  study: Study,
  evaluator: Evaluator,
  decimals: number | null,
  randomSeed: number,
): Trial | null {
  const published = own.of(study, seededRandom(randomSeed));
  const values = [...published.values()].flatMap((numbers) => Object.values(numbers));
  if (values.length === 0 || values.some((v) => !Number.isFinite(v))) return null;
  const target = madeUpTarget(own.kind, scoresOf(published, decimals, own.round), study.items);
  const { scenario: shown } = ownInUnit(target, evaluator, ownScenario);
  const fit = fitOf(target, evaluator.table(own.kind, shown));
  if (fit.misses.length + fit.unpublished.length === 0) return null;
  if (own.origin !== "under a convention" && followsInAnyUnit(target, evaluator)) return null;
  return { ...own, study, decimals, target, published, evaluator };
}

/** Whether the definition gives the numbers as they are published, on another scale: right, not false. */
function followsInAnyUnit(target: Target, evaluator: Evaluator): boolean {
  const { scenario: shown } = inUnit(target, evaluator, ownScenario, []);
  return fitOf(target, evaluator.table(target.kind, shown)).misses.length === 0;
}

export function projectOf(seed: number, size = 12): Trial[] {
  const studies = [studyOf(seed)];
  for (let next = seed + 1; studies.length < size; next++) {
    const study = studyOf(next);
    if (study.family === studies[0]!.family) studies.push(study);
  }
  const cases = casesOf(studies[0]!, seed);
  const own = cases[seed % cases.length]!;
  const decimals = precisions[seed % precisions.length]!;
  return studies.flatMap((study, i) => {
    const trial = trialOf(own, study, createEvaluator(study.ratings), decimals, 1000 * seed + i);
    return trial === null ? [] : [trial];
  });
}

export const scoresOf = (
  published: Published,
  decimals: number | null,
  round: Case["round"] = toNearest,
): Record<string, string | number>[] => {
  const shown = (field: string, v: number): number =>
    decimals === null || countFields.has(field) ? v : Number(round(v, decimals).toFixed(decimals));
  return [...published].map(([stimulus, numbers]) => ({
    stimulus,
    ...Object.fromEntries(Object.entries(numbers).map(([f, v]) => [f, shown(f, v)])),
  }));
};
