import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { auditJson, auditOnce } from "../../src/audit/index.js";
import type { KeptAuditOptions } from "../../src/audit/lake.js";
import { startEmulator } from "../../src/emulator/index.js";
import { keepVerdicts, verdictName } from "../../src/pipeline/derived.js";
import { transform, type TransformOptions } from "../../src/pipeline/transform.js";
import { locateKept, readSnapshot } from "../../src/lake/index.js";
import { conventionsWith } from "../../src/metrics/conventions.js";
import { defaultTolerances } from "../../src/audit/compare/tolerances.js";
import { seededRandom } from "../../src/platform/random.js";
import { folderOfTests } from "../support/folder.js";
import { exportTo } from "../support/export-to-lake.js";
import { goldenPaths } from "../support/golden-case.js";
import { plainRows } from "../support/plain-duckdb.js";

const folder = folderOfTests("recount-equal");
const lake = join(folder, "lake");
const project = "Listen42";
const conventions = conventionsWith({
  bradley_terry: { rater_samples: 20 },
  elo: { permutations: 5 },
});
const [tiny = "", acr = "", approval = ""] = goldenPaths("tiny-pairwise", "acr", "approval");

async function exportedAll(studies: ReadonlyMap<string, string>, into = lake): Promise<string> {
  const load = [...studies].map(([name, text]) => {
    const file = join(folder, `${name}.json`);
    writeFileSync(file, text);
    return file;
  });
  const service = await startEmulator({ load });
  const { snapshot } = await exportTo(into, service).finally(() => service.close());
  return snapshot;
}

const exported = (change: (text: string) => string = (text) => text) =>
  exportedAll(
    new Map([
      ["case", change(readFileSync(tiny, "utf8"))],
      ["acr", readFileSync(acr, "utf8")],
    ]),
  );

async function databaseRows(dir: string): Promise<string> {
  const file = join(dir, "recount.duckdb");
  const tables = await plainRows(
    file,
    "select table_schema || '.' || table_name as name from information_schema.tables order by all",
  );
  const variable = `set variable folder = '${dir}'`;
  const counts = tables.map(({ name }) => {
    const own = String(name);
    return `select '${own}' as name, count(*)::integer as n, coalesce(sum(hash(t)::hugeint), 0)::varchar as h from ${own} as t`;
  });
  return JSON.stringify(await plainRows(file, variable, counts.join(" union all ")));
}

async function audited(options: Partial<KeptAuditOptions> = {}) {
  const lines: string[] = [];
  const audit = await auditOnce(lake, project, {
    conventions,
    models: "audited",
    warn: (line) => lines.push(line),
    ...options,
  });
  const { report } = audit;
  await keepVerdicts(lake, audit, options.conventions ?? conventions);
  audit.close();
  return { json: [...auditJson(report)].join(""), isTaken: audit.isTaken, lines };
}

async function transformed(options: TransformOptions = {}, from = lake) {
  const lines: string[] = [];
  const { dir, recomputed, written } = await transform(from, project, {
    conventions,
    warn: (line) => lines.push(line),
    ...options,
  });
  const isTable = (name: string) => name.endsWith(".parquet");
  const names = readdirSync(dir, { recursive: true, encoding: "utf8" })
    .filter((name) => name.includes("."))
    .toSorted();
  const files = names
    .filter(isTable)
    .map((name) => [name, readFileSync(join(dir, name), "latin1")] as const);
  const database = await databaseRows(dir);
  const checks = JSON.stringify(recomputed.checks);
  const rows = written.map(({ name, rows: count }) => `${name} ${count}`).join("\n");
  const state = names.map((name) => {
    const { ino, mtimeMs, ctimeMs } = statSync(join(dir, name));
    return [name, ino, mtimeMs, ctimeMs];
  });
  const inodes = names.filter(isTable).map((name) => statSync(join(dir, name)).ino);
  return {
    dir,
    made: { ...Object.fromEntries(files), database, checks, rows },
    state,
    inodes,
    lines,
  };
}

/** All but the database, whose pages differ, and the rows of an audit. */
const tablesOf = ({ made }: Awaited<ReturnType<typeof transformed>>) =>
  Object.entries(made).filter(
    ([name]) => name !== "database" && !name.startsWith(`${verdictName}/`),
  );

