/** Weights of comparisons, from the file to the numbers: a vote of weight 3 is three votes. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { seededRandom } from "../../src/platform/index.js";
import { folderOfTests } from "../support/folder.js";
import { recountHere } from "../support/in-process.js";

const folder = folderOfTests("recount-weights");

interface Vote {
  readonly rater: string;
  readonly left: string;
  readonly right: string;
  readonly winner: string;
  readonly weight?: string;
}

type Row = Readonly<Record<string, string | number | null>>;

const mapping = `
study: { id: demo, type: pairwise_text }
files: { votes: votes.csv }
comparisons:
  - { from: votes, key: [], rater: rater, left: left, right: right, winner: { column: winner, values: { left: left, right: right, tie: tie } } WEIGHT }
`;

/** A lake of its own with these votes. */
function studyOf(name: string, votes: readonly Vote[], weight = ", weight: weight") {
  const own = join(folder, name);
  mkdirSync(own);
  const isWeighted = votes.some((vote) => vote.weight !== undefined);
  const columns = ["rater", "left", "right", "winner", "weight"] as const;
  const lines = votes.map((vote) => columns.map((column) => vote[column] ?? "").join(","));
  writeFileSync(join(own, "votes.csv"), [columns.join(","), ...lines, ""].join("\n"));
  writeFileSync(join(own, "m.yaml"), mapping.replace("WEIGHT", isWeighted ? weight : ""));
  const lake = join(own, "lake");
  const run = (...flags: string[]) =>
    recountHere(["import", join(own, "m.yaml"), "--lake", lake, ...flags]);
  const rowsOf = async (sql: string): Promise<Row[]> => {
    const asked = ["query", "--lake", lake, "--format", "json", sql];
    const { stdout, stderr } = await recountHere(asked);
    expect(stderr).toBe("");
    return JSON.parse(stdout) as Row[];
  };
  return { own, lake, run, rowsOf };
}

const items = ["ash", "box", "elm", "fir", "oak"];

/** Votes between the items, several by each rater, with a weight that `weightAt` draws. */
function drawnVotes(seed: number, n: number, weightAt: (random: number) => number): Vote[] {
  const random = seededRandom(seed);
  return Array.from({ length: n }, (_, i) => {
    const left = Math.floor(random() * items.length);
    const right = (left + 1 + Math.floor(random() * (items.length - 1))) % items.length;
    const chance = 1 / (1 + Math.exp((left - right) / 2));
    const draw = random();
    return {
      rater: `r${100 + (i % 12)}`,
      left: items[left]!,
      right: items[right]!,
      winner: draw < 0.15 ? "tie" : random() < chance ? "left" : "right",
      weight: String(weightAt(random())),
    };
  });
}

const repeated = (votes: readonly Vote[]): Vote[] =>
  votes.flatMap(({ weight, ...vote }) => Array<Vote>(Number(weight)).fill(vote));

const wholeWeight = (random: number): number => 1 + Math.floor(random * 4);
const partWeight = (random: number): number => [0.1, 0.7, 1, 1 / 3, 2.5][Math.floor(random * 5)]!;

/** What a weight of n has in common with n votes; errors of single votes have not. */
const shared = [
  "select item, wins, losses, ties, n from metric_win_loss where source = '' order by item",
  "select item, value, n from metric_percent_chosen where source = '' order by item",
  "select item, value, comparisons from metric_elo where source = '' order by item",
  "select item, value, wins, n, p025, p975 from metric_bayesian_elo where source = '' order by item",
  "select item, value, wins, n, clustered_std_error from metric_bradley_terry where source = '' order by item",
  "select item, low, high from leaderboard where kind = 'percent_chosen' and source = '' order by item",
  "select item_1, item_2, difference, std_error, p from differences where estimate = 'bradley_terry' order by item_1, item_2",
];

test("a vote of weight n gives the numbers of n votes", async () => {
  const votes = drawnVotes(1, 90, wholeWeight);
  const weighted = studyOf("weighted", votes);
  const plain = studyOf("repeated", repeated(votes));
  for (const { run } of [weighted, plain]) expect((await run()).code).toBe(0);
  for (const sql of shared) {
    const [own, other] = [await weighted.rowsOf(sql), await plain.rowsOf(sql)];
    expect(own).toHaveLength(other.length);
    expect(own.length).toBeGreaterThan(3);
    other.forEach((row, i) => {
      for (const [name, value] of Object.entries(row))
        // 1e-9 relative: sums in another order, and fits that stop within 1e-12.
        if (typeof value === "number")
          expect(Math.abs((own[i]![name] as number) - value)).toBeLessThanOrEqual(
            1e-9 * Math.max(1, Math.abs(value)),
          );
        else expect(own[i]![name]).toBe(value);
    });
  }
});

