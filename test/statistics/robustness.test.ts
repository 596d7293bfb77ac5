import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { placesByValue } from "../../src/metrics/numeric/arrays.js";
import { defaultConventions } from "../../src/metrics/conventions.js";
import { fewestToFlip, flipReasons, type Flip } from "../../src/statistics/kernels/robustness.js";
import { bradleyTerryRule, meanRule, type Rule } from "../../src/statistics/kernels/rules.js";
import { seededRandom } from "../../src/platform/index.js";
import { textOf, type Warehouse } from "../../src/warehouse/index.js";
import { loadCase, recomputeBehind } from "../support/load-case.js";
import { oracle } from "../support/oracle.js";
import { everyNth } from "../support/whole.js";

interface Game {
  readonly a: number;
  readonly b: number;
  readonly outcome: number;
}

const votesOf = (items: number, games: readonly Game[]) => ({
  items,
  a: Int32Array.from(games, ({ a }) => a),
  b: Int32Array.from(games, ({ b }) => b),
  outcome: Int8Array.from(games, ({ outcome }) => outcome),
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
  for (let seed = 1; seed <= 12; seed++) {
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

test("Bradley-Terry of balanced studies: equal values are tied, and every claim is that of all sets tried", () => {
  let tied = 0;
  let compared = 0;
  const most = 3;
  for (const [items, times] of [
    [3, 2],
    [4, 1],
    [4, 2],
  ] as const)
    for (const games of everyNth(balanced(items, times), 5)) {
      const rule = bradleyTerryRule(votesOf(items, games), defaultConventions);
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
          expect(found === flipReasons.notFound || (found as Flip).units.length > most, said).toBe(
            true,
          );
        compared++;
      }
    }
  expect(tied).toBeGreaterThan(50);
  expect(compared).toBeGreaterThan(50);
});

test("nothing is said where places are tied or there is no fit", () => {
  const tied = meanRule({ items: 2, item: Int32Array.of(0, 1), score: Float64Array.of(1, 1) });
  expect(fewestToFlip(tied, each(tied), 1)).toBe(flipReasons.tied);
  expect(fewestToFlip(tied, each(tied), 2)).toBe(flipReasons.fewItems);
  expect(bradleyTerryRule(votesOf(2, [{ a: 0, b: 1, outcome: 1 }]), defaultConventions)).toBeNull();
});

describe.each([
  ["bradley_terry", "codec-preference.json"],
  ["mean", "acr.json"],
])("a number of the model by %s", (kind, file) => {
  let warehouse: Warehouse;
  beforeAll(async () => {
    warehouse = await loadCase(file);
    await recomputeBehind(warehouse, ["robustness", "int_comparisons", "int_population"]);
    await warehouse.all(`create table claims as from robustness; create table original as from ratings;
      create table votes as from int_comparisons order by all;
      create table scores as from int_population where score is not null order by all`);
  });
  afterAll(() => warehouse.close());

  const unitKeys: Record<string, string> = {
    vote: "slate_id",
    rater: "cast(rater_id as varchar)",
    session: "session_id",
  };

  async function found(unit: string): Promise<string[]> {
    const rows = await warehouse.all(kind === "mean" ? "from scores" : "from votes");
    const column = (name: string) => rows.map((row) => textOf(row, name));
    const items = [
      ...new Set(kind === "mean" ? column("item") : [...column("item_a"), ...column("item_b")]),
    ];
    const indices = (name: string) => Int32Array.from(column(name), (item) => items.indexOf(item));
    const rule =
      kind === "mean"
        ? meanRule({
            items: items.length,
            item: indices("item"),
            score: Float64Array.from(rows, ({ score }) => Number(score)),
          })
        : bradleyTerryRule(
            {
              items: items.length,
              a: indices("item_a"),
              b: indices("item_b"),
              outcome: Int8Array.from(rows, ({ outcome }) => Number(outcome)),
            },
            defaultConventions,
          )!;
    const names =
      unit === "vote"
        ? rows.map(
            (row) =>
              `${textOf(row, "slate_id")}${kind === "mean" ? ` ${textOf(row, "stimulus")}` : ""}`,
          )
        : column(`${unit}_id`);
    const distinct = unit === "vote" ? names : [...new Set(names)];
    const unitOf = Int32Array.from(names, (name) => distinct.indexOf(name));
    const votes =
      unit === "vote" ? null : { unitOf, byUnit: placesByValue(unitOf, distinct.length) };
    const flip = fewestToFlip(rule, { count: distinct.length, votes }, 1) as Flip;
    return flip.units.map((own) => distinct[own]!);
  }

  test.each(Object.keys(unitKeys))(
    "changes the first in the ordinary models when so many %ss are gone",
    async (unit) => {
      const [claim] = await warehouse.all(
        `from claims where kind = '${kind}' and unit = '${unit}' and k = 1`,
      );
      const set = await found(unit);
      expect(set).toHaveLength(Number(claim?.at_most));
      // A mean loses single scores, a comparison both.
      const key =
        kind === "mean" && unit === "vote" ? "slate_id || ' ' || stimulus" : unitKeys[unit]!;
      const listed = set.map((name) => `'${name}'`).join(", ");
      await warehouse.all(`create or replace table kept as from original where not coalesce(${key}::varchar in (${listed}), false);
        create or replace view ratings as from kept`);
      const model = `metric_${kind}`;
      await recomputeBehind(warehouse, [model]);
      const [first] = await warehouse.all(
        `select item from ${model} where source = '' order by value desc, item limit 1`,
      );
      await warehouse.all("create or replace view ratings as from original");
      expect(first?.item).toBe(claim?.entering);
    },
  );
});
