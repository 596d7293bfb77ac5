/** Boards with style control, as arenas publish them: votes and covariates imported, ratings audited. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderOfTests } from "../support/folder.js";
import { recountHere } from "../support/in-process.js";
import { styleOracle } from "../support/style-oracle.js";

const folder = folderOfTests("recount-style");
const { models, votes, plain_stopped: plain, reweighted_stopped: reweighted } = styleOracle;

const covariates = `covariates: {
  tokens: { left: tokens_a, right: tokens_b },
  lists: { left: lists_a, right: lists_b } }`;

const mapping = (more: string): string => `
study: { id: arena, type: pairwise_text }
files: { votes: votes.csv, board: board.csv }
comparisons:
  - from: votes
    key: []
    left: left
    right: right
    winner: { column: winner, values: { left: model_a, right: model_b, tie: tie } }
    ${more}
published:
  - { kind: bradley_terry, from: board, item: model, value: rating }
`;

const header = "left,right,winner,tokens_a,tokens_b,lists_a,lists_b";

let studies = 0;

/** Imports votes and audits ratings of the models, with one decimal as boards have them. */
async function audited(
  ratings: readonly number[],
  more = covariates,
  rows: readonly string[] = votes.map((vote) => vote.join(",")),
) {
  const own = join(folder, String(studies++));
  mkdirSync(own);
  const board = models.map((model, i) => `${model},${ratings[i]!.toFixed(1)}`);
  writeFileSync(join(own, "votes.csv"), [header, ...rows, ""].join("\n"));
  writeFileSync(join(own, "board.csv"), ["model,rating", ...board, ""].join("\n"));
  writeFileSync(join(own, "m.yaml"), mapping(more.replaceAll("\n", " ")));
  const lake = join(own, "lake");
  const imported = await recountHere(["import", join(own, "m.yaml"), "--lake", lake]);
  if (imported.code === 4) return { imported, lake, told: [] };
  await recountHere(["audit", "--lake", lake, "--json", join(own, "audit.json")]);
  const { default: report } = (await import(join(own, "audit.json"), {
    with: { type: "json" },
  })) as {
    default: { rows: { verdict: string; explanation: string | null }[] };
  };
  const told = report.rows.map(({ verdict, explanation }) => `${verdict}: ${explanation ?? ""}`);
  return { imported, lake, told: [...new Set(told)] };
}

test.each([
  ["controlled", plain],
  ["controlled_reweighted", reweighted],
])("ratings of arena-rank are found to be style=%s", async (name, { ratings }) => {
  const { told } = await audited(ratings);
  expect(told).toEqual([`unstated: style=${name} unit=elo_1000`]);
});

test("without covariates the same ratings are not explained by style", async () => {
  const { told } = await audited(plain.ratings, "");
  expect(told.join()).not.toContain("style=");
});

test("one wrong rating of a board with style control is named", async () => {
  const wrong = plain.ratings.map((rating, i) => (i === 2 ? rating + 3 : rating));
  const { told } = await audited(wrong);
  expect(told.toSorted()).toEqual([
    expect.stringContaining("unexplained"),
    "unstated: style=controlled unit=elo_1000",
  ]);
});

test("a record whose covariate is no number goes to quarantine with the reason", async () => {
  const rows = ["ash,box,model_a,10,x,1,2", "ash,box,model_b,10,20,0,0", "box,ash,tie,30,10,1,"];
  const { imported, lake } = await audited(plain.ratings, covariates, rows);
  expect(imported.code).toBe(2);
  expect(imported.stderr).toContain(
    'votes.csv, line 2: covariates (tokens_b): "x" is not a finite number.',
  );
  const asked = [
    "query",
    "--lake",
    lake,
    "--format",
    "json",
    "select stimulus, _meta from ratings order by all",
  ];
  expect(JSON.parse((await recountHere(asked)).stdout)).toEqual([
    { stimulus: "ash", _meta: '{"recount_covariates":{"tokens":-0.3333333333333333,"lists":0.0}}' },
    { stimulus: "box", _meta: null },
  ]);
});

test("refuses a covariate that the file lacks, or of a name with other signs", async () => {
  for (const [more, message] of [
    ["covariates: { tokens: size }", 'names the column "size"'],
    ['covariates: { "a b": tokens_a }', "a b"],
  ] as const) {
    const { imported } = await audited(plain.ratings, more);
    expect([imported.code, imported.stderr]).toEqual([4, expect.stringContaining(message)]);
  }
});
