import { cpSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { ESLint, Linter } from "eslint";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { guessMapping } from "../../src/import/index.js";
import { plainRows } from "../support/plain-duckdb.js";
import { testProject } from "../support/project.js";
import { studyReader } from "../support/study-reader.js";
import { isWhole } from "../support/whole.js";
import { root } from "../support/root.js";

const { folder, recount } = await testProject();
const { folder: studies, readStudy, rowsOf } = studyReader("recount-odd-studies");

/**
 * Names that an engine may take for something else than the one file of this name, with the file that it would take. A
 * folder that is named like a column would replace the column.
 */
const names: readonly { readonly name: string; readonly other?: string }[] = [
  { name: "x[1]", other: "x1" },
  { name: "x*", other: "xx" },
  { name: "x?", other: "xy" },
  { name: "[!a]", other: "b" },
  { name: "**" },
  { name: "{a,b}", other: "a" },
  { name: "~" },
  { name: "file:" },
  { name: "c0=EVIL" },
  { name: "rater_id=EVIL" },
  { name: "experiment_id=EVIL" },
  { name: 'it\'s 100%25 \\ "é"' },
];
const tried = isWhole ? names : names.filter(({ name }) => name === "x[1]");

const outer = process.cwd();
beforeAll(() => process.chdir(folder));
afterAll(() => process.chdir(outer));

const ok = async (args: readonly string[], codes: readonly number[] = [0]) => {
  const outcome = await recount(args);
  expect(codes, outcome.stderr).toContain(outcome.code);
  return outcome.stdout;
};

const filesOf = (dir: string) =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

function copyDamaged(lake: string, copy: string): void {
  cpSync(lake, copy, { recursive: true });
  for (const file of filesOf(copy)) if (/\.(parquet|duckdb|gz)$/.test(file)) truncateSync(file, 3);
}

/** What is read of a lake, and of what a command makes of it: all of it is the same wherever the lake is. */
const all: Readonly<Record<string, (lake: string) => Promise<unknown>>> = {
  verify: async (lake) => (await ok(["verify", "--lake", lake])).replace(/\d+ ms|\d\.\d s/g, ""),
  "query of parts": (lake) =>
    ok(["query", "from ratings order by all", "--lake", lake, "--format", "csv"]),
  "query of one experiment": (lake) =>
    ok([
      "query",
      "select count(*) from ratings where experiment_id = 'exp1'",
      "--lake",
      lake,
      "--format",
      "csv",
    ]),
  "query -o": async (lake) => {
    for (const format of ["csv", "parquet", "jsonl"])
      await ok([
        "query",
        "from ratings order by all",
        "--lake",
        lake,
        "-o",
        `out of ${lake}/${lake}.${format}`,
      ]);
    return ["csv", "jsonl"].map((format) =>
      readFileSync(`out of ${lake}/${lake}.${format}`, "utf8"),
    );
  },
  audit: async (lake) => {
    await ok(["audit", "--lake", lake, "--json", `out of ${lake}/audit.json`]);
    return readFileSync(`out of ${lake}/audit.json`, "utf8");
  },
  transform: async (lake) => {
    await ok(["transform", "--lake", lake]);
    const database = filesOf(lake).find((file) => basename(file) === "recount.duckdb") ?? "";
    return {
      parquet: filesOf(join(database, "..")).map((file) => basename(file)),
      ratings: await plainRows(
        resolve(database),
        "select rater_id, score, experiment_id from ratings order by all",
      ),
      elo: await plainRows(resolve(database), "from metric_elo order by all"),
    };
  },
  bundle: async (lake) => {
    await ok(["audit", "--lake", lake, "--bundle", `out of ${lake}/evidence.zip`]);
    return (await ok(["verify", `out of ${lake}/evidence.zip`])).replace(lake, "");
  },
  "pseudonymised bundle": async (lake) => {
    const flags = ["--pseudonymise", "--pseudonym-key-file", "key"];
    await ok(["audit", "--lake", lake, ...flags, "--bundle", `out of ${lake}/pseudonyms.zip`]);
    return (await ok(["verify", `out of ${lake}/pseudonyms.zip`])).replace(lake, "");
  },
  report: async (lake) => {
    await ok(["report", "--lake", lake, "-o", `out of ${lake}/report.html`]);
    return readFileSync(`out of ${lake}/report.html`, "utf8").length > 10_000;
  },
  diff: async (lake) => ok(["diff", "--lake", lake], [0, 1, 4]),
  "export after an export": async (lake) => {
    await ok(["export", "--lake", lake, "-q"]);
    return ok([
      "query",
      "select count(*) as n, sum(score) as s from ratings",
      "--lake",
      lake,
      "--format",
      "csv",
    ]);
  },
};

const quick = Object.fromEntries(
  Object.entries(all).filter(([what]) => ["query of parts", "audit", "transform"].includes(what)),
);
/** Of each way in which a name may be taken for something else, one is tried in every command. */
const readsOf = (name: string) =>
  isWhole && ["x[1]", "~", "rater_id=EVIL"].includes(name) ? all : quick;

describe.skipIf(process.platform === "win32")("a path is one file to every command", () => {
  const expected: Record<string, unknown> = {};
  beforeAll(async () => {
    writeFileSync("key", "0123456789abcdef0123456789abcdef");
    await ok(["export", "--lake", "plain", "-q"]);
    cpSync("plain", "kept", { recursive: true });
    mkdirSync("out of plain");
    for (const [name, read] of Object.entries(isWhole ? all : quick))
      expected[name] = await read("plain");
  });

  it.each(tried)(
    "a lake in the folder $name is read and written there, and not another one",
    async ({ name, other }) => {
      cpSync("kept", name, { recursive: true });
      mkdirSync(`out of ${name}`);
      if (other !== undefined) copyDamaged("kept", other);
      // The engine puts the log of a database into another folder there, so the database is refused.
      const others = Object.entries(readsOf(name)).filter(
        ([what]) => !(name.includes("?") && what === "transform"),
      );
      for (const [what, read] of others)
        expect({ [what]: await read(name) }).toEqual({ [what]: expected[what] });
      if (name.includes("?"))
        expect(await recount(["transform", "--lake", name])).toMatchObject({
          code: 4,
          stderr: expect.stringMatching(
            /^recount: .*DuckDB makes no database in a folder with \? in its name\..*\n$/,
          ) as string,
        });
    },
  );

  const list = (from: string) =>
    `  - { from: ${from}, rater: c0, left: left, right: right, winner: { column: winner, values: { left: [left], right: [right] } } }\n`;
  const mapping = (files: Readonly<Record<string, string>>) =>
    `study: { id: demo, type: pairwise_text }\nfiles: ${JSON.stringify(files)}\ncomparisons:\n${Object.keys(files).map(list).join("")}`;
  const votesOf = (rater: string) => `c0,left,right,winner\n${rater},A,B,left\n`;
  it.each(tried)(
    "a mapping in $name imports the files beside it, of each format",
    async ({ name, other }) => {
      const [own, sibling] = [
        join("study", name),
        other === undefined ? undefined : join("study", other),
      ];
      const formats = ["csv", "json", "jsonl", "parquet"];
      for (const dir of [own, sibling]) {
        if (dir === undefined) continue;
        mkdirSync(dir, { recursive: true });
        const raterOf = (format: string) => `${dir === own ? "own" : "sibling"} ${format}`;
        const json = (format: string) =>
          JSON.stringify({ c0: raterOf(format), left: "A", right: "B", winner: "left" });
        writeFileSync(join(dir, "votes.csv"), votesOf(raterOf("csv")));
        writeFileSync(join(dir, "votes.json"), `[${json("json")}]`);
        writeFileSync(join(dir, "votes.jsonl"), json("jsonl"));
        const sql = `select '${raterOf("parquet")}' as c0, 'A' as left, 'B' as right, 'left' as winner`;
        await ok(["query", sql, "--lake", "kept", "-o", join(dir, "votes.parquet")]);
      }
      const files = formats.map((format) => [format, `votes.${format}`]);
      writeFileSync(
        join(own, "mapping.yaml"),
        mapping(Object.fromEntries(files) as Record<string, string>),
      );
      const lake = join("imported", name);
      await ok(["import", join(own, "mapping.yaml"), "--lake", lake]);
      const raters = "select distinct rater_id from ratings order by all";
      const asked = ["--project", "demo", "--format", "csv", "--lake", lake];
      const found = await ok(["query", raters, ...asked]);
      expect(found.trim().split("\n").slice(1)).toEqual(formats.map((format) => `own ${format}`));
    },
  );

  const counted = "select rater_id, count(*) // 2 as n from ratings group by rater_id order by all";

  it("a pattern of a mapping takes each file that it matches once", async () => {
    const names = ["votes1", "votes[1]", "votes*", "~"];
    const files = Object.fromEntries(names.map((name) => [`${name}.csv`, votesOf(name)]));
    const yaml = mapping({ votes: "PATTERNS" }).replace('"PATTERNS"', '["votes*.csv", "~.csv"]');
    expect((await readStudy(yaml, files)).code).toBe(0);
    expect(await rowsOf(counted)).toEqual(
      ["votes*", "votes1", "votes[1]", "~"].map((name) => ({ rater_id: name, n: 1 })),
    );
  });

  it.each(["votes (1)", "votes[1]", "{votes,1}"])(
    "a mapping that names the file %j means that file",
    async (name) => {
      const siblings = ["votes 1", "votes1", "votes"].map((file) => [
        `exactly/${file}.csv`,
        votesOf("sibling"),
      ]);
      const file = `exactly/${name}.csv`;
      const files = { ...(Object.fromEntries(siblings) as object), [file]: votesOf("own") };
      expect((await readStudy(mapping({ votes: file }), files)).code).toBe(0);
      expect(await rowsOf(counted)).toEqual([{ rater_id: "own", n: 1 }]);
      expect((await guessMapping(join(studies, file))).text).toContain("It reads 1 of 1 record.");
    },
  );
});

describe("the lint rules", () => {
  it.each([
    "warehouse.all(\"from read_csv('x.csv')\")",
    "warehouse.all(`select * from read_parquet(${text(file)})`)",
    "warehouse.all(`from glob(${text(file)})`)",
    "warehouse.all(`copy (${rows}) to ${text(file)}`)",
    "warehouse.all(`ATTACH ${text(file)} as x`)",
  ])("refuse a file that another way names to the engine: %s", async (statement) => {
    const { rules } = (await new ESLint({ cwd: root }).calculateConfigForFile(
      "src/lake/verify.ts",
    )) as Linter.Config;
    const own = { "no-restricted-syntax": rules?.["no-restricted-syntax"] ?? "off" };
    const [found] = new Linter().verify(statement, { rules: own });
    expect(found?.message).toBe(
      "Files are named to the engine through src/platform/engine-files.ts.",
    );
  });
});
