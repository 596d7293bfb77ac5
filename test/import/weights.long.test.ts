import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { seededRandom } from "../../src/platform/index.js";
import { limitLines } from "../../src/report/findings.js";
import { auditorOfBoards } from "../support/audited-board.js";
import { folderOfTests } from "../support/folder.js";
import { recountHere } from "../support/in-process.js";
import { studyReader } from "../support/study-reader.js";

const folder = folderOfTests("recount-weights");
const { reportOf } = auditorOfBoards("recount-weight-boards");
const { readStudy, rowsOf, modelsOf } = studyReader("recount-weighted");

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

function filesOf(votes: readonly Vote[], weight = ", weight: weight") {
  const isWeighted = votes.some((vote) => vote.weight !== undefined);
  const columns = ["rater", "left", "right", "winner", "weight"] as const;
  const lines = votes.map((vote) => columns.map((column) => vote[column] ?? "").join(","));
  return {
    "votes.csv": [columns.join(","), ...lines, ""].join("\n"),
    "m.yaml": mapping.replace("WEIGHT", isWeighted ? weight : ""),
  };
}

const read = (votes: readonly Vote[], weight?: string) => {
  const files = filesOf(votes, weight);
  return readStudy(files["m.yaml"], files);
};

async function rowsWith(
  votes: readonly Vote[],
  queries: readonly string[],
  weight?: string,
): Promise<Row[][]> {
  const study = await read(votes, weight);
  expect(study.code).toBe(0);
  const make = await modelsOf(study);
  await make(queries.map((sql) => / from (\w+)/.exec(sql)?.[1] ?? ""));
  const found: Row[][] = [];
  for (const sql of queries) found.push((await rowsOf(sql)) as Row[]);
  return found;
}

const items = ["ash", "box", "elm", "fir", "oak"];

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

/** Errors of votes that are independent, and of places. */
const counted = [
  ...shared,
  "select item, std_error, n from metric_bradley_terry where source = '' order by item",
  "select item, rank, low, high from leaderboard where source = '' and kind = 'bradley_terry' order by item",
];

