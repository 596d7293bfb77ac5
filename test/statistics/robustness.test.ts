import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { conventionsWith, defaultConventions } from "../../src/metrics/conventions.js";
import { onlineElo } from "../../src/metrics/elo/online-elo.js";
import { fewestToFlip, flipReasons, type Flip } from "../../src/statistics/kernels/robustness.js";
import {
  bayesianEloRule,
  bradleyTerryRule,
  eloRule,
  meanRule,
  percentChosenRule,
  type Rule,
  ruleVotes,
} from "../../src/statistics/kernels/rules.js";
import { seededRandom } from "../../src/platform/index.js";
import type { Row, Warehouse } from "../../src/warehouse/index.js";
import { loadCase, recomputeBehind } from "../support/load-case.js";
import { oracle } from "../support/oracle.js";
import { everyNth } from "../support/whole.js";

interface Game {
  readonly a: number;
  readonly b: number;
  readonly outcome: number;
}

const votesOf = (items: number, games: readonly Game[]) =>
  ruleVotes(items, {
    a: Int32Array.from(games, ({ a }) => a),
    b: Int32Array.from(games, ({ b }) => b),
    outcome: Int8Array.from(games, ({ outcome }) => outcome),
    session: Int32Array.from(games.keys()),
  });

const each = (rule: Rule) => ({ count: rule.classOf.length, votes: null });

/** Worths that differ by less are equal but for rounding: of these small studies the smallest true difference is 1e-4. */
const rounding = 1e-9;

/** The first k items, or null if the last of them is tied with the next. */
function firstOf(values: Float64Array, k: number): Set<number> | null {
  const order = [...values.keys()].sort((i, j) => values[j]! - values[i]!);
  return values[order[k - 1]!]! - values[order[k]!]! < rounding ? null : new Set(order.slice(0, k));
}

/** The size of the smallest set that changes the first k, by trying all; Infinity if none of up to `most` does. */
function smallest(rule: Rule, k: number, most: number): number {
  const top = firstOf(rule.values([])!, k)!;
  const isFlip = (leftOut: readonly number[]): boolean => {
    const values = rule.values(leftOut);
    if (values === null) return false;
    const inside = Math.min(...[...top].map((i) => values[i]!));
    return [...values.keys()].some((i) => !top.has(i) && values[i]! > inside + rounding);
  };
  const search = (leftOut: readonly number[], from: number, left: number): boolean => {
    if (left === 0) return isFlip(leftOut);
    for (let vote = from; vote < rule.classOf.length; vote++)
      if (search([...leftOut, vote], vote + 1, left - 1)) return true;
    return false;
  };
  for (let size = 1; size <= most; size++) if (search([], 0, size)) return size;
  return Infinity;
}

const food = (oracle("food") as { data: [string, string, "left" | "right" | "tie"][] }).data;

test("three of the thirty comparisons of food, and none with one or two, change the first", () => {
  const names = [...new Set(food.flatMap(([left, right]) => [left, right]))].sort();
  const outcome = { left: 1, right: -1, tie: 0 };
  const games = food.map(([left, right, winner]) => ({
    a: names.indexOf(left),
    b: names.indexOf(right),
    outcome: outcome[winner],
  }));
  const rule = bradleyTerryRule(votesOf(names.length, games), defaultConventions)!;
  expect(rule.classOf.length).toBe(30);
  const found = fewestToFlip(rule, each(rule), 1) as Flip;
  expect(found).toMatchObject({ isExact: true, units: { length: 3 } });
  expect(smallest(rule, 1, 3)).toBe(3);
});

function drawn(seed: number, n: number, items: number): Game[] {
  const random = seededRandom(seed);
  return Array.from({ length: n }, () => {
    const a = Math.floor(random() * items);
    const b = (a + 1 + Math.floor(random() * (items - 1))) % items;
    const chance = 1 / (1 + Math.exp(0.5 * (a - b)));
    return {
      a: Math.min(a, b),
      b: Math.max(a, b),
      outcome: random() < 0.15 ? 0 : (random() < chance ? 1 : -1) * (a < b ? 1 : -1),
    };
  });
}

