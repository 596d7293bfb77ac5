import { createHmac } from "node:crypto";
import {
  appendFileSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEmulator, type RunningEmulator } from "../../src/emulator/index.js";
import { tableColumns, tableNames, treatmentOf } from "../../src/contract/index.js";
import { openWarehouse } from "../../src/warehouse/index.js";
import { auditLake } from "../../src/audit/index.js";
import { folderOfTests } from "../support/folder.js";
import { auditOf } from "../support/export-and-audit.js";
import { goldenDir } from "../support/golden-case.js";
import { recountHere } from "../support/in-process.js";
import { writeStudy } from "../support/study-files.js";
import { unpackZip } from "../../src/audit/bundle/zip.js";

const key = "0123456789abcdef0123456789abcdef";
const hash = (text: string) => createHmac("sha256", key).update(text).digest("hex").slice(0, 32);

interface Case {
  experiment: { config?: unknown };
  sessions: { id: string; meta: unknown; rater: { id: string; user: unknown; meta: unknown } }[];
  slates: { session_id: string; rater_id: string; meta: unknown; ratings: Answer[] }[];
  ratings: Answer[];
}
interface Answer {
  session_id: string;
  rater_id: number;
  meta: Record<string, unknown>;
}

function withPersons(file: string): Case {
  const study = JSON.parse(readFileSync(join(goldenDir, `${file}.json`), "utf8")) as Case;
  const raterOf = (id: string | number) => 7_770_000 + Number(id);
  const sessionOf = (id: string) => `sess77${id}`;
  const answer = (one: Answer): Answer => ({
    ...one,
    ...{ session_id: sessionOf(one.session_id), rater_id: raterOf(one.rater_id) },
    meta: { ...one.meta, comment: "Said Jane Planted" },
  });
  return {
    ...study,
    experiment: { ...study.experiment, config: { contact: "jane.planted@example.org" } },
    sessions: study.sessions.map((session) => ({
      ...session,
      id: sessionOf(session.id),
      meta: { browser: "Jane Planted's phone" },
      rater: {
        id: String(raterOf(session.rater.id)),
        user: {
          name: "Jane Planted",
          email: "jane.planted@example.org",
          external: "prolific-7f3a",
        },
        meta: { panel: "prolific-7f3a" },
      },
    })),
    slates: study.slates.map((slate) => ({
      ...slate,
      session_id: sessionOf(slate.session_id),
      rater_id: String(raterOf(slate.rater_id)),
      meta: { note: "prolific-7f3a" },
      ratings: slate.ratings.map(answer),
    })),
    ratings: study.ratings.map(answer),
  };
}

/** Originals that stand for persons; each is in the unpseudonymised lake. */
const originals = /jane|planted|prolific|777000\d|777001\d|sess77/i;