test("nothing that is equal is computed or written again, and it is what a full computation gives", async () => {
  await exported();
  const first = await transformed();
  const audit = await audited();
  expect(audit.isTaken).toBe(false);
  const withVerdicts = await transformed();
  expect(await audited()).toEqual({ ...audit, isTaken: true });
  const again = await transformed();
  expect(again).toEqual(withVerdicts);
  expect(again.state).not.toEqual(first.state);

  const night = await exported();
  const linked = await transformed();
  expect(linked.dir.endsWith(night)).toBe(true);
  expect(linked.inodes).toEqual(again.inodes);
  const next = await audited();
  expect(next).toEqual({ ...(await audited({ isFull: true })), isTaken: true });
  expect(next.json).toContain(night);
  const whole = await transformed();
  const full = await transformed({ isFull: true });
  expect(full.state).not.toEqual(whole.state);
  expect({ ...whole.made, rows: "" }).toEqual({ ...full.made, rows: "" });
  expect(whole.made.rows).toBe(full.made.rows);
}, 120_000);

const keptFile = (kept: string, name: string, end = "") =>
  join(kept, readdirSync(kept).find((one) => one.startsWith(name) && one.endsWith(end)) ?? "");

test.each([
  [
    "a derived file",
    (dir: string) => join(dir, "metric_elo", readdirSync(join(dir, "metric_elo"))[0] ?? ""),
  ],
  ["the database", (dir: string) => join(dir, "recount.duckdb")],
  [
    "the rows of an audit",
    (dir: string) => join(dir, verdictName, readdirSync(join(dir, verdictName))[0] ?? ""),
  ],
  [
    "a note of what was written",
    (dir: string) => keptFile(join(dir, "../.kept"), "tables", basename(dir)),
  ],
  ["a kept audit", (dir: string) => keptFile(join(dir, "../.kept"), "audit")],
])(
  "after damage to %s all is computed again, with a line",
  async (_, path) => {
    await exported();
    await transformed();
    await audited();
    const before = { ...(await transformed()), audit: await audited() };
    const file = path(before.dir);
    const bytes = readFileSync(file);
    bytes[Math.floor(bytes.length / 2)]! ^= 1;
    writeFileSync(file, bytes);
    const after = await transformed();
    const audit = await audited();
    const lines = new Set([...after.lines, ...audit.lines]);
    const own = [...lines].filter((line) => line.startsWith(file));
    expect(own.length).toBe(1);
    // The rows of an audit that was in a damaged database come back with the next audit.
    expect((await transformed()).made).toEqual(before.made);
    expect(audit.json).toBe(before.audit.json);
  },
  120_000,
);

test("a part that is not the one of the manifest ends all, and leaves nothing behind", async () => {
  await exported();
  await transformed();
  await audited();
  expect((await audited()).isTaken).toBe(true);
  const { tables } = await readSnapshot(lake, project);
  const [part = ""] = tables.ratings?.files ?? [];
  const bytes = readFileSync(part);
  const folder = (await locateKept(lake, project)) ?? "";
  const kept = readFileSync(keptFile(folder, "audit"));
  // Behind the rows, where the engine does not look.
  const tampered = Buffer.from(bytes);
  tampered[tampered.lastIndexOf("recount.columns") + 2]! ^= 1;
  writeFileSync(part, tampered);
  const says = /ratings\.parquet is not what the manifest lists: it has another SHA-256/;
  await expect(audited()).rejects.toThrow(says);
  await expect(transformed()).rejects.toThrow(says);
  expect(readFileSync(keptFile(folder, "audit"))).toEqual(kept);
  writeFileSync(part, bytes);
  expect((await audited()).isTaken).toBe(true);
}, 120_000);

const settings: readonly [string, Partial<KeptAuditOptions>][] = [
  ["conventions", { conventions: conventionsWith({ elo: { k: 16 } }) }],
  ["tolerances", { tolerances: { ...defaultTolerances, elo: { absolute: 5, relative: 0 } } }],
  [
    "accepted conventions",
    { accept: [{ experiment: "*", kind: "elo", convention: "k=16", reason: "theirs" }] },
  ],
  ["ignored fields", { ignore: [{ field: "votes", reason: "no definition" }] }],
  ["limits of the search", { limits: { work: 0 } }],
];

