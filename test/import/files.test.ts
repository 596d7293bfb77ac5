import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseMapping } from "../../src/import/mapping.js";
import { recountHere } from "../support/in-process.js";
import { studyReader } from "../support/study-reader.js";
import { everyNth } from "../support/whole.js";
import { presetFiles } from "./presets.js";

const { folder, readStudy, rowsOf, ratingsRead } = studyReader("recount-files");

const votesOf = (winner: string, more = "") =>
  `{ study: { id: demo }, files: { d: d.csv }, comparisons: { from: d, key: [id], left: a, right: b, winner: ${winner} ${more} } }`;
const counts = `
  select stimulus as item, count(*) filter (score = 1) as wins,
    count(*) filter (score = 0) as losses, count(*) filter (score = 0.5) as ties
  from ratings group by stimulus order by stimulus`;

describe("a winner", () => {
  test("by a name in another letter case or with blanks counts, unless both items have it then", async () => {
    const text =
      "id,a,b,chosen\n1,GPT,Claude,gpt \n2,GPT,Claude, CLAUDE\n3,GPT,Claude,Draw\n4,GPT,gpt,gpt\n5,GPT,gpt,Gpt\n";
    const winner = "{ column: chosen, values: { tie: [draw, null] } }";
    const { code, said } = await readStudy(votesOf(winner), { "d.csv": text });
    expect([code, said]).toEqual([
      2,
      expect.stringContaining(
        'line 6: winner (chosen): "Gpt" is neither "GPT" nor "gpt", nor one of "draw", an empty cell.',
      ),
    ]);
    expect(await rowsOf(counts)).toEqual([
      { item: "Claude", wins: 1, losses: 1, ties: 1 },
      { item: "GPT", wins: 1, losses: 2, ties: 1 },
      { item: "gpt", wins: 1, losses: 0, ties: 0 },
    ]);
  });

  test("by the name of an item is the side that has the name; another name goes to quarantine", async () => {
    const text =
      "id,a,b,chosen\n1,x.png,y.png,y.png\n2,y.png,x.png,y.png\n3,x.png,y.png,same\n4,x.png,y.png,z.png\n";
    const winner = "{ column: chosen, values: { tie: same } }";
    const { code, said } = await readStudy(votesOf(winner), { "d.csv": text });
    expect([code, said]).toEqual([
      2,
      expect.stringContaining(
        'd.csv, line 5: winner (chosen): "z.png" is neither "x.png" nor "y.png", nor one of "same".',
      ),
    ]);
    expect(await rowsOf(counts)).toEqual([
      { item: "x.png", wins: 0, losses: 2, ties: 1 },
      { item: "y.png", wins: 2, losses: 0, ties: 1 },
    ]);
  });

  test.each([
    ["{ column: chosen, values: { left: a, right: b } }", /state winner: chosen\./],
    ["{ column: chosen, values: { left: a } }", /line 1: comparisons\.winner\.values needs right/],
  ])("as %s is refused with what to state", async (winner, says) => {
    const text = "id,a,b,chosen\n1,x,y,y\n";
    const { code, said } = await readStudy(votesOf(winner), { "d.csv": text });
    expect(code).toBe(4);
    expect(said).toMatch(says);
  });
});

const ratingsOf = (wide: string, more = "", file = "d.csv") =>
  `{ study: { id: demo_1.v-2 }, files: { d: ${file} }, ratings: { from: d, wide: ${wide} ${more} } }`;
const slates =
  "select list_sort(list(stimulus || ' ' || score)) as s from ratings group by slate_id, session_id order by s";
const matrix = "clip,s1,s2,s3\na,5,4,5\nb,3,,3\n";

