import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Table from "cli-table3";
import { Evaluator } from "../src/audit/evaluate/evaluator.js";
import type { Table as Numbers } from "../src/audit/evaluate/table.js";
import { loadFacts } from "../src/audit/facts/load.js";
import { ownScenario, patched, type ScenarioPatch } from "../src/audit/hypotheses/scenario.js";
import { auditLake, auditSnapshot, type Kind } from "../src/audit/index.js";
import { createClient } from "../src/client/index.js";
import { exportSnapshot } from "../src/extract/index.js";
import { defaultConventions } from "../src/metrics/conventions.js";
import { startService } from "../src/service/index.js";
import { openWarehouse, recompute, type Warehouse } from "../src/warehouse/index.js";
import { writeStudy } from "./metrics-data.js";

type Line = readonly [task: string, ms: number, note: string];

/** Times the audit of the sample project and of a large experiment, and prints a table. */
export async function benchAudit(print: (text: string) => void): Promise<void> {
  const lines = [await sampleLine(), ...(await largeLines({ comparisons: 1_000_000, items: 50 }))];
  const table = new Table({ head: ["audit", "ms", ""], colAligns: ["left", "right", "left"], style: { head: [] } });
  for (const [task, ms, note] of lines) table.push([task, ms.toFixed(0), note]);
  print(table.toString());
}

async function sampleLine(): Promise<Line> {
  const lake = await mkdtemp(join(tmpdir(), "recount-bench-"));
  const service = await startService({});
  try {
    const client = createClient({ baseUrl: service.url, credentials: { scheme: "api-key", key: service.apiKey } });
    await exportSnapshot({ client, projectId: service.projectId, lake });
    await client.close();
    const start = performance.now();
    const { warehouse, report } = await auditLake(lake, service.projectId);
    const ms = performance.now() - start;
    warehouse.close();
    return ["sample project: every model, audit and search", ms, `${report.rows.length} numbers, ${report.summary.explained} explained`];
  } finally {
    await service.close();
    await rm(lake, { recursive: true });
  }
}

/** What is published of the large experiment, one result at a time. */
const published: readonly (readonly [what: string, kind: Kind, patch: ScenarioPatch, spoil: (value: number, i: number) => number])[] = [
  ["percent_chosen with training", "percent_chosen", { population: { training: "include" } }, (v) => v],
  ["elo with K 24 and start 1500", "elo", { conventions: { elo: { k: 24, start: 1500 } } }, (v) => Number(v.toFixed(1))],
  ["elo with training, batched by session", "elo", { population: { training: "include" }, conventions: { elo: { update: "session_batch" } } }, (v) => v],
  ["bayesian_elo with shape 2", "bayesian_elo", { conventions: { bayesian_elo: { shape: 2 } } }, (v) => v],
  ["percent_chosen, spoilt", "percent_chosen", {}, (v, i) => v + (i % 3)],
  ["elo, spoilt", "elo", {}, (v, i) => v + (i % 3)],
  ["bayesian_elo, spoilt", "bayesian_elo", {}, (v, i) => v + (i % 3)],
];

async function largeLines(study: { comparisons: number; items: number }): Promise<Line[]> {
  const dir = await mkdtemp(join(tmpdir(), "recount-bench-"));
  try {
    const warehouse = await openWarehouse({ sources: await writeStudy(dir, study) });
    await recompute(warehouse, defaultConventions);
    const start = performance.now();
    const evaluator = new Evaluator(await loadFacts(warehouse, "bench"));
    const lines: Line[] = [[`${study.comparisons.toLocaleString("en")} slates, ${study.items} items: loading the facts`, performance.now() - start, ""]];
    for (const [what, kind, patch, spoil] of published) {
      const numbers = evaluator.table(kind, patched(ownScenario(defaultConventions, "", ""), patch));
      await publish(warehouse, kind, numbers, spoil);
      const from = performance.now();
      const report = await auditSnapshot(warehouse, { id: "bench", created_at: "", unsettled: new Map() }, defaultConventions);
      const [finding] = report.findings;
      const note = finding?.explanation?.name ?? finding?.smallest_difference?.says ?? "unexplained";
      const untried = finding?.untried.length ? `; not tried: ${finding.untried.join(", ")}` : "";
      lines.push([`  ${what}`, performance.now() - from, `${finding?.tried ?? 0} tried: ${note}${untried}`]);
    }
    warehouse.close();
    return lines;
  } finally {
    await rm(dir, { recursive: true });
  }
}

async function publish(warehouse: Warehouse, kind: Kind, { items, columns }: Numbers, spoil: (value: number, i: number) => number): Promise<void> {
  const scores = items.map((stimulus, i) => ({ stimulus, value: spoil(columns["value"]?.[i] ?? NaN, i) }));
  await warehouse.all("drop view if exists results");
  await warehouse.all(`create or replace table results_published as select 'bench' as experiment_id, $1 as kind, '' as dimension,
    '' as source, cast($2 as json) as scores, cast('{}' as json) as options`, [kind, JSON.stringify(scores)]);
  await warehouse.all("create view results as from results_published");
}
