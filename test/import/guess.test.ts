import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { guessMapping } from "../../src/import/index.js";
import { parseMapping, presetNames, type FileSet } from "../../src/import/mapping.js";
import { openWarehouse } from "../../src/warehouse/index.js";
import { folderOfTests } from "../support/folder.js";
import { recountHere } from "../support/in-process.js";
import { studyReader } from "../support/study-reader.js";
import { everyNth, isWhole } from "../support/whole.js";
import { presetFiles } from "./presets.js";

const folder = folderOfTests("recount-guess");
const { readStudy, rowsOf } = studyReader("recount-presets");

interface Case {
  readonly file: string;
  readonly text: string;
  readonly says: readonly RegExp[];
}

const cases: readonly Case[] = [
  ...Object.entries(presetFiles).map(([name, { file, text }]) => ({
    file,
    text,
    says: [new RegExp(`The preset ${name} fits its columns\\. It reads (\\d) of \\1 records?\\.`)],
  })),
];

describe("a guess", () => {
  test("has a case for each preset", () => {
    expect([...Object.keys(presetFiles), "arena-human-preference"].toSorted()).toEqual(
      presetNames(),
    );
  });

  test.each(everyNth(cases, 16, 10))(
    "says of $file which mapping fits, and what is unsure",
    async ({ file, text, says }) => {
      writeFileSync(join(folder, file), text);
      let { text: rest } = await guessMapping(join(folder, file));
      for (const one of says) {
        expect(rest).toMatch(one);
        rest = rest.slice(rest.search(one));
      }
    },
  );

  /** Presets of files without any identifier or rater. */
  const anonymous = ["evalica"];

  test.each(everyNth(Object.entries(presetFiles), 12, 4))(
    "preset %s takes a record once that comes twice",
    async (preset, { file, text }) => {
      const { files } = await parseMapping("m.yaml", `{ preset: ${preset}, study: { id: once } }`);
      const [[from, { header_rows = 1 }]] = Object.entries(files) as [[string, FileSet]];
      const lines = text.trimEnd().split("\n");
      const head = /\.jsonl?$/.test(file) ? 0 : header_rows;
      const twice = file.endsWith(".json")
        ? JSON.stringify([...(JSON.parse(text) as object[]), ...(JSON.parse(text) as object[])])
        : [...lines, ...lines.slice(head)].join("\n");
      const counted = async (own: string) => {
        const mapping = { preset, study: { id: "once" }, files: { [from]: file } };
        const { code } = await readStudy(JSON.stringify(mapping), { [file]: own });
        const [row] = await rowsOf("select count(*) as n from ratings");
        return { code, n: Number(row?.n) };
      };
      const { code, n } = await counted(text);
      expect([code, n]).toEqual([0, expect.any(Number)]);
      const isAnonymous = anonymous.includes(preset);
      expect(await counted(twice)).toEqual(isAnonymous ? { code: 0, n: 2 * n } : { code: 2, n });
    },
  );

  test.runIf(isWhole)("is printed as a mapping that imports", async () => {
    const battles = join(folder, "battles.parquet");
    const warehouse = await openWarehouse({ sources: {} });
    await warehouse.all(
      `copy (select 'v' || i as id, 'A' as model_a, 'B' as model_b, case i when 0 then 'both_bad' else 'model_a' end as winner, 's' as evaluation_session_id from range(3) as t (i)) to '${battles}'`,
    );
    warehouse.close();
    const { code, stdout } = await recountHere(["import", "--guess", battles]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining("The preset arena-human-preference fits its columns."),
    ]);
    writeFileSync(join(folder, "m.yaml"), stdout);
    const imported = await recountHere([
      "import",
      join(folder, "m.yaml"),
      "--lake",
      join(folder, "lake"),
    ]);
    expect([imported.code, imported.stderr]).toEqual([0, ""]);
    const rows = "select stimulus, score from ratings order by all";
    const shown = await recountHere(["query", rows, "--lake", join(folder, "lake")]);
    expect(shown.stdout).toMatch(/A +0\.5\nA +1\nA +1\nB +0\nB +0\nB +0\.5\n/);
  });

  test.each([
    [["--guess", "none.csv"], "none.csv cannot be read (ENOENT)"],
    [["--guess", "empty.csv"], "is empty: it has no header"],
    [["--guess", "sheet.xlsx"], "is a spreadsheet. Save each sheet as CSV"],
    [["data.csv"], "data.csv is a data file, not a mapping. recount import --guess"],
    [[], "Name a mapping, for example recount import mapping.yaml, or a file with --guess."],
  ])("of %j ends with one line", async (args, says) => {
    for (const name of ["empty.csv", "sheet.xlsx", "data.csv"])
      writeFileSync(join(folder, name), "");
    const { code, stderr } = await recountHere([
      "import",
      ...args.map((one) => (one.startsWith("--") ? one : join(folder, one))),
    ]);
    expect([code, stderr]).toEqual([4, expect.stringContaining(says)]);
  });
});
