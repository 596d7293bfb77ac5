/** Belief never falls when a further number agrees: another column, or another decimal. */
import { describe, expect, test } from "vitest";
import { createEvaluator, type Evaluator } from "../../src/audit/recompute/evaluator.js";
import { hypothesesFor, type Hypothesis } from "../../src/audit/recompute/hypotheses.js";
import { scenarioUnder, search } from "../../src/audit/explain/search.js";
import { explain } from "../../src/audit/explain/find-cause.js";
import type { Kind } from "../../src/metrics/kinds.js";
import { own, publishedAs, syntheticRatings } from "../support/audit/synthetic-ratings.js";
import { told } from "../support/audited-board.js";
import { studyReader } from "../support/study-reader.js";
import { everyNth } from "../support/whole.js";

describe("shares of 60 votes that leave 14 ties out", () => {
  const { readStudy, auditOf } = studyReader("recount-agreement");
  const votes = { left: 19, right: 27, tie: 14 };
  const lines = Object.entries(votes).flatMap(([winner, count]) =>
    Array<string>(count).fill(`base,new,${winner}`),
  );
  // Ends of Clopper and Pearson by scipy.
  const board = "system,share,low,high,n\nbase,41.30,27.00,56.77,46\nnew,58.70,43.23,73.00,46\n";
  const ends = "ci_low: low, ci_high: high";
  test.each([
    ["value: share", 2, "ties=exclude"],
    ["value: share, n: n", 4, "ties=exclude"],
    [`value: share, ${ends}`, 6, "ties=exclude interval=exact"],
    [`value: share, n: n, ${ends}`, 8, "ties=exclude interval=exact"],
  ])("are understood: %s", async (fields, numbers, name) => {
    const mapping = `preset: evalica
study: { id: ab }
files: { votes: ab.csv, board: board.csv }
published:
  - { kind: percent_chosen, from: board, item: system, fields: { ${fields} } }
`;
    const csv = ["left,right,winner", ...lines].join("\n");
    const study = await readStudy(mapping, { "ab.csv": csv, "board.csv": board });
    const { rows } = await auditOf(study);
    expect([rows.length, told(rows)]).toEqual([numbers, [`unstated: ${name}`]]);
  });
});

const studies = [
  [3, 2],
  [4, 3],
  [8, 2],
  [8, 5],
  [30, 6],
].map(([sessions = 0, items = 0], i) => ({
  size: `${items} items, ${sessions} sessions`,
  evaluator: createEvaluator(syntheticRatings({ sessions, items, raters: sessions, seed: i + 1 })),
}));

/** Columns, each beside those before it. */
const columns = {
  win_loss: [["wins"], ["n"], ["losses", "ties"]],
  percent_chosen: [["value"], ["n"], ["ci_low", "ci_high"]],
  elo: [["value"], ["n"]],
  bradley_terry: [["value"], ["n"], ["ci_low", "ci_high"]],
  mean: [["value"], ["n"]],
  stats: [["mean"], ["std"], ["n"], ["ci_low", "ci_high"]],
} as const;

const decimals = [0, 1, 2, 4, 6];

/** A map of all numbers is tried from what a board shows. */
const isOfRatings = ({ axis }: Hypothesis): boolean =>
  !["relative", "unit", "rounding", "sign", "scale"].includes(axis);

/** Where it is explained as planted, and no longer with more decimals or columns. */
function fallsOf(kind: Kind, evaluator: Evaluator, planted: readonly Hypothesis[]): string[] {
  const names = planted.map(({ name }) => name);
  const table = evaluator.table(kind, scenarioUnder(own, planted));
  const added = columns[kind as keyof typeof columns].filter((some) =>
    some.every((field) => field in table.columns),
  );
  const found = added.map((_, i) =>
    decimals.map((places) => {
      const fields = added.slice(0, i + 1).flat();
      const { explanation } = explain(
        search({ target: publishedAs(kind, table, places, fields), evaluator, own }),
      );
      const all = explanation === null ? [] : [explanation.name, ...explanation.rivals];
      const isTrue = all.some((name) => name.split(" ").every((word) => names.includes(word)));
      return { isNone: explanation === null, isTrue, says: `${fields.join()} at ${places}` };
    }),
  );
  return found.flatMap((row, i) =>
    row.flatMap((one, j) =>
      [found[i + 1]?.[j], row[j + 1]].flatMap((more) =>
        one.isTrue && more?.isNone === true
          ? `${names.join(" ")}: ${one.says}, but not ${more.says}`
          : [],
      ),
    ),
  );
}

const cases = studies.flatMap(({ size, evaluator }) =>
  Object.keys(columns).map((kind) => [`${kind}, ${size}`, kind as Kind, evaluator] as const),
);
test.each(cases)("what is explained stays so beside more that agrees: %s", (_, kind, evaluator) => {
  const all = hypothesesFor(kind, own, {
    ratings: evaluator.ratings,
    dimension: "",
    source: "",
  }).filter(isOfRatings);
  const ends = all.filter(({ axis }) => axis === "interval" || axis === "level");
  const others = all.filter((one) => !ends.includes(one));
  const pairs = others.flatMap((one) => ends.map((end) => [one, end]));
  const planted = everyNth([...all.map((one) => [one]), ...pairs], 24);
  const falls = planted.flatMap((some) => fallsOf(kind, evaluator, some));
  expect(falls).toEqual([]);
});
