/** Intervals as boards publish them: planted by plain code, named or not, and told from wrong ones. */
import { describe, expect, test } from "vitest";
import { createEvaluator, type Evaluator } from "../../src/audit/evaluate/evaluator.js";
import { explain } from "../../src/audit/findings/find-cause.js";
import type { Table } from "../../src/metrics/index.js";
import type { Kind } from "../../src/metrics/kinds.js";
import { seededRandom, type Random } from "../../src/platform/random.js";
import { madeUpTarget, own, syntheticRatings } from "../support/audit/synthetic-ratings.js";
import { isWhole } from "../support/whole.js";

/**
 * A study of `items` items, each rated once from 1 to 5 by every rater, or by the fewer the later it comes, with the scores
 * of each item.
 */
function ratedStudy(items: number, raters: number, seed: number, isUneven = false) {
  const random = seededRandom(seed);
  const all = Array.from({ length: items }, (_, item) =>
    Array.from({ length: raters }, () =>
      Math.min(5, Math.max(1, Math.round(3 + Math.sin(item) + 2.4 * (random() + random() - 1)))),
    ),
  );
  const scores = all.map((own, item) => (isUneven ? own.slice(0, raters - 2 * item) : own));
  const at = Int32Array.from({ length: items * raters }, (_, i) => i).filter(
    (i) => Math.floor(i / items) < scores[i % items]!.length,
  );
  const count = at.length;
  const zeros = new Int32Array(count);
  const names = scores.map((_, i) => `item-${String(i).padStart(2, "0")}`);
  const ratings = {
    ...syntheticRatings({ sessions: 1, items: 2, raters: 1 }),
    score: Float64Array.from(at, (i) => scores[i % items]![Math.floor(i / items)]!),
    stimulus: at.map((i) => i % items),
    dimension: zeros,
    slate: at,
    session: at.map((i) => Math.floor(i / items)),
    job: zeros,
    rater: at.map((i) => Math.floor(i / items)),
    training: new Uint8Array(count),
    completed: new Uint8Array(count).fill(1),
    screened: new Uint8Array(count),
    correct: new Int8Array(count).fill(-1),
    slateUpdated: Float64Array.from(at),
    stimuli: names.map((name) => ({ id: name, name, item: name })),
    raters: Array.from({ length: raters }, (_, i) => `rater-${i}`),
    sessions: Array.from({ length: raters }, (_, i) => ({ id: `s${i}`, created: i })),
    slateIds: BigInt64Array.from({ length: count }, (_, i) => BigInt(i)),
  };
  return { names, scores, evaluator: createEvaluator(ratings) };
}

const meanOf = (xs: readonly number[]): number => xs.reduce((a, b) => a + b, 0) / xs.length;
const errorOf = (xs: readonly number[], less = 1): number => {
  const mean = meanOf(xs);
  const squares = xs.reduce((sum, x) => sum + (x - mean) ** 2, 0);
  return Math.sqrt(squares / (xs.length - less) / xs.length);
};

/** The percentile interval of the mean over `draws` samples with replacement. */
function drawnInterval(xs: readonly number[], draws: number, random: Random) {
  const means = Array.from({ length: draws }, () =>
    meanOf(xs.map(() => xs[Math.floor(random() * xs.length)]!)),
  ).sort((a, b) => a - b);
  const at = (p: number): number => {
    const place = p * (draws - 1);
    const below = Math.floor(place);
    return means[below]! + (place - below) * (means[Math.ceil(place)]! - means[below]!);
  };
  return { low: at(0.025), high: at(0.975) };
}

const shown = (value: number): string => value.toFixed(3);

/** What the audit says of scores. */
function said(
  evaluator: Evaluator,
  kind: Kind,
  names: readonly string[],
  scores: readonly object[],
) {
  const target = madeUpTarget(kind, scores, names);
  const { explanation, candidate } = explain(target, evaluator, own);
  const wrong = candidate.fit.misses.map((i) => target.cells[i]!.item);
  return { name: explanation?.name ?? null, rivals: explanation?.rivals ?? [], wrong };
}