describe("a wide file", () => {
  test("with raters in columns has a session for each", async () => {
    const yaml = ratingsOf('{ score: "s*", as: rater }', ", item: clip");
    const { code } = await readStudy(yaml, { "d.csv": matrix });
    const rows = ["1 a  5", "1 b  3", "2 a  4", "3 a  5", "3 b  3"];
    expect([code, await ratingsRead()]).toEqual([0, rows]);
    expect(await rowsOf("select count(*) as n, min(rater) as first from sessions")).toEqual([
      { n: 3, first: '{"id":"1"}' },
    ]);
  });

  const trials = "p,trial_1_id_A,trial_1_id_B_x,trial_2_id_A\nann,1,2,3\nbob,4,5,6\n";
  test("of raters beside a list of another file keeps the slates of both apart", async () => {
    const yaml =
      "{ study: { id: demo }, files: { d: d.csv, e: e.csv }, ratings: [{ from: d, item: clip, wide: { score: 's*', as: rater } }, { from: e, rater: who, item: item, score: score }] }";
    const files = { "d.csv": matrix, "e.csv": "who,item,score\n1,a,1\nann,a,2\n" };
    const { code } = await readStudy(yaml, files);
    expect([code, await rowsOf(slates)]).toEqual([
      0,
      ["a 1.0", "a 2.0", "a 4.0", "a 5.0", "a 5.0", "b 3.0", "b 3.0"].map((s) => ({ s: [s] })),
    ]);
  });

  test("names no rater of a column in what it quarantines under pseudonyms", async () => {
    const path = (name: string) => join(folder, name);
    const key = path("key");
    writeFileSync(key, "a long secret that nobody knows 0123456789", { mode: 0o600 });
    writeFileSync(path("m.yaml"), ratingsOf('{ score: "s_*", as: rater }', ", item: clip"));
    writeFileSync(path("d.csv"), "clip,s_ann,s_bob\na,5,x\nb,4,3\n");
    const lake = ["--lake", path("lake")];
    const pseudonyms = ["--pseudonymise", "--pseudonym-key-file", key];
    const { code, stderr } = await recountHere(["import", path("m.yaml"), ...lake, ...pseudonyms]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("the value does not fit")]);
    const { stdout } = await recountHere(["query", ...lake, "from ratings"]);
    expect(stdout).toContain("3 rows");
    expect(stdout + stderr).not.toMatch(/\b(s_)?(ann|bob)\b/);
  });

  test.each([
    ['{ score: "trial_*", as: rater }', "", /nothing names the item\. Name its column/],
    ['{ score: "trial_*", as: rater }', ", item: p, rater: p", /names the rater by \*, and/],
    ['{ score: "trial_*", as: rater }', ", item: p, order: row", /beside order: row/],
  ])("as %s%s is refused with what to state", async (wide, more, says) => {
    const { code, said } = await readStudy(ratingsOf(wide, more), { "d.csv": trials });
    expect(code).toBe(4);
    expect(said).toMatch(says);
  });
});

describe("a published table", () => {
  const scores = "who,item,score\nann,a,5\nbob,a,4\nann,b,2\nbob,b,2\n";
  const study = (published: string) =>
    `{ study: { id: demo }, files: { d: d.csv, b: b.csv }, ratings: { from: d, rater: who, item: item, score: score }, published: [{ from: b, item: item, ${published} }] }`;
  const files = { "d.csv": scores, "b.csv": "item,x\na,17.3\nb,8.9\n" };

  test.each([
    [
      "kind: mean, fields: { valeu: x }",
      /fields names "valeu", which is no field of mean\. Did you mean value\? There are value, n/,
    ],
    [
      "kind: mean, fields: { sd: x }",
      /fields names "sd", which is no field of mean, but of stats\./,
    ],
    [
      "fields: { points_of: x }",
      /fields names "points_of", which is no field of any kind\. .*There are wins/,
    ],
  ])("with %s is refused with the known fields", async (published, says) => {
    const { code, said } = await readStudy(study(published), files);
    expect(code).toBe(4);
    expect(said).toMatch(/m\.yaml, line 1: published\./);
    expect(said).toMatch(says);
  });

  test.each([
    ["4.2 ± 0.73", "value: x, fields: { half_width: x }", { value: "4.2", half_width: "0.73" }],
    ["4.2+/-0.73", "value: x, fields: { half_width: x }", { value: "4.2", half_width: "0.73" }],
    ["4.2", "value: x, fields: { half_width: x }", { value: "4.2" }],
    ['"[1,012, 1,030]"', "fields: { ci_low: x, ci_high: x }", { ci_low: "1012", ci_high: "1030" }],
    [
      "1021 +7/-6",
      "value: x, fields: { ci_low: x, ci_high: x }",
      { value: "1021", ci_low: "1021 -6", ci_high: "1021 +7" },
    ],
    [
      "1021 +7/-6",
      "value: x, fields: { ci_high: x, ci_low: x }",
      { value: "1021", ci_low: "1021 -6", ci_high: "1021 +7" },
    ],
    [
      '"1021.5 (+7, -6.25)"',
      "value: x, fields: { ci_low: x, ci_high: x }",
      { value: "1021.5", ci_low: "1021.5 -6.25", ci_high: "1021.5 +7" },
    ],
    [
      '"1,021 ± 8"',
      "value: x, fields: { ci_low: x, ci_high: x }",
      { value: "1021", ci_low: "1021 -8", ci_high: "1021 +8" },
    ],
    ['"**1,021.50**"', "value: x", { value: "1021.50" }],
    ["🥇 60 %", "value: x", { value: "60" }],
    ["−0.5", "value: x", { value: "-0.5" }],
    ["T-4", "value: x", { value: "4" }],
    ["4=", "value: x", { value: "4" }],
    ["🥈", "value: x", { value: "2" }],
    ["2024-01-02", "value: x", { value: "2024-01-02" }],
    ["<0.05", "value: x", { value: "<0.05" }],
    ["12/3/4", "fields: { wins: x, losses: x, ties: x }", { wins: "12", losses: "3", ties: "4" }],
  ])("reads the cell %s by %s as %j", async (cell, published, numbers) => {
    const kind = published.includes("wins") ? "win_loss" : "mean";
    const { code, records } = await readStudy(study(`kind: ${kind}, ${published}`), {
      ...files,
      "b.csv": `item,x\n**a**,${cell}\n`,
    });
    expect([code, records.results]).toMatchObject([0, [{ scores: [{ item: "a", ...numbers }] }]]);
  });

  test("names an item by several columns, as the ratings do", async () => {
    const own = study("kind: mean, value: x").replaceAll("item: item", "item: [item, item]");
    const { code, records } = await readStudy(own, files);
    expect([code, records.results]).toMatchObject([
      0,
      [{ scores: [{ item: "a/a" }, { item: "b/b" }] }],
    ]);
  });

  test.each([
    ["+7/-6", ["1021 -6", "1021 +7"]],
    ["± 7", ["1021 -7", "1021 +7"]],
  ])("has the ends of a number in a column beside it, as %s", async (cell, [ci_low, ci_high]) => {
    const { records } = await readStudy(
      study("kind: mean, value: x, fields: { ci_low: ci, ci_high: ci }"),
      { ...files, "b.csv": `item,x,ci\na,1021,${cell}\n` },
    );
    expect(records.results).toMatchObject([
      { scores: [{ item: "a", value: "1021", ci_low, ci_high }] },
    ]);
  });

  test("with two numbers in a cell and one field is refused with what to state", async () => {
    const { code, said } = await readStudy(study("kind: mean, value: x"), {
      ...files,
      "b.csv": "item,x\na,4.2 ± 0.73\n",
    });
    expect([code, said]).toEqual([
      4,
      expect.stringContaining(
        'm.yaml, line 1: published.fields: x has "4.2 ± 0.73", which is 2 numbers. Name a field for each, for example { value: x, half_width: x }.',
      ),
    ]);
  });

  test("with an interval that its kind lacks is read without it, and an unused column is told", async () => {
    const { said, records } = await readStudy(study("kind: elo, value: x"), {
      ...files,
      "b.csv": "item,x,votes\na,1021 ± 8,7\n",
    });
    expect(records.results).toMatchObject([{ scores: [{ item: "a", value: "1021" }] }]);
    expect(said).toMatch(/"1021 ± 8" of x: only the first number is compared: elo has no/);
    expect(said).toMatch(/published: not used: "votes"\. .*fields: \{ n: COLUMN \}/);
  });
});