test("a vote is one, whatever its weight, in errors that take votes as independent", async () => {
  const votes = drawnVotes(2, 80, partWeight).map((vote, i) => ({ ...vote, rater: `r${i}` }));
  const { run, rowsOf } = studyOf("clusters", votes);
  expect((await run()).code).toBe(0);
  const rows = await rowsOf("select std_error, clustered_std_error from metric_bradley_terry");
  const correction = Math.sqrt(votes.length / (votes.length - 1));
  for (const { std_error: own, clustered_std_error: clustered } of rows)
    // Each rater has one vote, so both are the same but for the correction; 1e-12: rounding.
    expect((clustered as number) / (own as number) / correction).toBeCloseTo(1, 12);
});

test("no number but online Elo depends on the order of the records, to the last bit", async () => {
  const votes = drawnVotes(3, 200, partWeight);
  const one = studyOf("in-order", votes);
  const other = studyOf("reversed", votes.toReversed());
  for (const { run } of [one, other]) expect((await run()).code).toBe(0);
  const unordered = shared.filter((sql) => !sql.includes("metric_elo"));
  for (const sql of unordered) expect(await one.rowsOf(sql), sql).toEqual(await other.rowsOf(sql));
});

test("weights that are no positive finite numbers go to quarantine with the reason", async () => {
  const votes = ["2", "0", "-1", "inf", "nan", "x", "", "1e400"].map((weight, i) => ({
    ...{ rater: `r${i}`, left: "ash", right: "box", winner: "left", weight },
  }));
  const { run, rowsOf } = studyOf("odd", votes);
  const { code, stderr } = await run();
  expect(code).toBe(2);
  expect(stderr).toContain('votes.csv, line 3: weight (weight): "0" is not above 0.');
  expect(await rowsOf("select wins, n from metric_win_loss where item = 'ash'")).toEqual([
    { wins: 2, n: 2 },
  ]);
});

test("an import without weights writes no column for them, and pseudonyms keep weights and covariates", async () => {
  const [vote] = drawnVotes(4, 1, () => 2.5);
  const { rater, left, right, winner } = vote!;
  const without = studyOf("without", [{ rater, left, right, winner }]);
  await without.run();
  expect(await without.rowsOf("select distinct _meta from ratings")).toEqual([{ _meta: null }]);
  const own = studyOf("pseudonyms", [vote!], ", weight: weight, covariates: { twice: weight }");
  const key = join(own.own, "key");
  writeFileSync(key, "k".repeat(64));
  const { code, stderr } = await own.run("--pseudonymise", "--pseudonym-key-file", key);
  expect([code, stderr]).toEqual([0, ""]);
  expect(await own.rowsOf("select distinct _meta from ratings order by all")).toEqual([
    { _meta: '{"recount_weight":2.5,"recount_covariates":{"twice":2.5}}' },
    { _meta: '{"recount_weight":2.5}' },
  ]);
  expect(await own.rowsOf("select weight from int_comparisons")).toEqual([{ weight: 2.5 }]);
});

test("an audit of weighted votes names what does not know weights", async () => {
  const own = join(folder, "board");
  cpSync(join(import.meta.dirname, "boards/weights"), own, { recursive: true });
  const without = readFileSync(join(own, "w.yaml"), "utf8").replaceAll(
    /, weight: .*\}(?= \}$)/gm,
    "",
  );
  writeFileSync(join(own, "plain.yaml"), without);
  const note = "count each vote once";
  for (const [name, isTold] of [
    ["w", true],
    ["plain", false],
  ] as const) {
    const lake = join(own, name);
    await recountHere(["import", join(own, `${name}.yaml`), "--lake", lake]);
    const { stdout } = await recountHere(["audit", "--lake", lake]);
    expect(stdout.replaceAll(/\s+/g, " ").includes(note)).toBe(isTold);
  }
});

test.each(["0", "-3", "x", "1e999"])("refuses %s as a weight of a mapping", async (key) => {
  const weight = `, weight: { column: winner, values: { "${key}": left } }`;
  const { run } = studyOf(
    `refused-${key}`,
    drawnVotes(5, 1, () => 1),
    weight,
  );
  const { code, stderr } = await run();
  expect(code).toBe(4);
  expect(stderr).toContain(
    `comparisons.weight.values must have numbers above 0 as keys, for example 3: ["A>>B"], not ${JSON.stringify(key)}.`,
  );
});
