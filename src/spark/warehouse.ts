/** A warehouse whose long tables a Spark cluster makes. */
import { dirname, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Columns, Conventions } from "../metrics/index.js";
import { fsp, makeDir, copyTo, isObject, objectAddress, readParquet } from "../platform/index.js";
import { fromPack } from "../packs.js";
import {
  type Cluster,
  type ClusterTables,
  experimentIn,
  type Model,
  modelPlan,
  quoted,
  type TableSource,
  textOf,
  type Warehouse,
} from "../warehouse/index.js";
import { openSparkSession, type SparkSession } from "./session.js";
import {
  forSpark,
  sparkLiteral,
  preludeOf,
  readOwnTexts,
  sparkSettings,
  settingsFor,
  sparkText,
} from "./spark-text.js";

const sparkTypes: Readonly<Record<string, string>> = {
  VARCHAR: "string",
  JSON: "string",
  BIGINT: "bigint",
  DOUBLE: "double",
  BOOLEAN: "boolean",
  TIMESTAMPTZ: "timestamp",
  "VARCHAR[]": "array<string>",
};

/** Cluster and engine hand each other tables as folders of Parquet files in `scratch`. */
export async function overSpark(
  warehouse: Warehouse,
  { cluster, sources, ...options }: ClusterTables,
): Promise<Warehouse> {
  const { signal, leaving = [] } = cluster;
  const plan = await modelPlan();
  const own = await readOwnTexts();
  const ratings = await rowCount(warehouse, "ratings");
  signal?.throwIfAborted();
  const session = openSparkSession(cluster.address);
  const scratch = openScratch(options.scratch);
  const stop = () => {
    session.interrupt();
    warehouse.interrupt();
  };
  signal?.addEventListener("abort", stop);
  const tables = clusterTables({
    warehouse,
    session,
    scratch,
    sources,
    plan,
    own,
    onTasks: cluster.onTasks,
  });
  const { placed } = tables;
  return {
    ...warehouse,
    async setConventions(chosen) {
      await warehouse.setConventions(chosen);
      const conventions = forSpark(chosen);
      tables.startWith(conventions);
      // Functions first: of what a server lacks, they are the reason that a reader can act on.
      for (const statements of [
        preludeOf(conventions),
        [...sparkSettings, ...settingsFor(ratings)],
      ])
        await Promise.all(statements.map((statement) => session.run(statement)));
    },
    async createModel(model) {
      signal?.throwIfAborted();
      const { name, stored } = model;
      if (placed.has(name) && stored === "table") return tables.make(model);
      tables.forget(name);
      return warehouse.createModel(model);
    },
    async columns(query) {
      if (typeof query === "string" || !placed.has(query.name)) return warehouse.columns(query);
      return tables.read(query);
    },
    interrupt: stop,
    close() {
      warehouse.close();
      signal?.removeEventListener("abort", stop);
      // What cannot be removed now, a later pruning removes.
      const left = session.close().then(scratch.remove);
      leaving.push(left.catch(() => undefined));
    },
  };
}

interface ClusterTablesOptions {
  readonly warehouse: Warehouse;
  readonly session: SparkSession;
  readonly scratch: Scratch;
  readonly sources: Readonly<Record<string, TableSource>>;
  readonly plan: readonly Model[];
  /** Statements of models that have their own for Spark. */
  readonly own: ReadonlyMap<string, string>;
  readonly onTasks: Cluster["onTasks"];
}

