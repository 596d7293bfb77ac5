import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, stat, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { pipeline } from "node:stream/promises";
import {
  columnsWritten,
  layoutOf,
  manifestFormat,
  manifestName,
  manifestText,
  type Manifest,
  type Part,
  type Unit,
} from "../src/lake/index.js";
import { defaultConventions, kinds } from "../src/metrics/index.js";
import type { TableName } from "../src/contract/index.js";
import { openWarehouse, recompute, textOf, type TableSource } from "../src/warehouse/index.js";
import { everyColumn, writeScoredStudy, writeStudy, type ScoredStudy, type Study } from "./metrics-data.js";

const snapshot = "20260101T000000000Z";
const operations = {
  ratings: "listRatings",
  slates: "listSlates",
  sessions: "listSessions",
  results: "listResults",
} as const;

/** Writes a study as the lake of a project that commands can open. With `exact`, it publishes what Recount computes. */
export async function writeStudyLake(lake: string, study: Study | ScoredStudy, { exact = false } = {}): Promise<void> {
  const { snapshots, current } = layoutOf("bench");
  const dir = join(lake, snapshots, snapshot);
  const sources = "scores" in study ? await writeScoredStudy(dir, study) : await writeStudy(dir, study);
  if (exact) sources.results = { files: await writeResults(dir, sources), columns: {} };
  const units: Unit[] = [];
  for (const [table, { files }] of Object.entries(sources)) {
    for (const file of files) units.push(await unitOf(table as keyof typeof operations, dir, file));
  }
  const ids = new Set(units.map(({ experiment_id }) => experiment_id ?? ""));
  const manifest: Manifest = {
    format: manifestFormat,
    ...{ recount: "0.0.0", snapshot, project_id: "bench", service: "http://127.0.0.1", elapsed_ms: 0, previous: null },
    created_at: "2026-01-01T00:00:00.000Z",
    selection: { ids: [], names: [], types: [] },
    experiments: [...ids].map((id) => ({ id, name: id, type: null, state: "complete" as const, reason: null })),
    units,
    columns: columnsWritten(units),
    converter: "",
  };
  await writeFile(join(dir, manifestName), manifestText(manifest));
  await writeFile(join(lake, current), `${snapshot}\n`);
}

async function unitOf(table: keyof typeof operations, dir: string, file: string): Promise<Unit> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  const part: Part = {
    table: table satisfies TableName,
    path: relative(dir, file),
    ...{ rows: 0, quarantined: 0, quarantine: null, quarantine_sha256: null, unknown_fields: {}, reader: "typed" },
    bytes: (await stat(file)).size,
    sha256: hash.digest("hex"),
  };
  return {
    operation: operations[table],
    experiment_id: /experiment_id=([^/]+)/.exec(part.path)?.[1] ?? null,
    ...{ parameters: {}, state: "complete", status: 200, attempts: 1, elapsed_ms: 0, etag: null, body: null },
    started_at: "2026-01-01T00:00:00Z",
    elements: 0,
    parts: [part],
  };
}

/** Every kind's numbers under the default conventions, for the experiment and each job, as the service publishes them. */
async function writeResults(dir: string, sources: Record<string, TableSource>): Promise<string[]> {
  const warehouse = await openWarehouse({ sources });
  await recompute(warehouse, defaultConventions);
  const published = kinds.map(
    (kind) => `select experiment_id, '${kind}' as kind, dimension, source, to_json(list(m)) as scores
      from metric_${kind} as m
      group by experiment_id, dimension, source`,
  );
  const ids = (await warehouse.all("select distinct experiment_id as id from ratings")).map((row) => textOf(row, "id"));
  await warehouse.all(`create table published as ${published.join(" union all ")}`);
  const files: string[] = [];
  for (const id of ids) {
    const folder = join(dir, `experiment_id=${id}`);
    await mkdir(folder, { recursive: true });
    files.push(join(folder, "results.parquet"));
    await warehouse.all(`copy (${everyColumn("results")}
      select kind, dimension, source, scores, cast('{}' as json) as options
      from published where experiment_id = '${id}'
    ) to '${files.at(-1) ?? ""}' (format parquet)`);
  }
  warehouse.close();
  return files;
}
