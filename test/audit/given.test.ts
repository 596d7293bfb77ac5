import { expect, test } from "vitest";
import { studyReader } from "../support/study-reader.js";

const { readStudy, auditOf } = studyReader("recount-given");

const items = "a b c d e f g h i j".split(" ");
const raters = Array.from({ length: 40 }, (_, rater) => rater);
const scoreOf = (item: number, rater: number): number =>
  1 + ((item * 7 + rater * rater * 3 + (item + 2) * rater) % 5);

function boardOf(raised: number): string {
  const rows = items.map((name, item) => {
    const scores = raters.map((rater) => scoreOf(item, rater));
    const mean = scores.reduce((a, b) => a + b) / scores.length;
    const squares = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0);
    const half = 1.96 * Math.sqrt(squares / (scores.length - 1) / scores.length);
    return `${name},${(mean + (name === "d" ? raised : 0)).toFixed(2)},${half.toFixed(2)}`;
  });
  return ["item,mos,ci", ...rows, ""].join("\n");
}

async function auditedBoard(raised: number, options: string, accepted: string | null) {
  const study = await readStudy(
    `study: { id: mos, type: acr }
files: { ratings: ratings.csv, board: board.csv }
ratings: { from: ratings, rater: rater, item: item, score: score, key: [rater, item] }
published:
  - { kind: mean, from: board, item: item, fields: { value: mos, half_width: ci }, options: ${options} }
`,
    {
      "ratings.csv": [
        "rater,item,score",
        ...raters.flatMap((rater) =>
          items.map((name, item) => `r${rater},${name},${scoreOf(item, rater)}`),
        ),
        "",
      ].join("\n"),
      "board.csv": boardOf(raised),
    },
  );
  const about = { experiment: "mos", kind: "mean", reason: "Their paper says so." };
  const accept = accepted === null ? [] : [{ ...about, convention: accepted }];
  const { rows, accepted: told } = await auditOf(study, { accept });
  return {
    wrong: rows
      .filter(({ verdict }) => verdict === "unexplained")
      .map(({ item, field }) => item + field),
    states: told.map(({ state }) => state),
  };
}

// Nine half widths that are 3 % smaller prove no formula; who states it proves enough.
test.each([
  { raised: 0, options: "{}", accepted: null, wrong: 10 },
  { raised: 0, options: "{ interval: normal }", accepted: null, wrong: [] },
  { raised: 0, options: "{}", accepted: "interval=normal", wrong: [] },
  { raised: 0.12, options: "{ interval: normal }", accepted: null, wrong: ["dvalue"] },
  { raised: 0.12, options: "{}", accepted: "interval=normal", wrong: ["dvalue"] },
  { raised: 0, options: "{}", accepted: "denominator=n-1", wrong: 10 },
])("a convention that is stated or accepted needs no evidence: %j", async (row) => {
  const { wrong, states } = await auditedBoard(row.raised, row.options, row.accepted);
  expect(typeof row.wrong === "number" ? wrong.length : wrong).toEqual(row.wrong);
  const holds = row.accepted === "interval=normal" ? "holds" : "does_not_hold";
  expect(states).toEqual(row.accepted === null ? [] : [holds]);
});
