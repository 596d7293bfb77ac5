/** Files as tools write them: the winner in columns or by name, raters and tasks in columns, presets. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { recountHere } from "../support/in-process.js";
import { studyReader } from "../support/study-reader.js";

const { folder, readStudy, rowsOf } = studyReader("recount-files");

const votesOf = (winner: string, more = "") =>
  `{ study: { id: demo }, files: { d: d.csv }, comparisons: { from: d, key: [id], left: a, right: b, winner: ${winner} ${more} } }`;
const counts = `
  select stimulus as item, count(*) filter (score = 1) as wins,
    count(*) filter (score = 0) as losses, count(*) filter (score = 0.5) as ties
  from ratings group by stimulus order by stimulus`;

const oneHot = `id,a,b,a_won,b_won,tie,bad
1,fir,oak,1,0,0,0
2,oak,elm,0,1.0,0,
3,elm,fir,,,1,
4,fir,elm,1,1,0,0
5,oak,fir,0,0,0,0
6,fir,oak,0,0,0,1
7,fir,oak,maybe,0,0,0
8,fir,oak,1,0,1,0
`;

describe("a winner", () => {
  test("as one-hot columns counts where one is marked; none or several go to quarantine", async () => {
    const columns = "{ columns: { left: a_won, right: b_won, tie: [tie, bad] } }";
    const { code, said, reasons } = await readStudy(votesOf(columns), { "d.csv": oneHot });
    expect([code, said]).toEqual([
      2,
      expect.stringContaining(
        "4 records of comparisons in quarantine. The first: d.csv, line 5: winner (a_won, b_won, tie, bad): more than one column is marked.",
      ),
    ]);
    expect(reasons.slice(1)).toEqual([
      "d.csv, line 6: winner (a_won, b_won, tie, bad): no column is marked.",
      expect.stringMatching(/^d\.csv, line 8: winner \(a_won\): "maybe" is not one of "true"/),
      "d.csv, line 9: winner (a_won, b_won, tie, bad): more than one column is marked.",
    ]);
    expect(await rowsOf(counts)).toEqual([
      { item: "elm", wins: 1, losses: 0, ties: 1 },
      { item: "fir", wins: 1, losses: 0, ties: 2 },
      { item: "oak", wins: 0, losses: 2, ties: 1 },
    ]);
  });

  test("by halves in both columns is a tie, and a mark has the spellings that the mapping says", async () => {
    const text = "id,a,b,l,r\n1,fir,oak,0.5,0.5\n2,fir,oak,1,0\n";
    await readStudy(votesOf("{ columns: { left: l, right: r } }"), {
      "d.csv": text,
    });
    expect(await rowsOf(`${counts} limit 1`)).toEqual([
      { item: "fir", wins: 1, losses: 0, ties: 1 },
    ]);
    const spelt =
      "{ columns: { left: { column: l, values: { true: x } }, right: { column: r, values: { true: x } } } }";
    const crosses = await readStudy(votesOf(spelt), {
      "d.csv": "id,a,b,l,r\n1,fir,oak,x,\n2,fir,oak,,x\n3,fir,oak,x,\n",
    });
    expect([crosses.code, await rowsOf(`${counts} limit 1`)]).toEqual([
      0,
      [{ item: "fir", wins: 2, losses: 1, ties: 0 }],
    ]);
  });

  test("as a mark of any usual spelling and letter case counts", async () => {
    const spellings = ["True,False", "YES,no", "x,", "✓,", "t,f", "Y,N", " 1, 0", "1.0,0.0"];
    const rows = spellings.flatMap((marks, i) => {
      const [yes = "", no = ""] = marks.split(",");
      return [
        [yes, no, no],
        [no, yes, no],
        [no, no, yes],
      ].map((row) => `${i},fir${i},oak,${row.join(",")}\n`);
    });
    const yaml = votesOf("{ columns: { left: l, right: r, tie: t } }").replace("[id]", "[]");
    const { code } = await readStudy(yaml, { "d.csv": `id,a,b,l,r,t\n${rows.join("")}` });
    expect([code, await rowsOf(`${counts} limit ${spellings.length}`)]).toEqual([
      0,
      spellings.map((_, i) => ({ item: `fir${i}`, wins: 1, losses: 1, ties: 1 })),
    ]);
  });

  test("by a name in another letter case or with blanks counts, unless both items have it then", async () => {
    const text =
      "id,a,b,chosen\n1,GPT,Claude,gpt \n2,GPT,Claude, CLAUDE\n3,GPT,Claude,Draw\n4,GPT,gpt,gpt\n5,GPT,gpt,Gpt\n";
    const winner = "{ item: chosen, values: { tie: [draw, null] } }";
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
    const winner = "{ item: chosen, values: { tie: same } }";
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
    ["{ column: chosen, values: { left: a, right: b } }", /state winner: \{ item: chosen \}/],
    ["{ column: chosen, values: { left: a } }", /line 1: comparisons\.winner\.values needs right/],
    ["{ column: chosen, item: chosen }", /winner needs only one of column, columns or item/],
    ["{ values: { left: a, right: b } }", /winner needs column, columns or item, for example/],
    ["{ item: chosen, values: { left: a } }", /values cannot have left beside item/],
    ["{ columns: { left: a, right: b }, values: { tie: t } }", /Spellings belong to a column/],
  ])("as %s is refused with what to state", async (winner, says) => {
    const text = "id,a,b,chosen\n1,x,y,y\n";
    const { code, said } = await readStudy(votesOf(winner), { "d.csv": text });
    expect(code).toBe(4);
    expect(said).toMatch(says);
  });
});

const ratingsOf = (wide: string, more = "", file = "d.csv") =>
  `{ study: { id: demo }, files: { d: ${file} }, ratings: { from: d, wide: ${wide} ${more} } }`;
const ratings =
  "select rater_id as r, stimulus as i, dimension as d, score as s from ratings order by all";
const slates =
  "select list_sort(list(stimulus || ' ' || score)) as s from ratings group by slate_id, session_id order by s";
const matrix = "clip,s1,s2,s3\na,5,4,5\nb,3,,3\n";

describe("a wide file", () => {
  test("with raters in columns has a session for each", async () => {
    const yaml = ratingsOf('{ score: "s*", as: rater }', ", item: clip");
    const { code } = await readStudy(yaml, { "d.csv": matrix });
    expect([code, await rowsOf(ratings)]).toEqual([
      0,
      [
        { r: "1", i: "a", d: "", s: 5 },
        { r: "1", i: "b", d: "", s: 3 },
        { r: "2", i: "a", d: "", s: 4 },
        { r: "3", i: "a", d: "", s: 5 },
        { r: "3", i: "b", d: "", s: 3 },
      ],
    ]);
    expect(await rowsOf("select count(*) as n, min(rater) as first from sessions")).toEqual([
      { n: 3, first: '{"id":"1"}' },
    ]);
  });

  test("without a header has columns and rows by their place", async () => {
    const yaml = ratingsOf('{ score: "column *", as: rater }', ', item: "#"').replace(
      "d: d.csv",
      "d: { path: d.csv, header_rows: 0 }",
    );
    const { code } = await readStudy(yaml, { "d.csv": "5,4\n3,\n" });
    expect([code, await rowsOf(ratings)]).toEqual([
      0,
      [
        { r: "1", i: "0", d: "", s: 5 },
        { r: "1", i: "1", d: "", s: 3 },
        { r: "2", i: "0", d: "", s: 4 },
      ],
    ]);
  });

  const trials = "p,trial_1_id_A,trial_1_id_B_x,trial_2_id_A\nann,1,2,3\nbob,4,5,6\n";
  test("with several * in a pattern has a name for each", async () => {
    const yaml = ratingsOf('{ score: "trial_*_id_*", as: [slate, item] }', ", rater: p");
    const { code } = await readStudy(yaml, { "d.csv": trials });
    expect([code, await rowsOf(slates)]).toEqual([
      0,
      [
        { s: ["A 1.0", "B_x 2.0"] },
        { s: ["A 3.0"] },
        { s: ["A 4.0", "B_x 5.0"] },
        { s: ["A 6.0"] },
      ],
    ]);
    const other = ratingsOf('{ score: "trial_*_id_*", as: [dimension, item] }', ", rater: p");
    await readStudy(other, { "d.csv": trials });
    expect((await rowsOf(ratings)).slice(0, 2)).toEqual([
      { r: "ann", i: "A", d: "1", s: 1 },
      { r: "ann", i: "A", d: "2", s: 3 },
    ]);
  });

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
    expect(stdout).toContain("2 rows");
    expect(stdout + stderr).not.toMatch(/\b(s_)?(ann|bob)\b/);
  });

  test.each([
    ['{ score: "trial_*_id_*" }', "", /as must say what each \* of trial_\*_id_\* is: 2 of item/],
    [
      '{ score: "trial_*", as: [item, slate] }',
      "",
      /as must say what each \* of trial_\* is: 1 of/,
    ],
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
      { value: "1021", ci_low: "1015", ci_high: "1028" },
    ],
    [
      "1021 +7/-6",
      "value: x, fields: { ci_high: x, ci_low: x }",
      { value: "1021", ci_low: "1015", ci_high: "1028" },
    ],
    [
      '"1021.5 (+7, -6.25)"',
      "value: x, fields: { ci_low: x, ci_high: x }",
      { value: "1021.5", ci_low: "1015.25", ci_high: "1028.50" },
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

  test("has the ends of a number in a column beside it", async () => {
    const { records } = await readStudy(
      study("kind: mean, value: x, fields: { ci_low: ci, ci_high: ci }"),
      {
        ...files,
        "b.csv": "item,x,ci\na,1021,+7/-6\n",
      },
    );
    expect(records.results).toMatchObject([
      { scores: [{ item: "a", value: "1021", ci_low: "1015", ci_high: "1028" }] },
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
    expect(said).toMatch(/only the first number of x is compared, as of "1021 ± 8": elo has no/);
    expect(said).toMatch(/published: not used: "votes"\. .*fields: \{ n: votes \}/);
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

/** One invented file of each tool's own format, and the ratings that its preset reads. */
const tools = [
  {
    preset: "label-studio-json-min",
    file: "tasks: d.json",
    text: '[{"item":"clip0","id":500,"annotator":7,"annotation_id":1,"created_at":"2023-08-28T03:18:13.955873Z","lead_time":6.7,"rating":[{"rating":1}]},{"item":"clip1","id":501,"annotator":7,"annotation_id":2,"created_at":"2023-08-28T03:18:14Z","lead_time":6}]',
    rows: [{ r: "7", i: "clip0", d: "rating", s: 1 }],
  },
  {
    preset: "label-studio-csv",
    file: "tasks: d.csv",
    text: 'item,id,annotator,annotation_id,rating,created_at,lead_time\nclip0,500,7,1,"[{""rating"": 1}]",2023-08-28T03:18:13.955873Z,6.7\nclip1,501,7,2,,2023-08-28T03:18:13Z,6.7\n',
    rows: [{ r: "7", i: "clip0", d: "rating", s: 1 }],
  },
  {
    preset: "open-webui-feedback",
    file: "feedback: d.json",
    text: '[{"id":"f1","user_id":"u","data":{"rating":-1,"model_id":"A","sibling_model_ids":["B"]}},{"id":"f2","user_id":"u","data":{"rating":1,"model_id":"A","sibling_model_ids":null}},{"id":"f3","user_id":"u","data":{"rating":null,"model_id":"A","sibling_model_ids":["C"]}}]',
    rows: [
      { r: "u", i: "A", d: "", s: 0 },
      { r: "u", i: "B", d: "", s: 1 },
    ],
  },
  {
    preset: "webmushra-mushra-early",
    file: "ratings: d.csv",
    text: "session_test_id,age,trial_id,rating_stimulus,rating_score,rating_time,rating_comment\nt,30,p,reference,100,9,\nt,30,p,C1,40,9,\n",
    rows: [
      { r: null, i: "C1", d: "p", s: 40 },
      { r: null, i: "reference", d: "p", s: 100 },
    ],
  },
  {
    preset: "psynet-trials",
    file: "trials: d.csv",
    text: 'id,class,participant_id,definition,answer,failed\n1,RateTrial,3,"{""animal"": ""cat""}",4,False\n2,RateTrial,3,"{""animal"": ""dog""}",2,True\n',
    rows: [{ r: "3", i: '{"animal": "cat"}', d: "", s: 4 }],
  },
  {
    preset: "potato-rating",
    file: "annotations: d.csv",
    text: "user,instance_id,displayed_text,quality:::scale_4,quality:::scale_5,ease:::1\nann,i1,Some text,4,,1\nbob,i1,Some text,,5,\n",
    rows: [
      { r: "ann", i: "i1", d: "ease", s: 1 },
      { r: "ann", i: "i1", d: "quality", s: 4 },
      { r: "bob", i: "i1", d: "quality", s: 5 },
    ],
  },
  {
    preset: "potato-export",
    file: "annotations: d.csv",
    text: "instance_id,user_id,quality.4,quality.5,ease.1\ni1,ann,4,,1\ni1,bob,,5,\n",
    rows: [
      { r: "ann", i: "i1", d: "ease", s: 1 },
      { r: "ann", i: "i1", d: "quality", s: 4 },
      { r: "bob", i: "i1", d: "quality", s: 5 },
    ],
  },
];

test("a key beside a preset replaces the one of the preset", async () => {
  const { text } = tools.find(({ preset }) => preset === "psynet-trials")!;
  const yaml =
    "{ preset: psynet-trials, study: { id: demo }, files: { trials: d.csv }, ratings: { item: definition.animal } }";
  const { code } = await readStudy(yaml, { "d.csv": text });
  expect([code, await rowsOf(ratings)]).toEqual([0, [{ r: "3", i: "cat", d: "", s: 4 }]]);
  const odd = await readStudy(yaml.replace("item:", "itm:"), { "d.csv": text });
  expect([odd.code, odd.said]).toEqual([
    4,
    expect.stringMatching(/m\.yaml, line 1: unknown key ratings\.itm\. Did you mean item/),
  ]);
});

test.each(tools)("$preset reads a file of its tool", async ({ preset, file, text, rows }) => {
  const [, name = ""] = file.split(": ");
  const yaml = `{ preset: ${preset}, study: { id: demo }, files: { ${file} } }`;
  const { code, said } = await readStudy(yaml, { [name]: text });
  expect([code, said, await rowsOf(ratings)]).toEqual([0, "", rows]);
});
