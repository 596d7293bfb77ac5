/** The models of a snapshot as files, which are written once for equal data. */
import { join } from "node:path";
import type { AuditReport, KeptAudit } from "../audit/index.js";
import { isOfExperiment, lakeTable, tableColumns, tableNames } from "../contract/index.js";
import {
  keptKey,
  locateDerived,
  makeDerived,
  type KeptFolder,
  type Snapshot,
} from "../lake/index.js";
import { defaultConventions, type Conventions } from "../metrics/index.js";
import { digestOf, exists, fsp, isObject, isRegularFile, makeDir } from "../platform/index.js";
import {
  addToDatabase,
  databaseName,
  groupFile,
  isGroupIntact,
  madeOf,
  madeTables,
  noteTables,
  openWarehouse,
  replaced,
  text,
  writeDatabase,
  writeTables,
  type GroupFile,
  type MadeGroup,
  type MadeTables,
  type Model,
  type Recomputed,
  type ShownModel,
  type TableGroup,
  type Computation,
  type Warehouse,
  type WrittenTable,
} from "../warehouse/index.js";

function lakeViews({ tables }: Snapshot): WrittenTable[] {
  return tableNames.flatMap((name) => {
    const source = tables[name];
    if (source === undefined) return [];
    const columns = tableColumns(name).map((column) => [column.name, column.description ?? ""]);
    const partition = isOfExperiment(name) ? { experiment_id: "Experiment." } : {};
    const described = { ...partition, ...(Object.fromEntries(columns) as Record<string, string>) };
    return [
      {
        name,
        description: lakeTable(name).description,
        columns: described,
        source,
      },
    ];
  });
}

export const verdictColumns = {
  experiment_id: ["varchar", "experiment"],
  experiment_name: ["varchar", "name of the experiment"],
  published_in: ["varchar", "list that publishes the number"],
  kind: ["varchar", "metric kind"],
  dimension: ["varchar", "rated dimension; '' if the rating has none"],
  source: [
    "varchar",
    "'' for the whole experiment, otherwise a job, or several separated by commas",
  ],
  item: ["varchar", "item"],
  field: ["varchar", "field of the published element"],
  published: ["double", "published number. null: only recomputed"],
  recomputed: ["double", "number under the run's own conventions. null: only published"],
  difference: ["double", "published - recomputed. null: one is missing"],
  tolerance: ["double", "difference that is accepted beyond rounding. null: none is compared"],
  verdict: ["varchar", "verdict, as docs/reference/audit.md defines it"],
  explanation: ["varchar", "explanation of the result. null: none is needed or found"],
  under_explanation: ["double", "what the explanation gives. null: there is none"],
  remaining: ["double", "published - under_explanation. null: there is no explanation"],
} as const;

export const verdictName = "published_vs_recomputed";

export async function verdictTable(warehouse: Warehouse, { rows }: AuditReport): Promise<void> {
  const columns = Object.entries(verdictColumns);
  const types = columns.map(([name, [type]]) => `${name} ${type}`);
  const lists = Object.fromEntries(columns.map(([name, [type]]) => [name, [type]]));
  await warehouse.change(`create or replace table ${verdictName} (${types.join(", ")})`);
  // A name in each row would take twice the time.
  const names = Object.keys(verdictColumns) as (keyof typeof verdictColumns)[];
  const values = names.map((name) => `unnest(read.${name})`);
  for (let first = 0; first < rows.length; first += verdictBatch) {
    const some = rows.slice(first, first + verdictBatch);
    const of = Object.fromEntries(names.map((name) => [name, some.map((row) => row[name])]));
    await warehouse.change(
      `insert into ${verdictName} select ${values.join(", ")} from (select from_json(` +
        `${text(JSON.stringify(of))}, ${text(JSON.stringify(lists))}) as read)`,
    );
  }
}

const auditedNumbers = {
  name: verdictName,
  description: "One row: one number of an audit, published or recomputed, with its verdict",
  columns: Object.fromEntries(
    Object.entries(verdictColumns).map(([name, [, meaning]]) => [name, meaning]),
  ),
};

const verdictBatch = 5000;

interface WrittenModel {
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
}

export interface Derived {
  readonly recomputed: Recomputed;
  readonly written: readonly WrittenModel[];
  /** A folder for each table, with a file for each group of experiments. */
  readonly dir: string;
}

