import { createEvaluator, type Evaluator } from "../../../../src/audit/evaluate/evaluator.js";
import { findRepair } from "../../../../src/audit/repair/index.js";
import { explanationOf } from "../../../../src/audit/explain/explanation.js";
import { weigh } from "../../../../src/audit/explain/evidence.js";
import { nameOf } from "../../../../src/audit/explain/search/candidate.js";
import { search } from "../../../../src/audit/explain/search/search.js";
import { fitOf, type Target } from "../../../../src/audit/target/target.js";
import type { Table } from "../../../../src/metrics/index.js";
import { mainField, type Kind } from "../../../../src/metrics/kinds.js";
import { seededRandom } from "../../../../src/platform/random.js";
import { madeUpTarget, own } from "../synthetic-ratings.js";
import type { Algorithm, Published } from "./algorithm.js";
import { algorithms, definitions } from "./algorithms.js";
import { avg, sum } from "./scored.js";
import { changes, type Change } from "./corruptions.js";
import { studyOf, type Family, type Size, type Study } from "./study.js";

export { own };

/** One set of numbers to explain. */
export interface Trial {
  readonly name: string;
  readonly kind: Kind;
  readonly study: Study;
  readonly decimals: number | null;
  readonly names: readonly string[];
  readonly change: Change | null;
  /** Computed by an algorithm of its own, not by the definition from changed ratings or numbers. */
  readonly isAlgorithm: boolean;
  readonly target: Target;
  /** The numbers before rounding. */
  readonly published: Published;
  readonly evaluator: Evaluator;
}

const precisions = [0, 1, 2, 3, null];
const rounded = (v: number, decimals: number | null): number => (decimals === null ? v : Number(v.toFixed(decimals)));
const counts = new Set(["n", "wins", "losses", "ties", "approved"]);

function targetFrom(kind: Kind, published: Published, items: readonly string[], decimals: number | null): Target {
  const scores = [...published].map(([stimulus, numbers]) => ({
    stimulus,
    ...Object.fromEntries(Object.entries(numbers).map(([f, v]) => [f, counts.has(f) ? v : rounded(v, decimals)])),
  }));
  return madeUpTarget(kind, scores, items);
}

export const families: readonly Family[] = ["pairwise", "acr", "mushra", "approval"];
export const sizes: readonly Size[] = [
  { items: 3, sessions: 8, slates: 8 },
  { items: 5, sessions: 14, slates: 10 },
  { items: 8, sessions: 30, slates: 14 },
  { items: 12, sessions: 50, slates: 16 },
];

/** Whether the numbers before rounding are a line of a table: then a scale and a shift describe them rightly. */
function isLineOf({ items, columns }: Table, kind: Kind, published: Published): boolean {
  const field = mainField(kind);
  const points = items.flatMap((item, i): [number, number][] => {
    const y = published.get(item)?.[field];
    return y === undefined ? [] : [[columns[field]?.[i] ?? NaN, y]];
  });
  const [cx, cy] = [avg(points.map(([x]) => x)), avg(points.map(([, y]) => y))];
  const slope = sum(points.map(([x, y]) => (x - cx) * (y - cy))) / sum(points.map(([x]) => (x - cx) ** 2));
  const spread = Math.max(...points.map(([, y]) => Math.abs(y - cy)));
  return points.every(([x, y]) => Math.abs(y - cy - slope * (x - cx)) <= 1e-7 * spread);
}

/** Every algorithm and change for one made-up study, each at one precision. */
export function* trialsOf(family: Family, size: Size, seed: number): Generator<() => Trial | null> {
  const study = studyOf(family, family === "mushra" ? { ...size, slates: Math.max(3, size.slates >> 2) } : size, seed);
  const evaluator = createEvaluator(study.ratings);
  const random = seededRandom(seed + 77);
  let at = seed;
  const trial = (
    name: string,
    { kind, of }: Algorithm,
    names: readonly string[],
    change: Change | null,
  ): Trial | null => {
    const decimals = precisions[at++ % precisions.length] as number | null;
    const rows = change?.rows?.(study, random) ?? study.counted;
    const scored = of(rows, study, random);
    const published = change?.numbers?.(scored, kind, random) ?? scored;
    if ([...published.values()].some((own) => Object.values(own).some((v) => !Number.isFinite(v)))) return null;
    const target = targetFrom(kind, published, study.items, decimals);
    const fit = fitOf(target, evaluator.table(kind, own));
    if (fit.misses.length + fit.unpublished.length === 0) return null;
    return { name, kind, study, decimals, names, change, isAlgorithm: change === null, target, evaluator, published };
  };
  for (const algorithm of algorithms.filter((a) => a.families.includes(family))) {
    yield () => trial(algorithm.name, algorithm, algorithm.names, null);
  }
  for (const definition of definitions.filter((a) => a.families.includes(family))) {
    for (const change of changes) {
      yield () => trial(change.name, definition, change.names, change);
    }
  }
}

export type RepairOutcome = "named" | "wrong" | "not found";

/** What the audit makes of a trial that no convention explains: the smallest difference. */
export function judgeRepair({ target, evaluator, change }: Trial): { outcome: RepairOutcome; says: string } {
  const found = findRepair(target, evaluator, own);
  if (found === null || found.change === "items" || found.change === "missing")
    return { outcome: "not found", says: found?.says ?? "" };
  const isNamed = change?.repairs.includes(`${found.change} ${found.unit}`) === true;
  return { outcome: isNamed ? "named" : "wrong", says: found.says };
}

export type Outcome = "named" | "in part" | "missed" | "false" | "honest" | "fitted";

export interface Judged {
  readonly outcome: Outcome;
  readonly says: string;
}

/** What the audit makes of a trial. `fitted`: a map with free parameters describes the numbers, which nobody stated. */
export function judge({ kind, target, evaluator, names, published }: Trial): Judged {
  const result = search(target, evaluator, own);
  const found = explanationOf(target, result);
  const explanation = found?.explanation ?? null;
  if (found === null || explanation === null) {
    const best = result.candidates[0];
    const w = best && weigh(target, result, best);
    const says =
      best && w
        ? `${nameOf(best)} [${w.evidence.toFixed(1)} - ${w.cost.toFixed(1)} - ${w.margin.toFixed(1)}] missed ${best.fit.misses.length} of ${result.own.fit.misses.length} differing of ${target.cells.length}`
        : "";
    return { outcome: names.length > 0 ? "missed" : "honest", says };
  }
  const { name, rivals, reproduced, of, bits, fitted } = explanation;
  const b = `[${bits.evidence.toFixed(0)} - ${bits.cost.toFixed(0)} - ${bits.margin.toFixed(0)}] ${reproduced}/${of} ${fitted.join()}`;
  const isTrue = (text: string): boolean =>
    text.split(" ").every((word) => names.includes(word) || names.includes(word.split("=")[0] ?? ""));
  const says = `${[name, ...rivals].join(" | ")} ${b}`;
  const unscaled = evaluator.table(kind, { ...found.candidate.scenario, rescaled: null });
  const isFit =
    explanation.parameters.length > 0 &&
    (isLineOf(unscaled, kind, published) || isLineOf(evaluator.table(kind, own), kind, published));
  if (![name, ...rivals].some(isTrue)) return { outcome: isFit ? "fitted" : "false", says };
  return { outcome: reproduced === of ? "named" : "in part", says };
}