test.each([
  ["weight", shared],
  ["count", counted],
])("a vote of %s n gives the numbers of n votes", async (key, queries) => {
  const votes = drawnVotes(1, 90, wholeWeight);
  const weighted = await rowsWith(votes, queries, `, ${key}: weight`);
  const plain = await rowsWith(repeated(votes), queries);
  for (const [query, own] of weighted.entries()) {
    const other = plain[query]!;
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
  const [rows = []] = await rowsWith(votes, [
    "select std_error, clustered_std_error from metric_bradley_terry",
  ]);
  const correction = Math.sqrt(votes.length / (votes.length - 1));
  for (const { std_error: own, clustered_std_error: clustered } of rows)
    // Each rater has one vote, so both are the same but for the correction; 1e-12: rounding.
    expect((clustered as number) / (own as number) / correction).toBeCloseTo(1, 12);
});

test("a record of count n is n ratings; one that stands for none is skipped", async () => {
  const text = "item,score,n\na,1,1\na,2,10\na,3,13\na,4,15\na,5,1\nb,5,0\nc,1,x\nc,2,-1\n";
  const mapping =
    "{ study: { id: demo }, files: { d: d.csv }, ratings: { from: d, item: item, score: score, count: n } }";
  const { code, reasons } = await readStudy(mapping, { "d.csv": text });
  expect([code, reasons]).toEqual([
    2,
    [
      'd.csv, line 8: count (n): "x" is not a whole number.',
      'd.csv, line 9: count (n): "-1" is below 0.',
    ],
  ]);
  const sql =
    "select stimulus, round(avg(score), 3) as mos, round(stddev(score), 4) as sd, count(distinct slate_id)::int as n from ratings group by 1";
  expect(await rowsOf(sql)).toEqual([{ stimulus: "a", mos: 3.125, sd: 0.9111, n: 40 }]);
  const large = await readStudy(mapping, { "d.csv": text.replace("a,1,1", "a,1,10000001") });
  expect([large.code, large.said]).toEqual([4, expect.stringContaining("more than 10,000,000")]);
});

test("no number but online Elo depends on the order of the records, to the last bit", async () => {
  const votes = drawnVotes(3, 200, partWeight);
  const unordered = shared.filter((sql) => !sql.includes("metric_elo"));
  const inOrder = await rowsWith(votes, unordered);
  expect(await rowsWith(votes.toReversed(), unordered)).toEqual(inOrder);
});

test("weights that are no positive finite numbers go to quarantine with the reason", async () => {
  const votes = ["2", "0", "-1", "inf", "nan", "x", "", "1e400"].map((weight, i) => ({
    ...{ rater: `r${i}`, left: "ash", right: "box", winner: "left", weight },
  }));
  const { code, reasons } = await read(votes);
  expect([code, reasons]).toEqual([
    2,
    [
      'votes.csv, line 3: weight (weight): "0" is not above 0.',
      'votes.csv, line 4: weight (weight): "-1" is not above 0.',
      ...["inf", "nan", "x"].map((weight, i): unknown =>
        expect.stringContaining(
          `line ${5 + i}: weight (weight): "${weight}" is not a finite number.`,
        ),
      ),
      "votes.csv, line 8: weight: the cell is empty.",
      expect.stringContaining('line 9: weight (weight): "1e400" is not a finite number.'),
    ],
  ]);
  expect(await rowsOf("select stimulus, score from ratings order by all")).toEqual([
    { stimulus: "ash", score: 1 },
    { stimulus: "box", score: 0 },
  ]);
});

test("an import without weights writes no column for them, and pseudonyms keep weights and covariates", async () => {
  const [vote] = drawnVotes(4, 1, () => 2.5);
  const { rater, left, right, winner } = vote!;
  await read([{ rater, left, right, winner }]);
  expect(await rowsOf("select distinct _meta from ratings")).toEqual([{ _meta: null }]);
  const path = (name: string) => join(folder, name);
  const files = filesOf([vote!], ", weight: weight, covariates: [weight]");
  for (const [name, text] of Object.entries({ ...files, key: "k".repeat(64) }))
    writeFileSync(path(name), text);
  const lake = ["--lake", path("lake")];
  const pseudonyms = ["--pseudonymise", "--pseudonym-key-file", path("key")];
  const { code, stderr } = await recountHere(["import", path("m.yaml"), ...lake, ...pseudonyms]);
  expect([code, stderr]).toEqual([0, ""]);
  const sql =
    "select distinct r._meta, c.weight from ratings as r, int_comparisons as c order by all";
  const { stdout } = await recountHere(["query", ...lake, "--format", "json", sql]);
  expect(JSON.parse(stdout)).toEqual([
    { _meta: '{"recount_weight":2.5,"recount_covariates":{"weight":2.5}}', weight: 2.5 },
    { _meta: '{"recount_weight":2.5}', weight: 2.5 },
  ]);
});

test("an audit of weighted votes names what does not know weights", async () => {
  const notes = async (edit: (mapping: string) => string) =>
    limitLines(await reportOf("weights/w.yaml", { "w.yaml": edit })).join("\n");
  expect(await notes((mapping) => mapping)).toContain("count each vote once");
  const without = (mapping: string) => mapping.replaceAll(/, weight: .*\}(?= \}$)/gm, "");
  expect(await notes(without)).not.toContain("count each vote once");
});

test.each(["0", "-3", "x", "1e999"])("refuses %s as a weight of a mapping", async (key) => {
  const weight = `, weight: { column: winner, values: { "${key}": left } }`;
  const { code, said } = await read(
    drawnVotes(5, 1, () => 1),
    weight,
  );
  expect(code).toBe(4);
  expect(said).toContain(
    `comparisons.weight.values must have numbers above 0 as keys, for example 3: ["A>>B"], not ${JSON.stringify(key)}.`,
  );
});