const totals = (groups: readonly MadeGroup[], models: readonly Model[]): WrittenModel[] =>
  models.map(({ name }) => {
    const own = groups.flatMap(({ files }) => files.filter(({ table }) => table === name));
    const sum = (of: (file: (typeof own)[number]) => number) =>
      own.reduce((total, file) => total + of(file), 0);
    return { name, rows: sum(({ rows }) => rows), bytes: sum(({ bytes }) => bytes) };
  });

const checksAmong = (groups: readonly MadeGroup[], models: readonly Model[]) => {
  const rows = new Map(totals(groups, models).map((one) => [one.name, one.rows]));
  return models.flatMap(({ name, severity }) =>
    severity === null ? [] : [{ name, severity, rows: rows.get(name) ?? 0 }],
  );
};

async function hasOnly(dir: string, names: readonly string[], { warn }: KeptFolder) {
  const expected = new Set([databaseName, ...names].map((name) => join(dir, name)));
  const found = await fsp.readdir(dir, { recursive: true, withFileTypes: true });
  const odd = found
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .find((file) => !expected.has(file));
  if (odd !== undefined) warn?.(`${odd} was not written by Recount: rewriting the models.`);
  return odd === undefined;
}

/** Null unless the tables are as they were written, of the same data and models. */
export async function takeDerived(
  lake: string,
  { projectId, id }: Snapshot,
  kept: KeptFolder,
  data: string,
  models: readonly Model[],
): Promise<Derived | null> {
  const made = await madeOf(kept, id);
  const dir = await locateDerived(lake, projectId, id);
  if (made?.data !== data || !(await exists(dir))) return null;
  const names = models.map(({ name }) => name);
  const files = made.groups.flatMap((group) => group.files.map((file) => ({ file, group })));
  if (new Set([...names, ...files.map(({ file }) => file.table)]).size !== names.length)
    return null;
  for (const group of made.groups) if (!(await isGroupIntact(group, names, dir, kept))) return null;
  const { verdicts } = made;
  if (verdicts !== null && !(await isGroupIntact(verdicts, [verdictName], dir, kept))) return null;
  const file = join(dir, databaseName);
  if ((await digestOf(file).catch(() => null))?.sha256 !== made.database) {
    kept.warn?.(`${file} has changed since it was written: rewriting it.`);
    return null;
  }
  const expected = files.map(({ file: { table }, group }) => groupFile(table, group));
  if (verdicts !== null) expected.push(groupFile(verdictName, verdicts));
  if (!(await hasOnly(dir, expected, kept))) return null;
  const checks = made.checks;
  return { recomputed: { models: [], checks }, written: totals(made.groups, models), dir };
}

interface KnownGroup {
  readonly dir: string;
  readonly made: MadeGroup;
}

/** By key of the group. */
type KnownGroups = ReadonlyMap<string, KnownGroup>;

/** Groups whose files of these models were written before. */
export async function knownGroups(
  lake: string,
  projectId: string,
  kept: KeptFolder,
  groups: readonly TableGroup[],
  models: readonly Model[],
): Promise<KnownGroups> {
  const known = new Map<string, KnownGroup>();
  const names = models.map(({ name }) => name);
  const wanted = new Set(groups.map(({ key }) => key));
  for (const { snapshot, groups: made } of kept.isFull ? [] : await madeTables(kept)) {
    const dir = await locateDerived(lake, projectId, snapshot);
    for (const group of made)
      if (wanted.has(group.key) && !known.has(group.key))
        if (await isGroupIntact(group, names, dir, kept))
          known.set(group.key, { dir, made: group });
  }
  return known;
}

interface DerivedContent {
  readonly conventions: Conventions;
  readonly written: readonly Model[];
  readonly shown: readonly ShownModel[];
  readonly groups: readonly TableGroup[];
  /** Groups that are linked. */
  readonly known: KnownGroups;
  /** Of the other groups, some at a time. */
  readonly computations: AsyncIterable<Computation & { readonly batch: readonly TableGroup[] }>;
  readonly checks: Recomputed["checks"];
}

interface Reused {
  readonly kept: KeptFolder | null;
  readonly data: string | null;
  /** Tables of equal data, with the verdicts of their audit. */
  readonly equal: MadeTables | null;
}

