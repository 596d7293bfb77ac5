import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { auditLake } from "../../src/audit/audit-lake.js";
import {
  auditExitCode,
  auditOnce,
  defaultLimits,
  type AuditRow,
  type AuditSettings,
} from "../../src/audit/index.js";
import { defaultTolerances } from "../../src/audit/settings.js";
import { startEmulator } from "../../src/emulator/index.js";
import type { PublishingRule } from "../../src/emulator/publishing/rules.js";
import { locateKept } from "../../src/lake/index.js";
import { conventionsWith } from "../../src/metrics/conventions.js";
import { outputNames, writeOutputs } from "../../src/pipeline/outputs.js";
import { exportTo } from "../support/export-to-lake.js";
import { folderOfTests } from "../support/folder.js";
import { goldenPaths } from "../support/golden-case.js";

const folder = folderOfTests("recount-taken-rows");
const lake = join(folder, "lake");
const project = "Listen42";
const settings: AuditSettings = {
  conventions: conventionsWith({ bradley_terry: { rater_samples: 20 }, elo: { permutations: 5 } }),
  tolerances: defaultTolerances,
  shapes: {},
  records: {},
  limits: { ...defaultLimits, depth: 1 },
  accept: [],
  ignore: [],
};

/** A golden case under another identifier. */
const study = (name: string, number: number): string =>
  readFileSync(goldenPaths(name)[0] ?? "", "utf8")
    .replaceAll(/\b(exp\d)/g, `$1n${number}`)
    .replaceAll(/\b(s\d)(x|\d)/g, `$1n${number}$2`)
    .replaceAll(/\b(job\d)/g, `$1n${number}`);

const studies = new Map(
  ["tiny-pairwise", "acr", "tiny-pairwise", "tiny-pairwise", "acr", "tiny-pairwise"].map(
    (name, i) => [`study${i}`, study(name, i)],
  ),
);
let publishing: PublishingRule[] = [];

async function night(): Promise<string> {
  const load = [...studies].map(([name, text]) => {
    const file = join(folder, `${name}.json`);
    writeFileSync(file, text);
    return file;
  });
  const service = await startEmulator({ load, publishing });
  const { snapshot } = await exportTo(lake, service).finally(() => service.close());
  return snapshot;
}

const change = (name: string, of: (text: string) => string): void => {
  const before = studies.get(name) ?? "";
  studies.set(name, of(before));
  expect(studies.get(name)).not.toBe(before);
};

/** All that is written of an audit, its exit code and its lines. */
async function audited(options: Partial<AuditSettings> & { isFull?: boolean } = {}) {
  const lines: string[] = [];
  const warn = (line: string) => lines.push(line);
  const { isFull = false, ...own } = options;
  const method = { ...settings, ...own };
  const one = await auditOnce(lake, project, { ...method, models: "audited", isFull, warn });
  const files = Object.fromEntries(
    outputNames.flatMap((name) => (name === "bundle" ? [] : [[name, join(folder, `out.${name}`)]])),
  );
  await writeOutputs(files, { lake, audited: one, settings: method, redact: (text) => text });
  one.close();
  const { summary, correctness, shortfalls } = one.report;
  const written = Object.entries(files).map(([name, file]) => [name, readFileSync(file, "utf8")]);
  const exitCode = auditExitCode(summary, correctness, shortfalls);
  return { outputs: { written, exitCode }, lines };
}

const wrong = (experiment: string, by: number): PublishingRule => ({
  experiment,
  kinds: ["elo"],
  corruption: { damage: "add", item: "A", field: "value", by },
});

const nights: readonly [string, () => void, Partial<AuditSettings>?][] = [
  ["the first", () => undefined],
  ["a wrong number", () => publishing.push(wrong("exp1n0", 3))],
  [
    "a second wrong number, which may have the same cause",
    () => publishing.push(wrong("exp1n2", 3)),
  ],
  ["a rating", () => change("study3", (text) => text.replace('"score":-1,', '"score":0,'))],
  ["an experiment that is new", () => void studies.set("study10", study("acr", 10))],
  ["an experiment that is gone", () => void studies.delete("study4")],
  ["a name", () => change("study5", (text) => text.replace("Tiny pairwise", "Tiny as renamed"))],
  [
    "the jobs of an experiment",
    () => change("study3", (text) => text.replace(/"job_id":"job1n3b"/, '"job_id":"job1n3a"')),
  ],
  ["a number that is right again", () => publishing.shift()],
  [
    "an accepted convention",
    () => undefined,
    { accept: [{ experiment: "*", kind: "elo", convention: "k=16", reason: "theirs" }] },
  ],
  [
    "other conventions",
    () => change("study1", (text) => text.replace('"score":4', '"score":5')),
    { conventions: conventionsWith({ elo: { k: 16, permutations: 5 } }) },
  ],
  ["a rating again", () => change("study3", (text) => text.replace('"score":1,', '"score":0,'))],
];

test("whatever changes overnight, what is taken over gives the bytes of a full audit", async () => {
  for (const [what, happens, options] of nights) {
    happens();
    await night();
    const again = await audited(options);
    const full = await audited({ ...options, isFull: true });
    expect(again.outputs, what).toEqual(full.outputs);
    expect(again.lines, what).toEqual([]);
  }
}, 900_000);

test("what is kept of an audit and damaged is not read, with a line", async () => {
  const before = await audited();
  const file = join((await locateKept(lake, project)) ?? "", "audit");
  const bytes = readFileSync(file);
  bytes[Math.floor(bytes.length / 2)]! ^= 1;
  writeFileSync(file, bytes);
  change("study2", (text) => text.replace('"score":1,', '"score":0,'));
  await night();
  const after = await audited();
  expect(after.lines).toEqual([`${file} is damaged: it is made again.`]);
  expect(after.outputs).toEqual((await audited({ isFull: true })).outputs);
  expect(after.outputs).not.toEqual(before.outputs);
}, 120_000);

test("an audit takes over experiments that did not change and whose numbers agree, and no others", async () => {
  publishing = [wrong("exp1n0", 3)];
  studies.set("study1", study("acr", 1));
  const first = await night();
  const { report, settled, warehouse } = await auditLake(lake, project, {
    ...settings,
    models: "audited",
    snapshot: first,
    earlier: null,
  });
  warehouse.close();
  // Numbers that nothing computes show what is taken over.
  const rows = report.rows.map((row) => ({ ...row, recomputed: -9 }));
  change("study3", (text) => text.replace('"score":1,', '"score":0,'));
  await night();
  const again = await auditLake(lake, project, {
    ...settings,
    models: "audited",
    earlier: { settled, report: { ...report, rows } },
  });
  again.warehouse.close();
  const ids = (all: readonly AuditRow[]) => [...new Set(all.map((row) => row.experiment_id))];
  const taken = ids(again.report.rows.filter(({ recomputed }) => recomputed === -9));
  const others = ids(again.report.rows.filter(({ recomputed }) => recomputed !== -9));
  expect(others).toEqual(["exp1n0", "exp1n3"]);
  expect(taken).toEqual(ids(report.rows).filter((id) => !others.includes(id)));
  expect(taken.length).toBeGreaterThan(2);
}, 120_000);