/** Rows of a board: each mean with what is published of its interval. */
const boardOf = (
  { names, scores }: ReturnType<typeof ratedStudy>,
  of: (xs: readonly number[], i: number) => Record<string, number>,
) =>
  names.map((stimulus, i) => ({
    stimulus,
    mean: shown(meanOf(scores[i]!)),
    ...Object.fromEntries(
      Object.entries(of(scores[i]!, i)).map(([field, value]) => [field, shown(value)]),
    ),
  }));

const normal = 1.959963984540054;
const normal99 = 2.5758293035489004;

describe("half widths by a formula", () => {
  const study = ratedStudy(9, 24, 5, true);
  const { evaluator, names } = study;
  test.each([
    { name: "interval=normal", half: (xs: readonly number[]) => normal * errorOf(xs) },
    { name: "sd=n interval=normal", half: (xs: readonly number[]) => normal * errorOf(xs, 0) },
    { name: "level=99 interval=normal", half: (xs: readonly number[]) => normal99 * errorOf(xs) },
  ])("$name is named, and a width 5 % too large is not explained by it", ({ name, half }) => {
    const right = said(
      evaluator,
      "stats",
      names,
      boardOf(study, (xs) => ({ ci: half(xs) })),
    );
    expect([right.name, ...right.rivals]).toContain(name);
    expect(right.wrong).toEqual([]);
    const one = boardOf(study, (xs, i) => ({ ci: (i === 4 ? 1.05 : 1) * half(xs) }));
    expect(said(evaluator, "stats", names, one)).toMatchObject({ name, wrong: [names[4]] });
    const all = boardOf(study, (xs) => ({ ci: 1.05 * half(xs) }));
    expect(said(evaluator, "stats", names, all).name).toBeNull();
  });

  test("widths clustered by rater are named", () => {
    const twice = ratedStudy(9, 24, 6);
    const { ratings } = twice.evaluator;
    const rater = ratings.rater.map((r) => Math.floor(r / 3));
    const clustered = createEvaluator({ ...ratings, rater });
    const board = boardOf(twice, (xs) => {
      const mean = meanOf(xs);
      const sums = Array.from({ length: 8 }, (_, r) =>
        xs.slice(3 * r, 3 * r + 3).reduce((sum, x) => sum + x - mean, 0),
      );
      const squares = sums.reduce((sum, x) => sum + x * x, 0);
      return { ci: (normal * Math.sqrt((squares * 8) / 7)) / 24 };
    });
    const { name, rivals } = said(clustered, "mean", twice.names, board);
    expect([name, ...rivals]).toContain("errors=clustered interval=normal");
  });
});