export async function writeDerived(
  lake: string,
  snapshot: Snapshot,
  { written, shown, groups, known, computations, conventions, ...made }: DerivedContent,
  { kept, data, equal }: Reused,
): Promise<Derived> {
  const { projectId, id } = snapshot;
  const dir = await locateDerived(lake, projectId, id);
  const audited = equal?.verdicts;
  const from = await locateDerived(lake, projectId, equal?.snapshot ?? id);
  const rowsOfAudit =
    kept && audited && (await isGroupIntact(audited, [verdictName], from, kept))
      ? { dir: from, made: audited }
      : null;
  const names = written.map(({ name }) => name);
  const runs = new Map<string, Recomputed["models"][number]>();
  const note = await makeDerived(lake, projectId, id, (folder) =>
    replaced(folder, async (staged) => {
      const files = new Map<string, readonly GroupFile[]>();
      for (const name of [...names, ...(rowsOfAudit ? [verdictName] : [])])
        await makeDir(join(staged, name));
      for await (const { batch, warehouse, make } of computations) {
        const { models } = await make(names);
        for (const run of models)
          runs.set(run.name, { ...run, ms: run.ms + (runs.get(run.name)?.ms ?? 0) });
        const isWhole = batch.length === groups.length;
        for (const [key, own] of await writeTables(warehouse, written, batch, staged, isWhole))
          files.set(key, own);
      }
      const done: MadeGroup[] = [];
      for (const { key } of groups) {
        const linked = known.get(key);
        if (linked === undefined) done.push({ key, files: files.get(key) ?? [] });
        else done.push(await linkGroup(linked, names, staged));
      }
      const verdicts = rowsOfAudit && (await linkGroup(rowsOfAudit, [verdictName], staged));
      await writeViews(staged, done, verdicts);
      const { sha256: database } = await digestOf(join(staged, databaseName));
      const checks = [...made.checks, ...checksAmong(done, written)];
      return {
        snapshot: id,
        data,
        groups: done,
        checks,
        database,
        conventions: keptKey(conventions),
        verdicts,
      } satisfies MadeTables;
    }),
  );
  if (kept) await noteTables(kept, note);
  const { checks, groups: done } = note;
  return {
    recomputed: { models: [...runs.values()], checks },
    written: totals(done, written),
    dir,
  };

  async function writeViews(
    staged: string,
    done: readonly MadeGroup[],
    verdicts: MadeGroup | null,
  ): Promise<void> {
    // In object storage, views are bound with the secrets of the lake.
    const sources = isObject(dir) ? snapshot.tables : {};
    const engine = await openWarehouse({ sources, isPartial: true, threads: 1 });
    try {
      const tables = lakeViews(snapshot);
      if (verdicts !== null) tables.push({ ...auditedNumbers, source: verdicts });
      const content = { conventions, written, shown, groups: done, tables };
      await writeDatabase(engine, content, staged, dir);
    } finally {
      engine.close();
    }
  }
}

async function linkGroup(
  { dir, made }: KnownGroup,
  tables: readonly string[],
  staged: string,
): Promise<MadeGroup> {
  const files = made.files.filter(({ table }) => tables.includes(table));
  for (const { table } of files) {
    const name = groupFile(table, made);
    const [from, to] = [join(dir, name), join(staged, name)];
    await fsp.link(from, to).catch(() => fsp.copyFile(from, to));
  }
  return { key: made.key, files };
}

async function madeNow(lake: string, { projectId, id }: Snapshot, { folder }: KeptFolder) {
  const file = join(await locateDerived(lake, projectId, id), databaseName);
  const made = await madeOf({ folder }, id);
  const found = made && (await digestOf(file).catch(() => null));
  return made && found?.sha256 === made.database ? made : null;
}

/** Only into a database on this machine that has the same conventions, and other rows. */
export async function keepVerdicts(
  lake: string,
  { snapshot, kept, report, key }: Pick<KeptAudit, "snapshot" | "kept" | "report" | "key">,
  conventions: Conventions = defaultConventions,
): Promise<void> {
  const dir = await locateDerived(lake, snapshot.projectId, snapshot.id);
  const file = join(dir, databaseName);
  if (kept === null || !(await isRegularFile(file))) return;
  const now = await madeNow(lake, snapshot, kept);
  if (now?.conventions !== keptKey(conventions)) {
    kept.warn?.(
      `${file} was not written by this version under the audit's conventions: ${verdictName} is ` +
        "not updated. Run recount transform with the same --pipeline first.",
    );
    return;
  }
  if (key !== null && now.verdicts?.key === key) return;
  const warehouse = await openWarehouse({ sources: {}, isPartial: true });
  try {
    await verdictTable(warehouse, report);
    // Of a cluster's audit, which has no key, the next one takes nothing over.
    const own = key ?? "audit";
    const verdicts = {
      key: own,
      files: [await addToDatabase(warehouse, dir, auditedNumbers, own)],
    };
    await noteTables(kept, { ...now, database: (await digestOf(file)).sha256, verdicts });
  } finally {
    warehouse.close();
  }
}
