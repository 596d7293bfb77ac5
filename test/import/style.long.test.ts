import { expect, test } from "vitest";
import { told } from "../support/audited-board.js";
import { studyReader } from "../support/study-reader.js";
import { styleOracle } from "../support/style-oracle.js";

const { readStudy, rowsOf, auditOf } = studyReader("recount-style");
const { models, votes, plain_stopped: plain, reweighted_stopped: reweighted } = styleOracle;

const covariates = "covariates: [tokens, lists]";
const relative = (name: string) => {
  const [a, b] = ["a", "b"].map((side) => `try_cast(${name}_${side} as double)`);
  return `case when ${a} + ${b} = 0 then 0 else (${a} - ${b}) / (${a} + ${b}) end as ${name}`;
};
const styled = `select *, ${relative("tokens")}, ${relative("lists")} from votes order by line`;

const mapping = (more: string): string => `
study: { id: arena, type: pairwise_text }
files: { votes: votes.csv, board: board.csv, styled: { sql: "${styled}" } }
comparisons:
  - from: styled
    key: []
    left: left
    right: right
    winner: { column: winner, values: { left: model_a, right: model_b, tie: tie } }
    ${more}
published:
  - { kind: bradley_terry, from: board, item: model, value: rating }
`;

const header = "left,right,winner,tokens_a,tokens_b,lists_a,lists_b";

async function read(
  ratings: readonly number[],
  more = covariates,
  rows: readonly string[] = votes.map((vote) => vote.join(",")),
) {
  const board = models.map((model, i) => `${model},${ratings[i]!.toFixed(1)}`);
  return readStudy(mapping(more.replaceAll("\n", " ")), {
    "votes.csv": [header, ...rows, ""].join("\n"),
    "board.csv": ["model,rating", ...board, ""].join("\n"),
  });
}

const audited = async (ratings: readonly number[], more?: string) =>
  told((await auditOf(await read(ratings, more))).rows);

test.each([
  ["controlled", plain],
  ["controlled_reweighted", reweighted],
])("ratings of arena-rank are found to be style=%s", async (name, { ratings }) => {
  expect(await audited(ratings)).toEqual([`unstated: style=${name} unit=elo`]);
});

test("without covariates the same ratings are not explained by style", async () => {
  expect((await audited(plain.ratings, "")).join()).not.toContain("style=");
});

test("one wrong rating of six with one decimal leaves style control unproved", async () => {
  const wrong = plain.ratings.map((rating, i) => (i === 2 ? rating + 3 : rating));
  expect(await audited(wrong)).toEqual(["unexplained: "]);
});

test("a record whose covariate is no number goes to quarantine with the reason", async () => {
  const rows = ["ash,box,model_a,10,x,1,2", "ash,box,model_b,10,20,0,0", "box,ash,tie,30,10,1,"];
  const { code, said } = await read(plain.ratings, covariates, rows);
  expect([code, said]).toEqual([
    2,
    expect.stringContaining("votes.csv, line 2: covariates: the cell is empty."),
  ]);
  expect(await rowsOf("select stimulus, _meta from ratings order by all")).toEqual([
    { stimulus: "ash", _meta: '{"recount_covariates":{"tokens":-0.3333333333333333,"lists":0.0}}' },
    { stimulus: "box", _meta: null },
  ]);
});

test("refuses a covariate that the file lacks, or of a name with other signs", async () => {
  for (const [more, message] of [
    ["covariates: [size]", 'names the column "size"'],
    ['covariates: ["a b"]', "a b"],
  ] as const) {
    const { code, said } = await read(plain.ratings, more);
    expect([code, said]).toEqual([4, expect.stringContaining(message)]);
  }
});
