import { describe, expect, test } from "vitest";
import { createEvaluator, type Evaluator } from "../../src/audit/recompute/evaluator.js";
import { ownScenario, patched } from "../../src/audit/recompute/scenario.js";
import { compareNumbers } from "../../src/audit/compare/compare.js";
import { explain, findCause } from "../../src/audit/explain/find-cause.js";
import { search } from "../../src/audit/explain/search.js";
import { findingOf } from "../../src/audit/judge/finding.js";
import type { Acceptance } from "../../src/audit/explain/names.js";
import { judge } from "../../src/audit/judge/judge.js";
import { targetOf } from "../../src/audit/compare/target.js";
import {
  conventionsWith,
  type Conventions,
  type Table,
  type Kind,
} from "../../src/metrics/index.js";
import { seededRandom, type Random } from "../../src/platform/random.js";
import { auditSettings } from "../support/audit/settings.js";
import { madeUpGroup, own, syntheticRatings } from "../support/audit/synthetic-ratings.js";
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

interface Stating {
  readonly options?: object;
  readonly accept?: readonly Acceptance[];
  readonly conventions?: Conventions;
}

function said(
  evaluator: Evaluator,
  kind: Kind,
  names: readonly string[],
  scores: readonly object[],
  { options, accept = [], conventions = auditSettings.conventions }: Stating = {},
) {
  const group = madeUpGroup(kind, scores, names, options);
  const values = evaluator.table(kind, ownScenario(conventions, "", ""));
  const target = targetOf(group, kind, auditSettings.tolerances);
  const numbers = compareNumbers(target, values);
  const settings = { ...auditSettings, conventions, accept };
  const found = findCause([{ target, numbers }], evaluator, settings);
  const { explanation } = found.cause;
  const told = found.numbers.map((number) => ({ ...number, ...judge(number) }));
  const with_ = (verdict: string) => told.filter((number) => number.verdict === verdict);
  return {
    name: explanation?.name ?? null,
    rivals: explanation?.rivals ?? [],
    verdict: findingOf(found)?.verdict ?? "inconclusive",
    wrong: with_("unexplained").map(({ item }) => item),
    open: with_("inconclusive"),
    explained: with_("explained").length,
  };
}

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

  test("1.96 standard errors of one rating are none", () => {
    const one = ratedStudy(3, 5, 5, true);
    const scenario = patched(own, { conventions: { stats: { sd: "n" } }, form: "1.96" });
    const { ci_low, mean } = one.evaluator.table("stats", scenario).columns;
    expect(ci_low![2]).toBe(mean![2]);
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

type Ends = ReturnType<typeof drawnInterval>;
interface Drawing {
  readonly draws?: number;
  readonly changed?: (ends: Ends, mean: number, i: number) => Ends;
}

describe("intervals that somebody else drew", () => {
  const boardOfDraws = (
    study: ReturnType<typeof ratedStudy>,
    seed: number,
    { draws = 1000, changed = (ends) => ends }: Drawing = {},
  ) => {
    const random = seededRandom(1000 + seed);
    return boardOf(study, (xs, i) => {
      const { low, high } = changed(drawnInterval(xs, draws, random), meanOf(xs), i);
      return { ci_low: low, ci_high: high };
    });
  };
  const wider = ({ low, high }: Ends, mean: number): Ends => ({
    low: mean + 1.05 * (low - mean),
    high: mean + 1.05 * (high - mean),
  });
  const stated = { options: { bootstrap_samples: 1000 } };
  const study = ratedStudy(20, 30, 7);

  test("agree within their Monte Carlo error if the options state the draws", () => {
    const found = Array.from({ length: isWhole ? 60 : 8 }, (_, seed) => {
      const own = ratedStudy(20, 30, seed);
      return said(own.evaluator, "stats", own.names, boardOfDraws(own, seed), stated);
    });
    expect(new Set(found.map(({ name }) => name))).toEqual(new Set(["bootstrap_samples=1000"]));
    expect(new Set(found.map(({ verdict }) => verdict))).toEqual(new Set(["explained"]));
    expect(found.flatMap(({ wrong }) => wrong)).toEqual([]);
  });

  const accept = [
    { experiment: "*", kind: "*", reason: "a paper", convention: "interval=bootstrap_1000" },
  ];
  const conventions = conventionsWith({ stats: { interval: "bootstrap" } });

  test("agree if a person accepts the draws, or the run's own conventions draw", () => {
    const board = boardOfDraws(study, 1);
    expect(said(study.evaluator, "stats", study.names, board, { accept })).toMatchObject({
      name: "interval=bootstrap_1000",
      verdict: "explained",
      wrong: [],
      open: [],
    });
    for (const options of [{}, stated.options])
      expect(
        said(study.evaluator, "stats", study.names, board, { conventions, options }),
      ).toMatchObject({ name: null, wrong: [], open: [] });
  });

  test.each([
    { how: "stated", stating: stated, found: 1 },
    { how: "accepted", stating: { accept }, found: 1 },
    { how: "drawn by the run too", stating: { conventions }, found: 1 },
    // Without the number of draws, their error has to be read from the board.
    { how: "of unknown draws", stating: {}, found: 0.6 },
  ])(
    "one that is narrowed by 40 % is unexplained beside the others, $how",
    ({ stating, found }) => {
      const changed = ({ low, high }: Ends, mean: number, i: number): Ends => {
        const by = i === 3 ? 0.6 : 1;
        return { low: mean + by * (low - mean), high: mean + by * (high - mean) };
      };
      const seeds = Array.from({ length: isWhole ? 40 : 5 }, (_, seed) => seed);
      const wrong = seeds.map((seed) => {
        const { names, ...of } = ratedStudy(20, 30, seed);
        const board = boardOfDraws({ names, ...of }, seed, { changed });
        return new Set(said(of.evaluator, "mean", names, board, stating).wrong);
      });
      const isRight = (own: ReadonlySet<string>): boolean => own.has(study.names[3]!);
      expect(wrong.filter(isRight).length).toBeGreaterThanOrEqual(found * seeds.length);
      expect(wrong.flatMap((own) => [...own]).every((item) => item === study.names[3])).toBe(true);
    },
  );

  test("of a few items tell nothing of each other", () => {
    for (let items = 3; items < 10; items++) {
      const { names, ...of } = ratedStudy(items, 20, items);
      const board = boardOfDraws({ names, ...of }, items);
      expect(said(of.evaluator, "mean", names, board)).toMatchObject({
        verdict: "inconclusive",
        wrong: [],
      });
    }
  });

  test("are judged by how many are published, also where a formula gives one of them", () => {
    const few = ratedStudy(10, 30, 2);
    const ends = few.evaluator.table("stats", own).columns.ci_low!;
    const changed = ({ low, high }: Ends, _: number, i: number): Ends => ({
      low: i === 6 ? ends[i]! : low,
      high,
    });
    const board = boardOfDraws(few, 2, { changed });
    expect(said(few.evaluator, "stats", few.names, board, stated)).toMatchObject({
      name: "bootstrap_samples=1000",
      wrong: [],
    });
  });

  test("that are all 5 % too wide do not agree", () => {
    for (let seed = 0; seed < (isWhole ? 8 : 1); seed++) {
      const { names, ...of } = ratedStudy(50, 30, seed);
      const board = boardOfDraws({ names, ...of }, seed, { changed: wider });
      const group = madeUpGroup("stats", board, names, stated.options);
      const target = targetOf(group, "stats", auditSettings.tolerances);
      expect(explain(search({ target, evaluator: of.evaluator, own })).explanation).toBeNull();
    }
  });

  test("one end that is far off is unexplained", () => {
    const changed = ({ low, high }: Ends, _: number, i: number): Ends => ({
      low,
      high: i === 11 ? high + 0.3 * (high - low) : high,
    });
    const board = boardOfDraws(study, 8, { changed });
    expect(said(study.evaluator, "stats", study.names, board, stated)).toMatchObject({
      name: "bootstrap_samples=1000",
      wrong: [study.names[11]],
    });
  });

  test.each([1000, 100])("%i times, as nobody states, are inconclusive", (draws) => {
    const board = boardOfDraws(study, 3, { draws });
    const { name, verdict, wrong, open } = said(study.evaluator, "stats", study.names, board);
    expect({ name, verdict, wrong }).toEqual({ name: null, verdict: "inconclusive", wrong: [] });
    expect(open.length).toBeGreaterThan(30);
    for (const { explanation } of open)
      expect(explanation).toMatch(
        /^no formula gives these ends; those of 1,000 draws would differ by up to ± 0\.0[345]\d*$/,
      );
  });

  test.each([
    ["20 items", study],
    ["8 items, which do not show how draws scatter", ratedStudy(8, 40, 5)],
  ])("a false value, and an end where draws put none, are unexplained beside them: %s", (_, of) => {
    const changed = ({ low, high }: Ends, mean: number, i: number): Ends => {
      if (i === 4) return { low: mean - 12 * (mean - low), high };
      return i === 7 ? { low, high: mean - 0.01 } : { low, high };
    };
    const board = boardOfDraws(of, 4, { changed }).map((row, i) =>
      i === 2 ? { ...row, mean: shown(Number(row.mean) + 0.1) } : row,
    );
    const { verdict, wrong, open } = said(of.evaluator, "stats", of.names, board);
    expect(verdict).toBe("unexplained");
    // Without its middle, nothing can be said of an end.
    expect([...new Set(wrong)]).toEqual([2, 4, 7].map((i) => of.names[i]));
    expect(open.length).toBeGreaterThan(of.names.length);
  });

  test("widths of a formula that are all 5 % too large are inconclusive too", () => {
    const board = boardOf(study, (xs) => ({ ci: 1.05 * normal * errorOf(xs) }));
    const { open, wrong } = said(study.evaluator, "stats", study.names, board);
    expect(wrong).toEqual([]);
    expect(open).toHaveLength(20);
    expect(open[0]?.explanation).toContain("no formula gives these widths");
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
      name: "unit=elo",
      wrong: [],
    });
  });

  test("ratings on an Elo scale are explained beside ends that no formula gives", () => {
    const { value, ci_low, ci_high } = evaluator.table("bradley_terry", own).columns;
    const random = seededRandom(5);
    const moved = (ends: Float64Array) =>
      ends.map((end, i) => value![i]! + (0.9 + 0.1 * random()) * (end - value![i]!));
    const columns = { value: value!, low: moved(ci_low!), high: moved(ci_high!) };
    const board = published(columns, 1000, ["value", "low", "high"]).map(
      ({ rating_value, rating_low, rating_high, ...rest }: Record<string, string>) => ({
        ...rest,
        rating: rating_value,
        ci_low: rating_low,
        ci_high: rating_high,
      }),
    );
    const options = { unit: "elo_1000" };
    const found = said(evaluator, "bradley_terry", names, board, { options });
    expect(found).toMatchObject({ name: "unit=elo_1000", explained: 9, wrong: [] });
    expect(found.open).toHaveLength(18);
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
  const wilson = (p: number, n: number, sign: 1 | -1): number => {
    const half = normal * Math.sqrt((p * (1 - p)) / n + (normal / (2 * n)) ** 2);
    return (p + normal ** 2 / (2 * n) + sign * half) / (1 + normal ** 2 / n);
  };
  const more = normal ** 2;
  test.each<[string, Parameters<typeof shares>[0]]>([
    ["interval=wald level=99", (share, n) => around(share, n, normal99)],
    [
      "interval=agresti_coull",
      (share, n) => around((share * n + more / 2) / (n + more), n + more, normal),
    ],
    [
      "interval=wilsoncc",
      (share, n) => [wilson(share - 0.5 / n, n, -1), wilson(share + 0.5 / n, n, 1)],
    ],
  ])("ends of shares by the formula of %s are named", (says, endsOf) => {
    const { name, wrong } = said(evaluator, "percent_chosen", names, shares(endsOf));
    expect({ name, wrong }).toEqual({ name: says, wrong: [] });
  });
});