const rules: [string, (seed: number) => Rule | null][] = [
  ["bradley_terry", (seed) => bradleyTerryRule(votesOf(4, drawn(seed, 26, 4)), defaultConventions)],
  ["bayesian_elo", (seed) => bayesianEloRule(votesOf(4, drawn(seed, 26, 4)), defaultConventions)],
  ["elo", (seed) => eloRule(votesOf(4, drawn(seed, 26, 4)), defaultConventions)],
  [
    "percent_chosen",
    (seed) => percentChosenRule(votesOf(4, drawn(seed, 26, 4)), defaultConventions),
  ],
  [
    "mean",
    (seed) => {
      const random = seededRandom(seed);
      const item = Int32Array.from({ length: 18 }, (_, i) => i % 3);
      return meanRule({
        items: 3,
        item,
        score: Float64Array.from(item, (own) => Math.floor(random() * 5) + own),
      });
    },
  ],
];

test.each(rules)("%s: what is called exact is, and what is called at most is enough", (_, make) => {
  let exact = 0;
  // Under seed 16 only the exhaustive search finds the smallest set of an online Elo.
  for (const seed of [...Array(12).keys(), 15].map((i) => i + 1)) {
    const rule = make(seed);
    if (rule === null) continue;
    for (const k of [1, 2]) {
      const found = fewestToFlip(rule, each(rule), k);
      if (typeof found === "number") continue;
      const size = smallest(rule, k, Math.min(3, found.units.length));
      if (found.isExact && found.units.length <= 3) {
        expect(found.units.length, `seed ${seed}, first ${k}`).toBe(size);
        exact++;
      } else expect(found.units.length).toBeGreaterThanOrEqual(Math.min(size, 4));
      const values = rule.values(found.units)!;
      expect(values[found.entering]!).toBeGreaterThan(values[found.leaving]!);
    }
  }
  expect(exact).toBeGreaterThan(4);
});

/** Outcomes of studies that compare each pair equally often: all of up to six votes, and some of more. */
function balanced(items: number, times: number): Game[][] {
  const pairs = Array.from({ length: items }, (_, b) =>
    Array.from({ length: b }, (__, a) => ({ a, b })),
  ).flat();
  const places = Array.from({ length: times }, () => pairs).flat();
  const random = seededRandom(items);
  const isListed = places.length <= 6;
  return Array.from({ length: isListed ? 3 ** places.length : 150 }, (_, study) =>
    places.map((pair, at) => ({
      ...pair,
      outcome: (isListed ? Math.floor(study / 3 ** at) % 3 : Math.floor(3 * random())) - 1,
    })),
  );
}

test.each([
  ["bradley_terry", bradleyTerryRule],
  ["bayesian_elo", bayesianEloRule],
  ["percent_chosen", percentChosenRule],
] as const)(
  "%s of balanced studies: equal values are tied, and every claim is that of all sets tried",
  (_, make) => {
    let tied = 0;
    let compared = 0;
    const most = 3;
    for (const [items, times] of [
      [3, 2],
      [4, 1],
      [4, 2],
    ] as const)
      for (const games of everyNth(balanced(items, times), 5)) {
        const rule = make(votesOf(items, games), defaultConventions);
        const values = rule?.values([]);
        if (!rule || !values) continue;
        for (const k of [1, 2]) {
          const found = fewestToFlip(rule, each(rule), k);
          const said = JSON.stringify({ games, k, found });
          if (firstOf(values, k) === null) {
            expect(found, said).toBe(flipReasons.tied);
            tied++;
            continue;
          }
          const size = smallest(rule, k, most);
          if (size <= most)
            expect(found, said).toMatchObject({ isExact: true, units: { length: size } });
          else
            expect(
              found === flipReasons.notFound || (found as Flip).units.length > most,
              said,
            ).toBe(true);
          compared++;
        }
      }
    expect(tied).toBeGreaterThan(50);
    expect(compared).toBeGreaterThan(50);
  },
);

test("the influence on an online Elo is that of leaving one vote out, to first order", () => {
  const games = drawn(3, 200, 4);
  const rule = eloRule(votesOf(4, games), defaultConventions);
  const influence = rule.influence(0, 1);
  const whole = rule.values([])!;
  for (const vote of [5, 90, 150, 199]) {
    const without = rule.values([vote])!;
    const fell = whole[0]! - whole[1]! - (without[0]! - without[1]!);
    // The second order of one update of 16 Elo or fewer.
    expect(Math.abs(influence[rule.classOf[vote]!]! - fell)).toBeLessThan(
      0.35 + 0.05 * Math.abs(fell),
    );
  }
});

