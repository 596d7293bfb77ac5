/** Files in the shapes of the field's tools that were read wrongly without a word: what an import says of each. */
import { describe, expect, test } from "vitest";
import { studyReader } from "../support/study-reader.js";
import { everyNth } from "../support/whole.js";

const { readStudy, rowsOf } = studyReader("recount-shapes");

const labelStudio = (own: object) => ({ annotator: 7, created_at: "2024-01-01T00:00:00Z", ...own });
const minimal = JSON.stringify([
  labelStudio({ item: "a", id: 1, annotation_id: 1, rating: [{ rating: 4 }] }),
  labelStudio({ item: "b", id: 2, annotation_id: 2 }),
  labelStudio({ item: "c", id: 3, annotation_id: 3, rating: [{ rating: 2 }, { rating: 5 }] }),
  labelStudio({ item: "d", id: 4, annotation_id: 4, rating: 3 }),
]);
const cells = `item,id,annotator,annotation_id,created_at,rating
a,1,7,1,2024-01-01T00:00:00Z,"[{""rating"":4}]"
b,2,7,2,2024-01-01T00:00:00Z,
c,3,7,3,2024-01-01T00:00:00Z,"[{""rating"":2},{""rating"":5}]"
d,4,7,4,2024-01-01T00:00:00Z,3
`;
const nested = JSON.stringify([
  { id: 1, answers: [{ who: "u", score: 4 }] },
  { id: 2, answers: [] },
  { id: 3 },
  { id: 4, answers: 5 },
]);
const inside =
  "files: { f: d.json, d: { sql: \"select line, record ->> '$.id' as id, a ->> '$.who' as who, a ->> '$.score' as score from f, unnest(record -> '$.answers[*]') as u(a) order by line\" } }, ratings: { from: d, rater: who, item: id, score: score }";
const headed = (rows: number) =>
  `files: { d: { path: d.csv, header_rows: ${rows} } }, ratings: { from: d, rater: who, wide: { score: "Q*" } }`;
const matrix =
  'files: { d: d.csv }, ratings: { from: d, item: system, wide: { score: "r*", as: rater } }';
const means = "system,r1,r2\nfir,4,5\noak,2,3\nMean,3,4\nStd. dev.,1,1\n";
const long = "files: { d: d.csv }, ratings: { from: d, rater: who, item: item, score: score }";

const votes =
  "files: { d: d.csv }, comparisons: { from: d, rater: who, left: l, right: r, winner: { column: j.w, values: { left: [A], right: [B] } } }";
const cellsOf = (...own: string[]) =>
  `item,who,ann\n${own.map((one, i) => `${"abcd"[i]},u,"${one.replaceAll('"', '""')}"\n`).join("")}`;
const inCells = (score: string, more = "") =>
  `files: { d: d.csv }, ratings: { from: d, item: item, rater: who, ${score}${more} }`;

const scores = "select string_agg(stimulus || ' ' || score, ', ' order by stimulus, score) as s";