test.each(["json", "jsonl"])("a byte order mark before %s is no part of it", async (format) => {
  const record = '{"who":"ann","item":"a","score":3}';
  const text = `\uFEFF${format === "json" ? `[${record}]` : `${record}\n`}`;
  const { code } = await readStudy(
    `{ study: { id: demo }, files: { d: d.${format} }, ratings: { from: d, rater: who, item: item, score: score } }`,
    { [`d.${format}`]: text },
  );
  expect([code, await rowsOf("select stimulus, score from ratings")]).toEqual([
    0,
    [{ stimulus: "a", score: 3 }],
  ]);
});

const tools = Object.entries(presetFiles).map(([preset, { file, text, rows, more }]) => ({
  preset,
  file,
  ...(more ?? { text, rows }),
}));

test("a key beside a preset replaces the one of the preset", async () => {
  const { text } = tools.find(({ preset }) => preset === "psynet-trials")!;
  const yaml =
    "{ preset: psynet-trials, study: { id: demo }, files: { trials: d.csv }, ratings: { item: definition.animal } }";
  const { code } = await readStudy(yaml, { "d.csv": text });
  expect([code, await ratingsRead()]).toEqual([0, ["3 cat  4"]]);
  const odd = await readStudy(yaml.replace("item:", "itm:"), { "d.csv": text });
  expect([odd.code, odd.said]).toEqual([
    4,
    expect.stringMatching(/m\.yaml, line 1: unknown key ratings\.itm\. Did you mean item/),
  ]);
});

test.each(everyNth(tools, 6))(
  "$preset reads a file of its tool",
  async ({ preset, file, text, rows }) => {
    const { files } = await parseMapping("m.yaml", `{ preset: ${preset}, study: { id: demo } }`);
    const yaml = `{ preset: ${preset}, study: { id: demo }, files: { ${Object.keys(files)[0]!}: ${file} } }`;
    const { code, said } = await readStudy(yaml, { [file]: text });
    expect([code, said, await ratingsRead()]).toEqual([0, "", rows]);
  },
);