test("an online Elo that replays only what it remembers is that of all votes", () => {
  const games = drawn(5, 6000, 4);
  const rule = eloRule(votesOf(4, games), defaultConventions);
  expect(rule.work).toBeLessThan(6000);
  for (const leftOut of [
    [],
    [5999, 5990, 5000, 4000, 10],
    Array.from({ length: 2000 }, (_, i) => 3 * i),
  ]) {
    const isLeftOut = new Set(leftOut);
    const kept = votesOf(
      4,
      games.filter((_, vote) => !isLeftOut.has(vote)),
    );
    const whole = onlineElo(4, kept, defaultConventions.elo).rating;
    rule.values(leftOut)!.forEach((value, item) => expect(value).toBeCloseTo(whole[item]!, 6));
  }
});

test.each(["count", "half", "exclude"] as const)(
  "the smallest set for shares with ties as %s is that of trying all",
  (ties) => {
    const conventions = conventionsWith({ ties: { percent_chosen: ties } });
    let found = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const rule = percentChosenRule(votesOf(3, drawn(seed, 14, 3)), conventions);
      const flip = fewestToFlip(rule, each(rule), 1);
      if (typeof flip === "number" || !flip.isExact || flip.units.length > 4) continue;
      expect(flip.units.length, `seed ${seed}`).toBe(smallest(rule, 1, 4));
      found++;
    }
    expect(found).toBeGreaterThan(15);
  },
);

test("nothing is said where places are tied or there is no fit", () => {
  const tied = meanRule({ items: 2, item: Int32Array.of(0, 1), score: Float64Array.of(1, 1) });
  expect(fewestToFlip(tied, each(tied), 1)).toBe(flipReasons.tied);
  expect(fewestToFlip(tied, each(tied), 2)).toBe(flipReasons.fewItems);
  expect(bradleyTerryRule(votesOf(2, [{ a: 0, b: 1, outcome: 1 }]), defaultConventions)).toBeNull();
});

describe("a set that the models name", () => {
  let warehouse: Warehouse;
  beforeAll(async () => {
    warehouse = await loadCase("codec-preference.json");
    await recomputeBehind(warehouse, ["robustness", "left_out", "lottery"]);
    await warehouse.all(
      "create table claims as from robustness; create table sets as from left_out; create table original as from ratings",
    );
  });
  afterAll(() => warehouse.close());

  const firstBy: Record<string, string> = {
    bradley_terry: "metric_bradley_terry",
    bayesian_elo: "metric_bayesian_elo",
    elo: "metric_elo",
    percent_chosen: "metric_percent_chosen",
    mean: "metric_mean",
  };
  const unitKeys: Record<string, string> = {
    vote: "slate_id",
    rater: "cast(rater_id as varchar)",
    session: "session_id",
  };

  const claims = Object.keys(firstBy).flatMap((kind) =>
    Object.keys(unitKeys).map((unit) => [kind, unit] as const),
  );
  test.each(everyNth(claims, 4))(
    "changes the first by %s in the ordinary models when its %ss are gone",
    async (kind, unit) => {
      const [claim] = await warehouse.all(
        `from claims where kind = '${kind}' and unit = '${unit}' and k = 1`,
      );
      expect(claim).toBeDefined();
      if (claim?.at_most === null) return;
      const own =
        `select ${unit}_id from sets where kind = '${kind}' and unit = '${unit}' and k = 1`.replace(
          "select vote_id",
          "select slate_id",
        );
      const listed = await warehouse.all(own);
      expect(listed.length).toBe(claim?.at_most);
      // A mean loses single scores, a comparison both.
      const gone =
        kind === "mean" && unit === "vote"
          ? `(slate_id, stimulus) in (select (slate_id, item_a) from sets where kind = 'mean' and unit = 'vote' and k = 1)`
          : `${unitKeys[unit]} in (${own})`;
      await warehouse.all(`create or replace table kept as from original where not coalesce(${gone}, false);
        create or replace view ratings as from kept`);
      await recomputeBehind(warehouse, [firstBy[kind]!]);
      const [first]: Row[] = await warehouse.all(
        `select item from ${firstBy[kind]} where source = '' order by value desc, item limit 1`,
      );
      await warehouse.all("create or replace view ratings as from original");
      expect(first?.item).toBe(claim?.entering);
    },
  );

  test("the probabilities of being first over orders of the sessions add up to one", async () => {
    const [row] = await warehouse.all(
      "select sum(probability_first) as total, count(*)::integer as n from lottery",
    );
    expect(row?.total).toBeCloseTo(1, 12);
    expect(row?.n).toBe(8);
  });
});