describe("a file is read as its tool means it, or it is said", () => {
  const files: [string, string, string, number, RegExp, string][] = [
    [
      "d.json",
      minimal,
      "preset: label-studio-json-min, files: { tasks: d.json }",
      0,
      /^1: d\.json, row 2$/,
      "a 4.0, c 2.0, c 5.0, d 3.0",
    ],
    [
      "d.csv",
      cells,
      "preset: label-studio-csv, files: { tasks: d.csv }",
      0,
      /^1: d\.csv, line 3$/,
      "a 4.0, c 2.0, c 5.0, d 3.0",
    ],
    ["d.json", nested, inside, 0, /^3: d\.json, row 2$/, "1 4.0"],
    [
      "d.csv",
      "who,Q1,Q2\nWho?,Clip A,Clip B\nann,4,5\nbob,3,2\n",
      headed(3),
      4,
      /m\.yaml, line 1: row 3 of .*d\.csv is not a header: it has scores\. State header_rows: 2\./,
      "",
    ],
    ["d.csv", "who,Q1\nWho?,Clip\nann,4\n", headed(2), 0, /^$/, "1 4.0"],
    [
      "d.csv",
      means,
      matrix,
      2,
      /4 records .*line 4: item: "Mean" names a summary of other rows\. State .* for example skip: \{ system: \[Mean, SD\] \}/,
      "fir 4.0, fir 5.0, oak 2.0, oak 3.0",
    ],
    [
      "d.csv",
      "who,item,score\nann,a,4\nAverage,a,4\nann,Grand Total,9\nann,Overall,9\nann,Total,9\n",
      long,
      2,
      /4 records .* rater: "Average" names a summary/,
      "a 4.0",
    ],
    [
      "d.csv",
      "who,item,score\nann,a,9007199254740993\nbob,a,9007199254740992\n",
      long,
      2,
      /line 2: score \(score\): "9007199254740993" is no double/,
      "a 9007199254740992.0",
    ],
    [
      "d.csv",
      "who,item,score,done\nu,a,5,2024-01-01T00:00:00Z\nu,b,4,\nv,a,3,\n",
      long.replace("score: score", "score: score, completed: done"),
      2,
      /line 3: completed: the cell is empty, and another row says/,
      "a 3.0, a 5.0",
    ],
    [
      "d.csv",
      "l,r,who,w\nx,same,u,Same\nx,same,v,x\nx,y,u,same\n",
      votes.replace(
        "column: j.w, values: { left: [A], right: [B] }",
        "column: w, values: { tie: [same] }",
      ),
      2,
      /1 record .* line 2: winner \(w\): "Same" is an item and means a tie/,
      "same 0.0, x 0.5, x 1.0, y 0.5",
    ],
    [
      "d.csv",
      "system,r1,r_mean\nfir,4,4\n",
      matrix,
      4,
      /wide\.score matches r_mean, which names a summary of other columns\. List the columns/,
      "",
    ],
    [
      "d.csv",
      "who,item,score\nann,GPT-4,4\nbob,GPT-4 ,2\nann,gpt-4\u200b,1\nann,caf\u00e9,1\nann,cafe\u0301,1\n",
      long,
      0,
      /Each of \["GPT-4","GPT-4 ","gpt-4.*as do 1 more such groups.* state trim: true/,
      "GPT-4 4.0, GPT-4  2.0, cafe\u0301 1.0, caf\u00e9 1.0, gpt-4\u200b 1.0",
    ],
    [
      "d.csv",
      cellsOf('{"rating":3}', '{"rating":4}'),
      inCells("score: ann.ratng"),
      4,
      /"ann\.ratng", which .*d\.csv lacks\. Did you mean ann\.rating\? ann has "rating"\.$/,
      "",
    ],
    [
      "d.csv",
      cellsOf('{"a":{"b":3}}', "7"),
      inCells("score: ann.a.c", ", skip: { ann.e: 1 }"),
      4,
      /"ann\.e" and "ann\.a\.c", .* ann has "a"\. Did you mean ann\.a\.b\? ann\.a has "b"\.$/,
      "",
    ],
    [
      "d.csv",
      cellsOf('{"a":3}', '{"a":null}', "7", "[1]"),
      inCells("score: ann.a"),
      0,
      /lack what the mapping names: ann\.a \(2 of 4\) and score ann\.a \(3 of 4\)\.$/,
      "a 3.0",
    ],
    [
      "d.tsv",
      'rater\ttext\tscore\nr1\tshe said "go"\t3\nr2\ta 5" disk\t4\n',
      "files: { d: { path: d.tsv, quote: none } }, ratings: { from: d, rater: rater, item: text, score: score }",
      0,
      /^$/,
      'a 5" disk 4.0, she said "go" 3.0',
    ],
    [
      "d.csv",
      "Votes of \"May\r\n\r\nwho,item,score\r\nann,'a,b',4\r\nann,c,x\r\n",
      long.replace("d: d.csv", 'd: { path: d.csv, skip_lines: 2, quote: "\'" }'),
      2,
      /d\.csv, line 5: score \(score\): "x"/,
      "a,b 4.0",
    ],
    [
      "d.csv",
      "",
      long.replace("d.csv", "https://example.org/d.csv"),
      4,
      /m\.yaml, line 1: https:\S+ is an address\. Download it .*: curl -LO 'https:\S+'\./,
      "",
    ],
    [
      "d.csv",
      cellsOf("{'a': 3}", '{"a":4}'),
      inCells("score: ann.a"),
      2,
      /line 2: cell \(ann\): "\{'a': 3\}" is not JSON\.$/,
      "b 4.0",
    ],
    [
      "d.csv",
      'l,r,who,j\na,b,v,"{""w"":""A"",""x"":[{""y"":1,""y"":2}]}"\na,b,w,"{""w"":""B""}"\n',
      votes,
      2,
      /line 2: cell \(j\): a field occurs twice\.$/,
      "a 0.0, b 1.0",
    ],
    [
      "d.csv",
      cellsOf('{"nat":3,"plea":1}', '{"nat":4}'),
      inCells('wide: { score: "ann.*", as: dimension }'),
      0,
      /^$/,
      "a 1.0, a 3.0, b 4.0",
    ],
    [
      "d.csv",
      "who,item,score\nann,a,4\nbob,a,\ncid,a,\n",
      long,
      0,
      /lack what the mapping names: score score \(2 of 3\)\.$/,
      "a 4.0",
    ],
    [
      "d.csv",
      "who,item,score\nann,a,4\n",
      `${long}, roles: { reference: [b, a] }`,
      0,
      /roles\.reference names "b", which no rating is about/,
      "a 4.0",
    ],
    [
      "d.csv",
      'who,item,score\nann,a,"4,200"\nbob,a,3.5\n',
      long,
      2,
      /"4,200" is not a finite number\. If its comma separates thousands, take it out\. If its comma is a decimal sign/,
      "a 3.5",
    ],
    [
      "d.csv",
      "user,instance_id,displayed_text,q:::scale_9,q:::scale_10\nann,i1,t,9,\nbob,i1,t,,0\n",
      "preset: potato-rating, files: { annotations: d.csv }",
      2,
      /score \(score\): "0" is below the minimum of 1\./,
      "i1 9.0",
    ],
    [
      "d.csv",
      "who,item,score\nann,a,Good\nbob,a,3\n",
      long,
      2,
      /state values: \{ 5: \["Good"\] \}/,
      "a 3.0",
    ],
  ];
  test.each(everyNth(files, 4))(
    "%s %j with { %s } ends with %d",
    async (file, text, mapping, code, says, rows) => {
      const yaml = `{ study: { id: demo }, ${mapping} }`;
      const { code: own, said, untaken } = await readStudy(yaml, { [file]: text });
      const [read] = own === 4 ? [{ s: "" }] : await rowsOf(`${scores} from ratings`);
      expect([own, read?.s]).toEqual([code, rows]);
      expect([said, ...untaken].join("\n").trim()).toMatch(says);
    },
  );
});
