import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { expect, test } from "vitest";
import { auditLake, type AuditLakeOptions } from "../../src/audit/index.js";
import { startEmulator } from "../../src/emulator/index.js";
import { locateDerived } from "../../src/lake/index.js";
import { defaultConventions } from "../../src/metrics/index.js";
import { transform, type TransformOptions } from "../../src/pipeline/transform.js";
import { reportPage } from "../../src/report/index.js";
import { readKept, writeKept } from "../../src/warehouse/kept-results.js";
import { folderOfTests } from "../support/folder.js";
import { exportTo } from "../support/export-to-lake.js";
import { goldenPaths } from "../support/golden-case.js";

const folder = folderOfTests("recount-kept");
const lake = join(folder, "lake");
const project = "Listen42";

interface Rating {
  readonly session_id: string;
  readonly stimulus: string;
}

const [tiny = ""] = goldenPaths("tiny-pairwise");

function written(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** The first experiment with one more item: in one session, a stimulus has another name. Every number after it changes. */
function changedCase(): string {
  const study = JSON.parse(readFileSync(tiny, "utf8")) as { ratings: Rating[] };
  const { session_id: session, stimulus } = study.ratings[0]!;
  const changed = JSON.stringify(study, (_, value: Rating | null) =>
    value?.session_id === session && value.stimulus === stimulus ? { ...value, stimulus: `0 ${stimulus}` } : value,
  );
  return written("changed.json", changed);
}

async function exported(first: string): Promise<void> {
  const other = written("other.json", readFileSync(tiny, "utf8").replaceAll("exp1", "exp2").replaceAll("s1x", "s2x"));
  const service = await startEmulator({ load: [first, other, ...goldenPaths("acr")] });
  await exportTo(lake, service).finally(() => service.close());
}

/** The Parquet files that a transform writes, as text of their bytes. */
async function tablesOf(options: TransformOptions): Promise<Record<string, string>> {
  const { dir } = await transform(lake, project, options);
  const files = readdirSync(dir).filter((name) => name.endsWith(".parquet"));
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(dir, name), "latin1")]));
}

async function page(options: AuditLakeOptions): Promise<string> {
  const audited = await auditLake(lake, project, { statistics: true, ...options });
  try {
    return await reportPage(lake, audited, defaultConventions, (text) => text);
  } finally {
    audited.warehouse.close();
  }
}

/** Changes the intervals that are kept, so that a reader notices them. */
async function plantIntervals(folder: string): Promise<void> {
  const { before } = await readKept({ folder }, "fit_bradley_terry");
  const used = new Map(before);
  for (const [key, bytes] of before) {
    const drawn = deserialize(bytes) as { intervals: { low: Float64Array } };
    drawn.intervals.low.fill(-9);
    used.set(key, serialize(drawn));
  }
  await writeKept({ folder }, "fit_bradley_terry", { before: new Map(), used });
}

test("after a change in one experiment, what is reused gives the bytes of a full computation", async () => {
  await exported(tiny);
  await transform(lake, project, { statistics: true });
  await exported(changedCase());
  const reused = { ...(await tablesOf({ statistics: true })), page: await page({ kept: "read" }) };
  const full: Record<string, string> = {
    ...(await tablesOf({ statistics: true, isFull: true })),
    page: await page({}),
  };
  expect(Object.keys(full).length).toBeGreaterThan(40);
  expect(reused).toEqual(full);

  // A planted interval shows that results are taken from there, and by a full computation not.
  await plantIntervals(locateDerived(lake, project, ".kept"));
  const table = "metric_bradley_terry_intervals.parquet";
  expect((await tablesOf({}))[table]).not.toBe(full[table]);
  expect((await tablesOf({ isFull: true }))[table]).toBe(full[table]);
});
