import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  openSync,
  closeSync,
  ftruncateSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { importSnapshot, parseMapping } from "../../src/import/index.js";
import { systemClock, type Clock } from "../../src/platform/index.js";
import { studyReader } from "../support/study-reader.js";
import { everyNth, isWhole } from "../support/whole.js";

const { folder, readStudy, rowsOf } = studyReader("recount-hostile-files");

const mapping = (file: string, more = "", ratings = "") => `
study: { id: hostile }
files: { scores: { path: ${JSON.stringify(file)}${more} } }
ratings: { from: scores, item: item, score: score, rater: rater${ratings} }
`;

interface Whole {
  readonly rows: readonly (readonly [string, number | null])[];
  readonly quarantined?: readonly RegExp[];
}

type Fate = Whole | RegExp;

interface Hostile {
  readonly name: string;
  readonly text: string | Buffer;
  readonly fate: Fate;
  readonly file?: string;
  readonly options?: string;
  readonly ratings?: string;
}

const head = "item,score,rater\n";
const one: Whole = { rows: [["a", 1]] };
const good = "a,1,ann\n";
const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(head + good, "utf16le")]);

const noNumbers = ["1e400", "Infinity", "NaN", "1_000", "0x10", "5 dB", "NA"];

const cases: readonly Hostile[] = [
  { name: "a byte order mark", text: `\uFEFF${head}${good}`, fate: one },
  { name: "no line end at the end", text: `${head}a,1,ann`, fate: one },
  { name: "line ends of Windows", text: "item,score,rater\r\na,1,ann\r\n", fate: one },
  {
    name: "mixed line ends",
    text: "item,score,rater\r\na,1,ann\nb,2,ann\r\n",
    fate: /line 2: ends in another way than the lines before it/,
  },
  {
    name: "blank lines between records",
    text: `${head}\n${good}\n\nb,2,ann\n`,
    fate: {
      rows: [
        ["a", 1],
        ["b", 2],
      ],
    },
  },
  {
    name: "a line end inside quotes",
    text: `${head}"a\nb",1,ann\nc,x,ann\n`,
    fate: {
      rows: [["a\nb", 1]],
      quarantined: [/line 4: score \(score\): "x" is not a finite number/],
    },
  },
  { name: "a doubled quote", text: `${head}"5"" disk",1,ann\n`, fate: { rows: [['5" disk', 1]] } },
  {
    name: "a quote inside a cell",
    text: `${head}5" disk,1,ann\n`,
    fate: /line 2: has a quote inside a cell/,
  },
  {
    name: "text after a quoted cell",
    text: `${head}"a"b,1,ann\n`,
    fate: /line 2: has a quote inside a cell/,
  },
  {
    name: "a quote that is not closed",
    text: `${head}${good}"b,2,ann\n`,
    fate: /line 3: a quote is not closed/,
  },
  {
    name: "a cell too few",
    text: `${head}${good}b,2\n`,
    fate: /line 3: has 2 cells, but the header has 3/,
  },
  { name: "a cell too many", text: `${head}${good}b,2,ann,x\n`, fate: /line 3: has 4 cells/ },
  {
    name: "two columns of one name",
    text: "item,score,score,rater\na,1,2,ann\n",
    fate: /two columns are named "score"/,
  },
  { name: "names that differ in case", text: "item,score,Score,rater\na,1,2,ann\n", fate: one },
  { name: "a column without a name", text: "item,score,rater,\na,1,ann,x\n", fate: one },
  { name: "a header alone", text: head, fate: /nothing can be imported: the files have no rows/ },
  { name: "no byte", text: "", fate: /is empty/ },
  { name: "line ends alone", text: "\n\n\n", fate: /is empty/ },
  { name: "a name of a column in quotes", text: `"item","score","rater"\n${good}`, fate: one },
  {
    name: "blanks around names of columns",
    text: `item , score,rater\n${good}`,
    fate: /names the column "item".*Did you mean/,
  },
  {
    name: "another separator",
    text: "item;score;rater\na;1;ann\n",
    fate: /lacks.*"item;score;rater"/,
  },
  {
    name: "the separator that is stated",
    text: "item;score;rater\na;1;ann\n",
    options: `, delimiter: ";"`,
    fate: one,
  },
  {
    name: "a decimal comma that is stated",
    text: 'item;score;rater\na;"1,5";ann\n',
    options: `, delimiter: ";", decimal: ","`,
    fate: { rows: [["a", 1.5]] },
  },
  {
    name: "a decimal comma that is not",
    text: `${head}a,"1,5",ann\n${good}`,
    fate: { ...one, quarantined: [/If its comma is a decimal sign/] },
  },
  {
    name: "a thousands separator under a decimal comma",
    text: 'item;score;rater\na;"1.234,5";ann\nb;"1";ann\n',
    options: `, delimiter: ";", decimal: ","`,
    fate: { rows: [["b", 1]], quarantined: [/"1\.234,5" is not a finite number/] },
  },
  {
    name: "what is no finite number",
    text: `${head}${noNumbers.map((cell) => `b,${cell},ann\n`).join("")}${good}`,
    fate: { ...one, quarantined: noNumbers.map((cell) => RegExp(`"${cell}" is not a finite`)) },
  },
  {
    name: "a number with all its digits",
    text: `${head}a,0.1000000000000000055511151231257827,ann\n`,
    fate: { rows: [["a", 0.1]] },
  },
  { name: "an empty score", text: `${head}a,,ann\n`, fate: { rows: [["a", null]] } },
  {
    name: "an empty item",
    text: `${head},3,ann\n${good}`,
    fate: { ...one, quarantined: [/item: the cell is empty/] },
  },
  {
    name: "a word for missing that is stated",
    text: `${head}a,NA,ann\n`,
    options: ", missing: [NA]",
    fate: { rows: [["a", null]] },
  },
  {
    name: "a formula as an item",
    text: `${head}"=HYPERLINK(""http://x"")",1,ann\n`,
    fate: { rows: [['=HYPERLINK("http://x")', 1]] },
  },
  {
    name: "SQL as an item",
    text: `${head}"'); drop table ratings; --",1,ann\n`,
    fate: { rows: [["'); drop table ratings; --", 1]] },
  },
  {
    name: "characters beyond the first plane",
    text: `${head}😀𝔸,1,ann\n`,
    fate: { rows: [["😀𝔸", 1]] },
  },
  { name: "a control character", text: `${head}a\u0007,1,ann\n`, fate: { rows: [["a\u0007", 1]] } },
  { name: "a NUL character", text: `${head}a\0b,1,ann\n`, fate: /line 2: has a NUL character/ },
  {
    name: "a byte that is not UTF-8",
    text: Buffer.concat([
      Buffer.from(head),
      Buffer.from([0x61, 0xe9, 0x2c, 0x31, 0x2c, 0x78, 0x0a]),
    ]),
    fate: /not in UTF-8/,
  },
  {
    name: "the end within a character",
    text: Buffer.concat([Buffer.from(`${head}a,1,`), Buffer.from([0xe2, 0x82])]),
    fate: /the file is truncated/,
  },
  { name: "UTF-16", text: utf16, fate: /is in UTF-16: save it as UTF-8/ },
  {
    name: "a ZIP archive",
    text: Buffer.from("504b03040a000000", "hex"),
    fate: /is a ZIP archive or a spreadsheet: unpack it/,
  },
  { name: "gzip", text: Buffer.from("1f8b080000000000", "hex"), fate: /is compressed: unpack it/ },
  {
    name: "a cell of 17 MiB",
    text: `${head}${"a".repeat(17 << 20)},1,ann\n`,
    fate: /has more than 16 MiB/,
  },
  {
    name: "a thousand columns",
    text: `${head.trim()},${Array.from({ length: 1000 }, (_, i) => `c${i}`).join(",")}\na,1,ann,${",".repeat(999)}\n`,
    fate: one,
  },
  {
    name: "scores beyond the scale",
    text: `${head}b,6,ann\nb,-1,ann\n${good}`,
    ratings: "x",
    fate: {
      ...one,
      quarantined: [/"6" is above the maximum of 5/, /"-1" is below the minimum of 1/],
    },
  },
  {
    name: "zones that are mixed, and none",
    text: "item,score,rater,at\na,1,ann,2024-01-01T00:00:00Z\nb,1,ann,2024-01-01T00:00:00+01:00\nc,1,ann,2024-01-01 00:00:00\nd,1,ann,01/02/2024\n",
    ratings: ", time: at",
    fate: {
      rows: [
        ["a", 1],
        ["b", 1],
      ],
      quarantined: [/"2024-01-01 00:00:00" is not an instant with a zone/, /"01\/02\/2024"/],
    },
  },
  {
    name: "a day that does not exist",
    text: "item,score,rater,at\na,1,ann,2024-02-30T00:00:00Z\nb,1,ann,2024-02-28T00:00:00Z\n",
    ratings: ", time: at",
    fate: { rows: [["b", 1]], quarantined: [/2024-02-30/] },
  },
  {
    name: "instants that are none in the zone that is stated",
    text: `item,score,rater,at\na,1,ann,2024-05-01 02:30\n${[
      "infinity",
      "epoch",
      "0044-03-15 (BC) 10:00:00",
      "0000-12-31 10:00:00",
      "2024-03-31 02:30:00",
      "2024-05-01T10:00:00+25:00",
      "10000-01-01 00:00:00",
    ]
      .map((at) => `b,1,ann,${at}\n`)
      .join("")}`,
    ratings: ", time: { column: at, zone: Europe/Berlin }",
    fate: {
      rows: [["a", 1]],
      quarantined: [
        /"infinity"/,
        /"epoch"/,
        /BC/,
        /0000/,
        /"2024-03-31 02:30:00" is not an instant in Europe/,
        /25/,
        /"10000/,
      ],
    },
  },
  {
    name: "numbers that are no instant",
    text: "item,score,rater,at\na,1,ann,1714530600\nb,1,ann,9223372036854\nb,1,ann,-99999999999\n",
    ratings: ", time: { column: at, unit: s }",
    fate: {
      rows: [["a", 1]],
      quarantined: [/"9223372036854" is not a number of s/, /"-99999999999"/],
    },
  },
  {
    name: "words for an instant where a format is stated",
    text: "item,score,rater,at\na,1,ann,2024\nb,1,ann,infinity\n",
    ratings: ', time: { column: at, format: "%Y" }',
    fate: { rows: [["a", 1]], quarantined: [/"infinity" is not written as %Y/] },
  },
  {
    name: "a unit separator in cells of the key",
    text: "item,score,rater\na\u001Fb,1,c\na,2,b\u001Fc\na,3,b\u001Fc\n",
    ratings: ", key: [item, rater]",
    fate: {
      rows: [
        ["a\u001Fb", 1],
        ["a", 2],
      ],
      quarantined: [/line 4: key \(item, rater\): "a, b\\u001Fc" is that of an earlier row too/],
    },
  },
  {
    name: "a comment line",
    text: `# scores of May\n${head}${good}`,
    fate: /line 2: has 3 cells, but the header has 1|line 2/,
  },
  { name: "JSON", file: "x.json", text: `[{"item":"a","score":1,"rater":"ann"}]`, fate: one },
  {
    name: "truncated JSON",
    file: "x.json",
    text: `[{"item":"a","score":1,"rater":"ann"},`,
    fate: /not JSON|truncated|cannot be read/,
  },
  {
    name: "JSON lines with a field twice inside a field",
    file: "x.jsonl",
    text: `{"item":"a","score":1,"rater":"ann"}\n{"item":"b","score":2,"rater":"bob","by":{"x":1,"x":2}}`,
    fate: { rows: [["a", 1]], quarantined: [/line 2: a field occurs twice/] },
  },
  {
    name: "JSON lines of which one is damaged",
    file: "x.jsonl",
    text: `{"item":"a","score":1,"rater":"ann"}\n{"item":"b"\n`,
    fate: { rows: [["a", 1]], quarantined: [/line 2: not valid JSON/] },
  },
  {
    name: "JSON lines that are no objects",
    file: "x.jsonl",
    text: `{"item":"a","score":1,"rater":"ann"}\n3\n`,
    fate: { rows: [["a", 1]], quarantined: [/item: the cell is empty/] },
  },
  {
    name: "a damaged Parquet file",
    file: "x.parquet",
    text: "PAR1 is not enough PAR1",
    fate: /not a Parquet file, or damaged/,
  },
];