describe("intervals that somebody else drew", () => {
  const drawn = (items: number, seed: number, factor: number, draws = 1000) => {
    const study = ratedStudy(items, 30, seed);
    const random = seededRandom(1000 + seed);
    const board = boardOf(study, (xs) => {
      const { low, high } = drawnInterval(xs, draws, random);
      const mean = meanOf(xs);
      return { ci_low: mean + factor * (low - mean), ci_high: mean + factor * (high - mean) };
    });
    return said(study.evaluator, "stats", study.names, board);
  };

  test("agree within their Monte Carlo error, and are named so", () => {
    const found = Array.from({ length: isWhole ? 60 : 8 }, (_, seed) => drawn(20, seed, 1));
    expect(new Set(found.map(({ name }) => name))).toEqual(new Set(["interval=bootstrap_1000"]));
    expect(found.flatMap(({ wrong }) => wrong)).toEqual([]);
  });

  test("of 100 draws are not taken for those of 1,000", () => {
    expect(drawn(20, 3, 1, 100).name).toBe("interval=bootstrap_100");
  });

  test("are judged by how many are published, also where a formula gives one of them", () => {
    const study = ratedStudy(10, 30, 2);
    const random = seededRandom(11);
    const ends = study.evaluator.table("stats", own).columns.ci_low!;
    const board = boardOf(study, (xs, i) => {
      const { low, high } = drawnInterval(xs, 1000, random);
      return { ci_low: i === 6 ? ends[i]! : low, ci_high: high };
    });
    const found = said(study.evaluator, "stats", study.names, board);
    expect(found).toMatchObject({ name: "interval=bootstrap_1000", wrong: [] });
  });

  test("that are all 5 % too wide do not agree, by as many draws or by fewer", () => {
    const found = Array.from({ length: isWhole ? 8 : 3 }, (_, seed) => drawn(50, seed, 1.05));
    expect(found.map(({ name }) => name)).toEqual(found.map(() => null));
  });

  test("one end that is far off is unexplained", () => {
    const study = ratedStudy(20, 30, 7);
    const random = seededRandom(8);
    const board = boardOf(study, (xs, i) => {
      const { low, high } = drawnInterval(xs, 1000, random);
      return { ci_low: low, ci_high: i === 11 ? high + 0.3 * (high - low) : high };
    });
    expect(said(study.evaluator, "stats", study.names, board)).toMatchObject({
      name: "interval=bootstrap_1000",
      wrong: [study.names[11]],
    });
  });

  test("of a formula, with every width 5 % too large, are no draws", () => {
    const study = ratedStudy(20, 30, 9);
    const board = boardOf(study, (xs) => ({ ci: 1.05 * normal * errorOf(xs) }));
    expect(said(study.evaluator, "stats", study.names, board).name).toBeNull();
  });
});

describe("the intervals of a board of comparisons", () => {
  const ratings = syntheticRatings({ sessions: 120, items: 9, raters: 40, seed: 4 });
  const evaluator = createEvaluator(ratings);
  const names = evaluator.table("bradley_terry", own).items;
  const published = (columns: Table["columns"], shift: number, fields: readonly string[]) =>
    names.map((stimulus, i) => ({
      stimulus,
      ...Object.fromEntries(
        fields.map((field) => {
          const value = (400 / Math.LN10) * columns[field]![i]!;
          return [`rating_${field}`, (field === "half" ? value : shift + value).toFixed(2)];
        }),
      ),
    }));

  test("an Elo scale stretches and moves normal intervals with their ratings", () => {
    const { value, ci_low, ci_high } = evaluator.table("bradley_terry", own).columns;
    const columns = { value: value!, q025: ci_low!, q975: ci_high! };
    const board = published(columns, 1000, ["value", "q025", "q975"]).map(
      ({ rating_value, ...rest }: Record<string, string>) => ({ ...rest, rating: rating_value }),
    );
    expect(said(evaluator, "bradley_terry", names, board)).toMatchObject({
      name: "unit=elo_1000",
      wrong: [],
    });
  });

  const shares = (endsOf: (share: number, n: number) => readonly [number, number]) => {
    const { value, n } = evaluator.table("percent_chosen", own).columns;
    return names.map((stimulus, i) => {
      const [low, high] = endsOf(value![i]! / 100, n![i]!);
      return { stimulus, value: value![i], ci_low: 100 * low, ci_high: 100 * high };
    });
  };
  const around = (centre: number, n: number, z: number): [number, number] => {
    const half = z * Math.sqrt((centre * (1 - centre)) / n);
    return [centre - half, centre + half];
  };

  test("ends of shares by Wald's formula at another level are named", () => {
    const board = shares((share, n) => around(share, n, normal99));
    const { name, wrong } = said(evaluator, "percent_chosen", names, board);
    expect({ name, wrong }).toEqual({ name: "interval=wald level=99", wrong: [] });
  });

  test("ends of shares by a formula without a name are not taken for draws", () => {
    const board = shares((share, n) => {
      const more = n + normal ** 2;
      return around((share * n + normal ** 2 / 2) / more, more, normal);
    });
    expect(said(evaluator, "percent_chosen", names, board).name).toBeNull();
  });
});