describe.each(["export", "import"] as const)("under pseudonyms, an %s", (way) => {
  const folder = folderOfTests("recount-pseudonyms");
  const [plain, hidden] = [join(folder, "plain"), join(folder, "hidden")];
  const keyFile = join(folder, "key");
  let service: RunningEmulator;
  let project: string;
  let words: readonly string[];
  const run = (args: readonly string[], more: Record<string, string> = {}) =>
    recountHere(args, { RECOUNT_API_KEY: service.apiKey, ...more });
  const writeTo = (lake: string, ...more: string[]) =>
    run([...words, "--lake", lake, "-v", ...more]);
  const pseudonymise = ["--pseudonymise", "--pseudonym-key-file", keyFile];

  async function textIn(place: string): Promise<string> {
    const warehouse = await openWarehouse({ sources: {} });
    const texts: string[] = [];
    for (const path of readdirSync(place, { recursive: true, encoding: "utf8" })) {
      const file = join(place, path);
      if (!statSync(file).isFile()) continue;
      texts.push(readFileSync(file, "latin1"));
      if (!path.endsWith(".parquet")) continue;
      const rows = await warehouse.all(
        `select to_json(t)::varchar as row from read_parquet('${file}') as t`,
      );
      texts.push(...rows.map(({ row }) => row as string));
    }
    warehouse.close();
    return texts.join("\n");
  }

  beforeAll(async () => {
    const load = ["tiny-pairwise", "codec-preference"].map((file) => {
      const path = join(folder, `${file}.json`);
      writeFileSync(path, JSON.stringify(withPersons(file)));
      return path;
    });
    writeFileSync(keyFile, `${key}\n`);
    const unfit = { kind: "raw_row", row: 1, text: '{"id":{"name":"Jane Planted"}}' } as const;
    const unknown = { kind: "raw_value", row: 0, field: "nickname", text: '"jane-7f3a"' } as const;
    service = await startEmulator({
      load,
      faults: [
        { operation: "listRaters", fault: unfit },
        { operation: "listSessions", fault: unknown },
        { operation: "listRatings", fault: unknown },
      ],
    });
    project = service.projectId;
    words = ["export", "--base-url", service.url, "--project", project];
    if (way === "import") {
      const source = join(folder, "source");
      expect((await writeTo(source, "--no-raw")).code).toBe(2);
      const row = { stimulus: "A", dimension: "" };
      const more = [
        { ...row, rater_id: "prolific-7f3a", score: "said Jane" },
        { ...row, rater_id: "Wilma Planted", score: 1 },
      ];
      const list = { skip: { rater_id: ["Wilma Planted"] } };
      project = "exp1";
      words = [
        "import",
        await writeStudy(source, project, folder, { stem: "jane.planted", more, list }),
      ];
    }
    expect((await writeTo(plain)).code).toBe(2);
  });
  afterAll(() => service.close());

  it("it holds no identifier, name, address or word of a rater in any file, and the key is in none", async () => {
    const { code, stdout, stderr } = await writeTo(hidden, ...pseudonymise);
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("quarantine") as string,
    });
    expect(await textIn(plain)).toMatch(originals);
    const text = `${stdout}${stderr}${await textIn(hidden)}`;
    expect(text.match(originals)?.[0]).toBeUndefined();
    expect(text).not.toContain(key);
    expect(readdirSync(join(hidden, project))).not.toContain("raw");
    expect((await run(["verify", "--lake", hidden])).code).toBe(0);
  });

  it("its identifiers are keyed hashes that join over tables, and flags of correctness stay", async () => {
    const query = async (lake: string, sql: string) =>
      JSON.parse((await run(["query", sql, "--lake", lake, "--format", "json"])).stdout) as Record<
        string,
        unknown
      >[];
    const sessions =
      "select id, rater ->> '$.id' as rater, rater as object from sessions order by id";
    const expected = (await query(plain, sessions)).map(({ id, rater }) => {
      const pseudonym = hash(`rater:${rater as string}`);
      return {
        id: hash(`session:${id as string}`),
        rater: pseudonym,
        object: `{"id":"${pseudonym}"}`,
      };
    });
    expect(await query(hidden, sessions)).toEqual(
      expected.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    );
    const joined =
      "select count(*)::int as n from ratings join sessions on sessions.id = session_id join slates on slates.id = slate_id and slates.session_id = ratings.session_id and slates.rater_id = ratings.rater_id where sessions.rater ->> '$.id' = ratings.rater_id";
    const [total] = await query(plain, "select count(*)::int as n from ratings");
    expect(await query(hidden, joined)).toEqual([total]);
    const flags =
      "select distinct is_correct, meta -> '$.expectedScores' as bounds, meta -> '$.isCorrect' as flag from ratings order by all";
    expect(await query(hidden, flags)).toEqual(await query(plain, flags));
    expect(
      await query(hidden, "select distinct meta from ratings where meta like '%comment%'"),
    ).toEqual([]);
  });

  /** To 10 digits: Bradley-Terry adds up the raters in the order of their identifiers, which moves the last bits. */
  const rounded = (rows: unknown) =>
    JSON.parse(
      JSON.stringify(rows, (_, value: unknown) =>
        typeof value === "number" ? Number(value.toPrecision(10)) : value,
      ),
    ) as unknown;

  // Not compared: intervals of resampled raters, whose draws follow the order of the identifiers.
  it("the audit and every metric are those of the originals", async () => {
    const metrics = async (lake: string) => {
      const { snapshot, warehouse, report } = await auditLake(lake, project);
      const tables: Record<string, unknown> = {};
      const names = await warehouse.all(
        "select table_name as name from duckdb_tables() where table_name like 'metric_%'",
      );
      for (const { name } of names)
        tables[name as string] = await warehouse.all(
          `select columns(c -> c not in ('rater_id', 'ci_low', 'ci_high')) from ${name as string} order by all`,
        );
      warehouse.close();
      return { snapshot, report, tables };
    };
    const [{ report: before, tables: was }, { report: after, tables: is }] = [
      await metrics(plain),
      await metrics(hidden),
    ];
    for (const name of Object.keys(was))
      expect(rounded(is[name]), name).toEqual(rounded(was[name]));
    expect(after.rows).toEqual(before.rows);
    expect(after).toMatchObject({
      summary: before.summary,
      correctness: before.correctness,
      findings: before.findings,
    });
  });

  it("the next export has the same pseudonyms: only what changed is new, and nothing counts as deleted", async () => {
    expect((await writeTo(hidden, ...pseudonymise)).code).toBe(2);
    const { stdout } = await run(["diff", "--lake", hidden, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ tables: [] });
  });

  it.each([
    ["without the key", [], /needs the key|pseudonyms of the key [0-9a-f]{16}/],
    ["with another key", ["--pseudonymise"], /pseudonyms of the key [0-9a-f]{16}/],
  ])("an export into that lake %s is refused in one line", async (_, args, problem) => {
    const RECOUNT_PSEUDONYM_KEY = "another key of thirty-two letters";
    const { code, stderr } = await run([...words, "--lake", hidden, ...args], {
      RECOUNT_PSEUDONYM_KEY,
    });
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringMatching(problem) as string });
    expect(stderr.trim().split("\n").at(-1)).not.toContain(RECOUNT_PSEUDONYM_KEY);
  });

  it("an export into a lake of originals is refused, and so is a key that can be guessed", async () => {
    expect(await writeTo(plain, ...pseudonymise)).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("pseudonyms need another lake") as string,
    });
    const short = await run([...words, "--pseudonymise"], { RECOUNT_PSEUDONYM_KEY: "short" });
    expect(short).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("at least 32") as string,
    });
  });

  it("an evidence bundle of a lake of originals holds none of them, and verifies", async () => {
    const bundle = join(folder, "evidence.zip");
    const { stdout } = await run(["audit", "--lake", plain, "--bundle", bundle, ...pseudonymise]);
    expect(stdout).toContain(`Wrote ${bundle}`);
    const contents = join(folder, "unpacked");
    await unpackZip(bundle, contents);
    const text = await textIn(contents);
    expect(text.match(originals)?.[0]).toBeUndefined();
    expect(text).toContain(hash("rater:7770001"));
    expect((await run(["verify", bundle])).code).toBe(0);
    const { rows } = JSON.parse(readFileSync(join(contents, "audit.json"), "utf8")) as {
      rows: unknown;
    };
    expect(rows).toEqual((await auditOf(plain, project)).rows);
  });

  it("a pipeline pseudonymises its lake, or its bundle alone", async () => {
    for (const scope of ["lake", "bundle"]) {
      const file = join(folder, `${scope}.yaml`);
      const lake = join(folder, `of-${scope}`);
      const lines = [
        `lake: ${lake}`,
        way === "import" ? "import: jane.planted.yaml" : "selection: { ids: [exp1] }",
        "pseudonymise:",
        `  scope: ${scope}`,
        "  key_file: key",
        "outputs:",
      ];
      writeFileSync(file, [...lines, `  bundle: ${scope}.zip`, ""].join("\n"));
      const { stderr } = await run(["run", file, ...(way === "import" ? [] : words.slice(1))]);
      expect(stderr).not.toContain(key);
      const contents = join(folder, `unpacked-${scope}`);
      await unpackZip(join(folder, `${scope}.zip`), contents);
      expect((await textIn(contents)).match(originals)?.[0]).toBeUndefined();
      expect(originals.test(await textIn(lake))).toBe(scope === "bundle");
      if (way === "export" || scope === "bundle") continue;
      const ratings = join(folder, "jane.planted.jsonl");
      appendFileSync(ratings, "\0");
      expect(await run(["run", file])).toMatchObject({
        code: 4,
        stderr: expect.stringContaining("jane.planted") as string,
      });
      expect((await textIn(lake)).match(originals)?.[0]).toBeUndefined();
      truncateSync(ratings, statSync(ratings).size - 1);
    }
  });
});

it("every column says what pseudonymising does to it", () => {
  const missing = tableNames.flatMap((table) =>
    tableColumns(table).flatMap(({ name }) =>
      treatmentOf(table, name) === undefined ? [`${table}.${name}`] : [],
    ),
  );
  expect(missing).toEqual([]);
});