async function refusalOf(file: string, yaml = mapping(file)): Promise<string> {
  const { code, said } = await readStudy(yaml, {});
  expect([3, 4]).toContain(code);
  expect(said).not.toContain("\n");
  return said;
}

describe("a file is imported whole or refused", () => {
  test.each(everyNth(cases, 7, 6))(
    "$name",
    async ({ text, fate, file = "x.csv", options = "", ratings = "" }) => {
      const plain = mapping(file, options, ratings === "x" ? "" : ratings);
      const bounds = "score: { column: score, minimum: 1, maximum: 5 }";
      const yaml = ratings === "x" ? plain.replace("score: score", bounds) : plain;
      const files = { [file]: text };
      if (fate instanceof RegExp) {
        writeFileSync(join(folder, file), text);
        expect(await refusalOf(file, yaml)).toMatch(fate);
        return;
      }
      const { rows, quarantined = [] } = fate;
      const { lists, reasons } = await readStudy(yaml, files);
      expect(lists).toMatchObject([
        {
          records: rows.length + quarantined.length,
          taken: rows.length,
          quarantined: quarantined.length,
        },
      ]);
      const found = await rowsOf("select stimulus, score from ratings order by slate_id");
      expect(found.map(({ stimulus, score }) => [stimulus, score])).toEqual(rows);
      quarantined.forEach((reason, i) => {
        expect(reasons[i]).toMatch(reason);
      });
    },
  );

  test.each<[string, string, RegExp]>([
    ["skip: { score: .nan }", "", /line 4: ratings\.skip\.score must be .*, not NaN/],
    ["only: { score: [1, .inf] }", "", /ratings\.only\.score, entry 2 must be .*, not Infinity/],
    ["skip: { score: [] }", "", /ratings\.skip\.score must be .*, not \[\]/],
    ["key: rater", "", /ratings\.key must be a list, for example \[rater\], not "rater"/],
    [
      "",
      "values: { good: [Good] }",
      /score\.values must have scores as keys, for example 5: .*, not "good"/,
    ],
    ["", "values: { .nan: [Good] }", /score\.values must have scores as keys, .*, not "NaN"/],
    ["", "values: {}", /score\.values must be a map of at least 1 key/],
    ["", "minimum: .inf", /score\.minimum must be a number, not Infinity/],
    [
      "training: { column: rater, values: { yes: [ann] } }",
      "",
      /unknown key ratings\.training\.values\.yes.*true, false/,
    ],
    [
      "time: { column: rater, zone: Mars/Olympus }",
      "",
      /time\.zone must be an IANA time zone, .*, not "Mars/,
    ],
    [
      "started: { column: rater, format: '%Q%' }",
      "",
      /started\.format must be a format of instants, .*, not "%Q%"/,
    ],
  ])("a mapping with %s%s is refused in one line", async (more, score, says) => {
    const yaml = mapping("plain.csv", "", more === "" ? "" : `, ${more}`);
    const own =
      score === "" ? yaml : yaml.replace("score: score", `score: { column: score, ${score} }`);
    writeFileSync(join(folder, "plain.csv"), head + good);
    expect(await refusalOf("plain.csv", own)).toMatch(says);
  });

  test.each([
    [
      "2024-01-01 00:00 +0300",
      'zone: Europe/Berlin, format: "%Y-%m-%d %H:%M %z"',
      "2023-12-31 21:00:00+00",
    ],
    ["2024-01-01T00:00:00+03:00", "zone: Europe/Berlin", "2023-12-31 21:00:00+00"],
    ["2024-07-01 00:00", "zone: Europe/Berlin", "2024-06-30 22:00:00+00"],
    ["01.07.2024", 'zone: Europe/Berlin, format: "%d.%m.%Y"', "2024-06-30 22:00:00+00"],
  ])("%s under %s is %s", async (cell, time, instant) => {
    const yaml = mapping("zones.csv", "", `, time: { column: at, ${time} }`);
    await readStudy(yaml, { "zones.csv": `item,score,rater,at\na,1,ann,${cell}\n` });
    expect(await rowsOf("select date_updated::varchar as at from slates")).toEqual([
      { at: instant },
    ]);
  });

  test("a few bytes of Parquet that state a million rows are refused before they are read", async () => {
    await rowsOf(
      `copy (select 'a' as item, 1 as score, 'ann' as rater from range(1000000)) to '${join(folder, "many.parquet")}' (format parquet, row_group_size 1000000)`,
    );
    expect(await refusalOf("many.parquet")).toMatch(
      /many\.parquet: states 1,000,000 rows in \d+ bytes/,
    );
  });

  test("each column of a wide row is judged by itself, and named", async () => {
    const names = Array.from({ length: isWhole ? 2000 : 20 }, (_, i) => `s${i}`);
    const row = (bad: string) => names.map((name) => (name === "s7" ? bad : "3")).join(",");
    const text = `rater,${names.join(",")}\nann,${row("")}\nbob,${row("x")}\n`;
    const wide = mapping("items.csv").replace("item: item, score: score", 'wide: { score: "s*" }');
    const { lists, reasons } = await readStudy(wide, { "items.csv": text });
    const cells = 2 * names.length - 1;
    expect(lists).toMatchObject([{ records: cells, taken: cells - 1, quarantined: 1 }]);
    expect(reasons).toEqual([
      expect.stringMatching(/line 3: score \(s7\): "x" is not a finite number/),
    ]);
    expect(await rowsOf("select count(*) as n, min(score) as s from ratings")).toEqual([
      { n: cells - 1, s: 3 },
    ]);
  });

  test("a Parquet file of which the engine reads fewer rows than its footer counts is refused", async () => {
    const file = join(folder, "fewer.parquet");
    await rowsOf(
      `copy (select 'a' as item, 1 as score, 'r' || range as rater from range(10)) to '${file}'`,
    );
    const { lists } = await readStudy(mapping("fewer.parquet"), {});
    expect(lists).toMatchObject([{ records: 10, taken: 10 }]);
    const bytes = readFileSync(file);
    // Field 3 of the footer, an integer of 64 bits in Thrift's compact protocol, after the schema: 10 rows become 11.
    const footer = bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8);
    const count = bytes.indexOf(Buffer.from([0x16, 20, 0x19]), footer);
    expect(count).toBeGreaterThan(footer);
    bytes[count + 1] = 22;
    writeFileSync(file, bytes);
    expect(await refusalOf("fewer.parquet")).toMatch(
      /fewer\.parquet has 11 records, but the engine reads 10 of them\.$/,
    );
  });

  test("a folder, a pipe, a missing file and a pattern without files are named", async () => {
    mkdirSync(join(folder, "d.csv"));
    execFileSync("mkfifo", [join(folder, "p.csv")]);
    expect(await refusalOf("d.csv")).toContain("is a folder, not a regular file. Name files");
    expect(await refusalOf("p.csv")).toContain(
      "is a pipe or device, not a regular file. Name files",
    );
    expect(await refusalOf("none.csv")).toContain("cannot be read (ENOENT)");
    expect(await refusalOf("none/*.csv")).toContain("no file matches none/*.csv");
    writeFileSync(join(folder, "x.xlsx"), "PK");
    expect(await refusalOf("x.xlsx")).toMatch(
      /x\.xlsx is a spreadsheet\. Save each sheet as CSV in UTF-8/,
    );
    writeFileSync(join(folder, "x.dat"), "item,score");
    expect(await refusalOf("x.dat")).toMatch(
      /the format of .*x\.dat cannot be told from its extension/,
    );
    expect(await refusalOf("x.doc")).toContain("x.doc cannot be read");
  });

  test("5 GB of one line are refused after the first 16 MiB", async () => {
    const file = openSync(join(folder, "long.csv"), "w");
    ftruncateSync(file, 5_000_000_000);
    closeSync(file);
    expect(await refusalOf("long.csv")).toMatch(/has a NUL character|more than 16 MiB/);
  });

  test.each([
    ["grows", good + "b,2,bob\n"],
    ["gets other scores", good.replaceAll("1", "2")],
  ])("a file that changes while it is read is refused: it %s", async (way, changed) => {
    const name = `${way}.csv`;
    const file = join(folder, name);
    writeFileSync(file, head + good);
    // The clock is asked first once the file is screened.
    const clock: Clock = {
      ...systemClock,
      monotonicMs() {
        writeFileSync(file, head + changed);
        return systemClock.monotonicMs();
      },
    };
    const read = await parseMapping(join(folder, "m.yaml"), mapping(name));
    await expect(importSnapshot(read, { lake: join(folder, way) }, { clock })).rejects.toThrow(
      /changed while it was read|but the engine reads/,
    );
  });
});
