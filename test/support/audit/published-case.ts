import { readFileSync } from "node:fs";
import { join } from "node:path";
import { auditSnapshot, type AuditOptions, type AuditReport } from "../../../src/audit/index.js";
import { conventionsWith, type ConventionsInput } from "../../../src/metrics/conventions.js";
import { recomputeAudited } from "../../../src/audit/audit-lake.js";
import type { Warehouse } from "../../../src/warehouse/index.js";
import { goldenDir, loadCase } from "../load-case.js";

/** A result as a service publishes it; experiment_id is the golden case's unless stated. */
export interface PublishedResult {
  readonly experiment_id?: string;
  readonly kind: string;
  readonly dimension?: string;
  readonly source?: string;
  readonly scores: unknown;
  readonly options?: unknown;
}

export type Numbers = Record<string, number>;
export type Expected = Record<string, number | Numbers>;
export interface Golden {
  readonly experiment: { id: string };
  readonly expected: Record<string, Record<string, Expected> & { variants: Record<string, Expected> }>;
}

export const golden = (file: string): Golden =>
  JSON.parse(readFileSync(join(goldenDir, `${file}.json`), "utf8")) as Golden;

export const snapshot = {
  id: "20260301T000000Z",
  created_at: "2026-03-01T00:00:00Z",
  unsettled: new Map<string, string>(),
};

/** Rounds every number of an expected block to `decimals`, as a service would. */
export function rounded<T>(value: T, decimals: number | null): T {
  if (decimals === null) return value;
  if (typeof value === "number") return Number(value.toFixed(decimals)) as T;
  if (Array.isArray(value)) return value.map((v: unknown) => rounded(v, decimals)) as T;
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, rounded(v as unknown, decimals)])) as T;
  }
  return value;
}

/** An expected block as `scores`. */
export function scoresOf(expected: Expected): unknown[] {
  return Object.entries(expected).map(([stimulus, value]) =>
    typeof value === "number" ? { stimulus, value } : { stimulus, ...value },
  );
}

/** A golden case in a warehouse with `results` in its results table. */
export async function publish(file: string, results: readonly PublishedResult[]): Promise<Warehouse> {
  const warehouse = await loadCase(`${file}.json`, { threads: 1 });
  await publishIn(warehouse, golden(file).experiment.id, results);
  return warehouse;
}

export async function publishIn(warehouse: Warehouse, id: string, results: readonly PublishedResult[]): Promise<void> {
  await warehouse.all(`drop view if exists results; create or replace table published
    (experiment_id varchar, kind varchar, dimension varchar, source varchar, asked_source varchar, scores json, options json, _meta json);
    create view results as from published`);
  for (const r of results) {
    await warehouse.all("insert into published values ($1, $2, $3, $4, null, $5, $6, null)", [
      r.experiment_id ?? id,
      r.kind,
      r.dimension ?? "",
      r.source ?? "",
      JSON.stringify(r.scores),
      JSON.stringify(r.options ?? {}),
    ]);
  }
}

/** Records of the lists of a project, as a service gives them; `metrics` and `leaderboards` fields as in the contract, others are unknown to it. */
export interface Lists {
  readonly metrics?: readonly Record<string, unknown>[];
  readonly leaderboards?: readonly Record<string, unknown>[];
  readonly rubrics?: readonly Record<string, unknown>[];
}

const listColumns: Record<keyof Lists, Record<string, string>> = {
  metrics: {
    kind: "varchar",
    dimension: "varchar",
    source: "varchar",
    scores: "json",
    options: "json",
    experiment_id: "varchar",
    job_id: "varchar",
    leaderboard_id: "varchar",
    asked_source: "varchar",
  },
  leaderboards: {
    id: "varchar",
    name: "varchar",
    rubric_id: "varchar",
    kind: "varchar",
    dimension: "varchar",
    experiment_ids: "varchar[]",
    scores: "json",
  },
  rubrics: { id: "varchar", name: "varchar", leaderboards: "json" },
};

/** Fills the project's lists as the export would: known fields in columns, the rest in `_meta`. */
export async function listIn(warehouse: Warehouse, lists: Lists): Promise<void> {
  for (const [list, columns] of Object.entries(listColumns)) {
    const fields = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
    await warehouse.all(
      `drop view if exists ${list}; create or replace table listed_${list} (${fields.join(", ")}, _meta json); create view ${list} as from listed_${list}`,
    );
    for (const record of lists[list as keyof Lists] ?? []) {
      const known = Object.entries(columns).map(([name, type]) => {
        const value = record[name] ?? null;
        if (value === null) return "null";
        const text = `'${(typeof value === "string" && type === "varchar" ? value : JSON.stringify(value)).replaceAll("'", "''")}'`;
        return type === "varchar[]" ? `from_json(${text}, '["varchar"]')` : text;
      });
      const more = Object.fromEntries(Object.entries(record).filter(([name]) => !(name in columns)));
      await warehouse.all(`insert into listed_${list} values (${known.join(", ")}, $1)`, [
        Object.keys(more).length === 0 ? null : JSON.stringify(more),
      ]);
    }
  }
}

export async function audit(
  warehouse: Warehouse,
  input: ConventionsInput = {},
  options: AuditOptions = {},
  unsettled = snapshot.unsettled,
): Promise<AuditReport> {
  const conventions = conventionsWith(input);
  await recomputeAudited(warehouse, conventions);
  return auditSnapshot(warehouse, { ...snapshot, unsettled }, conventions, options);
}