function clusterTables({
  warehouse,
  session,
  scratch,
  sources,
  plan,
  own,
  onTasks,
}: ClusterTablesOptions) {
  const models = new Map(plan.map((model) => [model.name, model] as const));
  const placed = onCluster(plan);
  const provided = new Map<string, Promise<void>>();
  const made = new Set<string>();
  let conventions: Conventions | undefined;
  const sqlOf = (model: Model) => sparkText(model, own, conventions as Conventions);
  /** Spark's user interface shows the beginning of a statement. */
  const titled = ({ name }: Model, statement: string) => `/* recount ${name} */ ${statement}`;
  const tellTasks = (model: string) => (done: number, tasks: number) =>
    onTasks?.({ model, done, tasks });
  const view = (table: string) => session.view(table, [sparkPattern(scratch.folderOf(table))]);

  async function give(table: string): Promise<void> {
    const model = models.get(table);
    const source = sources[table];
    if (made.has(table)) await view(table);
    else if (model?.stored === "view" && placed.has(table)) {
      await provide(model.reads);
      await session.run(`create or replace temporary view \`${table}\` as ${sqlOf(model)}`);
    } else if (source !== undefined && source.files.length > 0 && isLakeTable(table))
      await readLake(session, table, source);
    else {
      const folder = await scratch.make(table);
      await warehouse.all(copyTo(quoted(table), `${folder}/part-0.parquet`, "format parquet"));
      await view(table);
    }
  }

  async function provide(tables: readonly string[]): Promise<void> {
    const giving = tables.map((table) => {
      const given = provided.get(table) ?? give(table);
      provided.set(table, given);
      return given;
    });
    await Promise.all(giving);
  }

  return {
    placed,
    /** Begins again under other conventions; under the same, what is made stays. */
    startWith(chosen: Conventions): void {
      if (isDeepStrictEqual(chosen, conventions)) return;
      provided.clear();
      made.clear();
      conventions = chosen;
    },
    forget(name: string): void {
      if (made.delete(name)) provided.delete(name);
    },
    async read(model: Model): Promise<Columns> {
      await provide(model.reads);
      return session.columns(titled(model, sqlOf(model)), tellTasks(model.name));
    },
    async make(model: Model): Promise<number> {
      const { name } = model;
      await provide(model.reads);
      const folder = scratch.folderOf(name);
      await session.run(
        titled(
          model,
          `insert overwrite directory ${sparkLiteral(sparkUrl(folder))} using parquet ` +
            sqlOf(model),
        ),
        tellTasks(name),
      );
      made.add(name);
      provided.delete(name);
      const columns = (await warehouse.all(`describe ${model.sql}`)).map((row) => {
        const column = quoted(textOf(row, "column_name"));
        return `cast(${column} as ${textOf(row, "column_type")}) as ${column}`;
      });
      const rows = readParquet({ folder });
      await warehouse.all(
        `create or replace view ${quoted(name)} as select ${columns.join(", ")} from ${rows}`,
      );
      return rowCount(warehouse, name);
    },
  };
}

async function rowCount(warehouse: Warehouse, table: string): Promise<number> {
  const [count] = await warehouse.all(`select count(*) as n from ${quoted(table)}`);
  return Number(count?.n);
}

/** The snapshot before a part in its path may be an earlier one. */
async function readLake(session: SparkSession, table: string, source: TableSource): Promise<void> {
  const { files, columns, renamed } = source;
  const [first = ""] = files;
  const schema = Object.entries(columns).map(
    ([name, type]) => `\`${name}\` ${sparkTypes[type] ?? type}`,
  );
  const base = sparkUrl(dirname(dirname(dirname(first))));
  const parts = `${table}_parts`;
  await session.view(parts, files.map(sparkPattern), { schema: schema.join(", "), base });
  const read = Object.keys(columns).map((name) =>
    name === "experiment_id" ? experimentIn(renamed) : `\`${name}\``,
  );
  const named = Object.keys(columns).map((name, i) => `${read[i]} as \`${name}\``);
  await session.run(
    `create or replace temporary view \`${table}\` as select ${named.join(", ")} from \`${parts}\``,
  );
}

const sparkUrl = (path: string) =>
  isObject(path) ? path.replace("s3://", "s3a://") : `file://${resolve(path)}`;

/** The same for reading, where Spark finds no pattern in it. */
const sparkPattern = (path: string) => sparkUrl(path).replace(/[\\{}[\]*?]/g, "\\$&");

interface Scratch {
  folderOf(table: string): string;
  make(table: string): Promise<string>;
  readonly remove: () => Promise<void>;
}

function openScratch(path: string): Scratch {
  const address = objectAddress(path);
  const folderOf = (table: string) => `${path}/${table}`;
  return {
    folderOf,
    async make(table) {
      if (address === null) await makeDir(folderOf(table));
      return folderOf(table);
    },
    remove: async () =>
      address === null
        ? fsp.rm(path, { recursive: true, force: true })
        : (await fromPack("objects")()).removeObjects(address),
  };
}

/** What reads one of them runs on the cluster. */
const long: ReadonlySet<string> = new Set([
  "ratings",
  "slate_ratings",
  "slates",
  "sessions",
  "key_slates",
  "key_slate_scores",
  "key_rater_pairs",
  "key_rater_scores",
]);

/** Models that read long tables and still run here, and why. */
const exceptions: ReadonlyMap<string, string> = new Map([
  [
    "metric_mean",
    "by default it reads counts; a mean by rater or a median is summed in the order of the scores",
  ],
  ["rater_summary", "its median of seconds"],
]);

/** Statistics are made here; what reads long tables, and kernels' input, by the cluster. */
export function onCluster(plan: readonly Model[]): ReadonlySet<string> {
  const reading = new Set(long);
  const placed = new Set<string>();
  for (const { name, reads, stored, kernel, layer } of plan) {
    if (
      layer === "statistics" ||
      exceptions.has(name) ||
      !reads.some((table) => reading.has(table))
    )
      continue;
    placed.add(name);
    if (stored === "view" && kernel === null) reading.add(name);
  }
  return placed;
}

const isLakeTable = (name: string): boolean => long.has(name) && !name.startsWith("key_");
