import { ownScenario, type Scenario } from "../../../src/audit/recompute/scenario.js";
import { type Table, type Kind, defaultConventions } from "../../../src/metrics/index.js";
import type { RatingColumns } from "../../../src/audit/recompute/ratings.js";
import { groupOf, type PublishedGroup } from "../../../src/audit/read/cells.js";
import { readScores } from "../../../src/audit/read/scores.js";
import { targetOf, type Target } from "../../../src/audit/compare/target.js";
import { defaultTolerances } from "../../../src/audit/compare/tolerances.js";
import { seededRandom } from "../../../src/platform/random.js";

export const own: Scenario = ownScenario(defaultConventions, "", "");

/** A pairwise experiment: twenty slates per session, the first of them training, every 25th session incomplete and last. */
export function syntheticRatings({
  sessions,
  items,
  raters,
  seed = 1,
}: {
  sessions: number;
  items: number;
  raters: number;
  seed?: number;
}): RatingColumns {
  const random = seededRandom(seed);
  const slates = sessions * 20;
  const complete = sessions - Math.floor(sessions / 25);
  const at = (rating: number): number => Math.floor(rating / 2);
  const sessionOf = (rating: number): number => Math.floor(at(rating) / 20);
  const all = new Int32Array(2 * slates);
  const stimulus = all.slice();
  const score = new Float64Array(2 * slates);
  for (let i = 0; i < all.length; i += 2) {
    const [a, step] = [Math.floor(random() * items), 1 + Math.floor(random() * (items - 1))];
    const [low, high] = [Math.min(a, (a + step) % items), Math.max(a, (a + step) % items)];
    const outcome = random() < 0.06 ? 0 : random() < 1 / (1 + Math.exp((low - high) / 10)) ? 1 : -1;
    stimulus.set([low, high], i);
    score.set([outcome, -outcome], i);
  }
  const rater = Int32Array.from({ length: sessions }, () => Math.floor(random() * raters));
  const names = Array.from({ length: items }, (_, i) => `item-${String(i).padStart(3, "0")}`);
  return {
    experiment_id: "made-up",
    score,
    stimulus,
    dimension: all.slice(),
    slate: all.map((_, i) => at(i)),
    session: all.map((_, i) => sessionOf(i)),
    job: all.slice(),
    rater: all.map((_, i) => rater[sessionOf(i)] as number),
    training: Uint8Array.from(all, (_, i) => Number(at(i) % 20 === 0)),
    completed: Uint8Array.from(all, (_, i) => Number(sessionOf(i) < complete)),
    screened: new Uint8Array(all.length),
    correct: new Int8Array(all.length).fill(-1),
    slateUpdated: Float64Array.from(all, (_, i) => at(i)),
    stimuli: names.map((name) => ({ id: name, name, item: name })),
    dimensions: [""],
    jobs: ["job"],
    raters: Array.from({ length: raters }, (_, i) => `rater-${i}`),
    sessions: Array.from({ length: sessions }, (_, i) => ({ id: `s${i}`, created: i })),
    slateIds: BigInt64Array.from({ length: slates }, (_, i) => BigInt(10_000 + i)),
  };
}

export function madeUpGroup(
  kind: Kind,
  scores: readonly object[],
  items: readonly string[],
  options: object = {},
): PublishedGroup {
  const key = {
    experiment_id: "made-up",
    experiment_name: "",
    kind,
    dimension: "",
    source: "",
    published_in: "results",
  };
  return groupOf(key, readScores(kind, scores), options, {
    names: new Set(items),
    itemOfId: new Map(),
  });
}

export const madeUpTarget = (
  kind: Kind,
  scores: readonly object[],
  items: readonly string[],
): Target => targetOf(madeUpGroup(kind, scores, items), kind, defaultTolerances);

export function publishedAs(
  kind: Kind,
  { items, columns }: Table,
  decimals?: number,
  fields: readonly string[] = Object.keys(columns),
): Target {
  const shown = (value: number): number =>
    decimals === undefined ? value : Number(value.toFixed(decimals));
  const scores = items.map((stimulus, i) => ({
    stimulus,
    ...Object.fromEntries(fields.map((f) => [f, shown(columns[f]?.[i] as number)])),
  }));
  return madeUpTarget(kind, scores, items);
}