test.each(settings)("other %s take nothing over", async (_, own) => {
  await exported();
  const mine = await audited();
  expect((await audited()).isTaken).toBe(true);
  const others = await audited(own);
  expect(others.isTaken).toBe(false);
  expect(await audited(own)).toEqual({ ...others, isTaken: true });
  expect((await audited()).json).toBe(mine.json);
});

const changes: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replaceAll('"stimulus":"A"', '"stimulus":"A2"'),
  (text) => text.replace('"score":1,', '"score":0,'),
  (text) => text.replace('"date_completed":"2026-03-05T07:29:00Z"', '"date_completed":null'),
];

test("over drawn changes of the data, what is taken over is what a full computation gives", async () => {
  const text = readFileSync(tiny, "utf8");
  expect(new Set(changes.map((change) => change(text))).size).toBe(changes.length);
  const random = seededRandom(11);
  const places = changes.map((_, i) => ({ i, at: random() })).toSorted((a, b) => a.at - b.at);
  const drawn = places.map(({ i }) => i);
  let taken = 0;
  const seen = new Set<string>();
  for (const state of [...drawn, drawn.at(-1) ?? 0]) {
    const night = await exported(changes[state]);
    const tables = await transformed();
    const audit = await audited();
    if (audit.isTaken) taken++;
    seen.add(audit.json.replaceAll(night, "").replace(/"created_at": "[^"]+"/, ""));
    expect(audit.json).toBe((await audited({ isFull: true })).json);
    const full = await transformed({ isFull: true });
    expect(tablesOf(tables)).toEqual(tablesOf(full));
  }
  expect(taken).toBeGreaterThan(0);
  expect(seen.size).toBeGreaterThan(1);
}, 240_000);

const numbered = (file: string, number: number): string =>
  readFileSync(file, "utf8")
    .replaceAll(/\b(exp\d)/g, `$1n${number}`)
    .replaceAll(/\b(s\d)(x|\d)/g, `$1n${number}$2`);

interface Rating {
  session_id: string;
  stimulus: string;
}

function renamed(text: string, random: () => number): string {
  const { ratings } = JSON.parse(text) as { ratings: Rating[] };
  const { session_id, stimulus } = ratings[Math.floor(random() * ratings.length)]!;
  return JSON.stringify(JSON.parse(text), (_, value: Rating | null) =>
    value?.session_id === session_id && value.stimulus === stimulus
      ? { ...value, stimulus: `0 ${stimulus}` }
      : value,
  );
}

test("over drawn nights, what is linked and what is computed give the bytes of a full computation", async () => {
  const random = seededRandom(38);
  const cases = [tiny, acr, approval];
  const studies = new Map<string, string>();
  const add = (i: number) => studies.set(`study${i}`, numbered(cases[i % 3] ?? "", i));
  for (let i = 0; i < 6; i++) add(i);
  const own = join(folder, "nights");
  let linked = 0;
  let before = new Set<number>();
  for (let i = 0; i < 10; i++) {
    const all = [...studies.keys()];
    const one = all[Math.floor(random() * all.length)] ?? "";
    const draw = random();
    if (draw < 0.5) studies.set(one, renamed(studies.get(one) ?? "", random));
    else if (draw < 0.65) add(i + 10);
    else if (draw < 0.8 && all.length > 3) studies.delete(one);
    await exportedAll(studies, own);
    const options = { statistics: i % 8 === 3, models: i % 5 === 2 ? "all" : "usual" } as const;
    const reused = await transformed(options, own);
    linked += reused.inodes.filter((inode) => before.has(inode)).length;
    const together = i % 2 === 0 ? 1 : 1e9;
    const full = await transformed({ ...options, isFull: true, together }, own);
    expect(tablesOf(reused), `night ${i}, ${[...studies.keys()].join(" ")}`).toEqual(
      tablesOf(full),
    );
    expect(reused.lines).toEqual([]);
    before = new Set(full.inodes);
  }
  expect(linked).toBeGreaterThan(150);
}, 900_000);
