import { auditSnapshot } from "../../../src/audit/audit.js";
import type { AuditOptions, AuditReport } from "../../../src/audit/index.js";
import {
  conventionsWith,
  type Conventions,
  type ConventionsInput,
  kinds,
} from "../../../src/metrics/index.js";
import { auditedModels, publishedModels } from "../../../src/audit/lake.js";
import { modelsOnDemand, type Warehouse } from "../../../src/warehouse/index.js";
import { readGolden, type Expected } from "../golden-case.js";
import { loadCase } from "../load-case.js";

/** A result as a service publishes it; experiment_id is the golden case's unless stated. */
export interface PublishedResult {
  readonly experiment_id?: string;
  readonly kind: string;
  readonly dimension?: string;
  readonly source?: string;
  readonly scores: unknown;
  readonly options?: unknown;
}

export { readGolden as golden, type Expected, type Golden, type Numbers } from "../golden-case.js";

export const snapshot = {
  id: "20260301T000000Z",
  created_at: "2026-03-01T00:00:00Z",
};

export function rounded<T>(value: T, decimals: number | null): T {
  if (decimals === null) return value;
  if (typeof value === "number") return Number(value.toFixed(decimals)) as T;
  if (Array.isArray(value)) return value.map((v: unknown) => rounded(v, decimals)) as T;
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([k, v]) => [k, rounded(v as unknown, decimals)]),
    ) as T;
  }
  return value;
}

export function scoresOf(expected: Expected): unknown[] {
  return Object.entries(expected).map(([stimulus, value]) =>
    typeof value === "number" ? { stimulus, value } : { stimulus, ...value },
  );
}

/** A warehouse of `publish`, which is used again after it was closed unless a test has run SQL of its own in it. */
interface Case {
  readonly inner: Warehouse;
  /** The conventions and sets of jobs that its models were made for; "" before they were. */
  madeFor: string;
  isListed: boolean;
  isIntact: boolean;
}

const cases = new WeakMap<Warehouse, Case>();
const idle = new Map<string, Case[]>();

async function borrowed(file: string): Promise<Case> {
  const known = idle.get(file)?.pop();
  if (known === undefined) {
    const inner = await loadCase(`${file}.json`, { threads: 1 });
    return { inner, madeFor: "", isListed: false, isIntact: true };
  }
  if (known.isListed) await listIn(known.inner, {});
  return known;
}

export async function publish(
  file: string,
  results: readonly PublishedResult[],
): Promise<Warehouse> {
  const own = await borrowed(file);
  const warehouse: Warehouse = {
    ...own.inner,
    all(sql, params) {
      Object.assign(own, { isIntact: false, madeFor: "" });
      return own.inner.all(sql, params);
    },
    close() {
      if (own.isIntact) idle.set(file, [...(idle.get(file) ?? []), own]);
      else own.inner.close();
    },
  };
  cases.set(warehouse, own);
  await publishIn(warehouse, readGolden(file).experiment.id, results);
  return warehouse;
}

/** Makes the models that an audit reads, unless they are there: of what is published, they hold only sets of jobs. */
async function makeModels(warehouse: Warehouse, conventions: Conventions): Promise<void> {
  const own = cases.get(warehouse);
  const madeFor = async () => {
    const sets = await own?.inner.all(
      "select distinct source, cast(more as varchar) as more from int_published order by all",
    );
    return JSON.stringify([conventions, sets]);
  };
  if (own !== undefined && own.madeFor !== "" && own.madeFor === (await madeFor())) return;
  const make = await modelsOnDemand(warehouse, conventions);
  await make([...publishedModels, ...auditedModels(kinds)]);
  if (own !== undefined) own.madeFor = await madeFor();
}

export async function publishIn(
  within: Warehouse,
  id: string,
  results: readonly PublishedResult[],
): Promise<void> {
  const warehouse = cases.get(within)?.inner ?? within;
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
export async function listIn(within: Warehouse, lists: Lists): Promise<void> {
  const own = cases.get(within);
  const warehouse = own?.inner ?? within;
  if (own !== undefined) own.isListed = true;
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
      const more = Object.fromEntries(
        Object.entries(record).filter(([name]) => !(name in columns)),
      );
      await warehouse.all(`insert into listed_${list} values (${known.join(", ")}, $1)`, [
        Object.keys(more).length === 0 ? null : JSON.stringify(more),
      ]);
    }
  }
}

export async function audited(
  file: string,
  results: readonly PublishedResult[],
  {
    lists,
    options,
    unsettled,
  }: { lists?: Lists; options?: AuditOptions; unsettled?: Map<string, string> } = {},
): Promise<AuditReport> {
  const warehouse = await publish(file, results);
  try {
    if (lists !== undefined) await listIn(warehouse, lists);
    return await audit(warehouse, {}, options, unsettled);
  } finally {
    warehouse.close();
  }
}

export async function audit(
  warehouse: Warehouse,
  input: ConventionsInput = {},
  options: AuditOptions = {},
  unsettled: ReadonlyMap<string, string> = new Map(),
): Promise<AuditReport> {
  const conventions = conventionsWith(input);
  await makeModels(warehouse, conventions);
  return auditSnapshot(
    cases.get(warehouse)?.inner ?? warehouse,
    {
      ...snapshot,
      doubts: {
        experiments: new Map([...unsettled].map(([id, says]) => [id, { says, lost: 0 }])),
        lists: new Map(),
      },
    },
    conventions,
    options,
  );
}
