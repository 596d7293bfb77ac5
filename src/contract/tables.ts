import { pathParameters } from "./arguments.js";
import { columnsOf, metaColumn, type Column, type ColumnType } from "./columns.js";
import { operation, type OperationName } from "./operations.js";
import type { RecordName } from "./records.js";

/** How often a table is read: once, or once for each row of the scope's parent table. */
export type Scope = "organization" | "project" | "experiment" | "rubric";

/** A table of a snapshot, with everything that an export needs to fill it. */
export interface LakeTable {
  /** What one row is. */
  readonly description: string;
  readonly record: RecordName;
  /** The operation whose response fills the table: a list, or a single record. */
  readonly operation: OperationName;
  /** Reads one element of the list by its id. When every detail was read, the rows are the details. */
  readonly detailOperation?: OperationName;
  /** Query parameters sent with every request. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** `experiment` tables are partitioned by experiment_id. */
  readonly scope: Scope;
  /** Columns that sort a part; ties, and a table without them, keep the order of the service's list. */
  readonly sortBy?: readonly string[];
  /** Column that identifies a row for the life of the study. Its deletions are recorded as tombstones. */
  readonly primaryKey?: string;
  /** Field that holds the rows, for a table filled from a list inside the operation's records. */
  readonly embedded?: string;
  /** True for lists whose records come and go. Any other list that shrinks too much stops the export. */
  readonly mayShrink?: boolean;
  /** True when a service may lack the operation (404) or withhold it (403) without leaving an experiment incomplete. */
  readonly optional?: boolean;
  /** True for lists that grow with the ratings: they are scanned while they arrive and read first. */
  readonly scanned?: boolean;
  /** True for published numbers: read before and after the rest of their experiment, which is torn if they changed. */
  readonly readTwice?: boolean;
}

const training = { training: "true" };

/** The tables of a snapshot. */
export const lakeTables = {
  experiments: {
    description: "Experiment of the project",
    record: "experiment",
    operation: "listExperiments",
    scope: "project",
    primaryKey: "id",
  },
  experiment_details: {
    description: "Exported experiment with its title, question and datasets",
    record: "experiment_detail",
    operation: "getExperiment",
    scope: "experiment",
  },
  jobs: {
    description: "Job of an experiment",
    record: "job_detail",
    operation: "listJobs",
    detailOperation: "getJob",
    scope: "experiment",
    sortBy: ["id"],
    primaryKey: "id",
  },
  datasets: {
    description: "Dataset of the project",
    record: "dataset",
    operation: "listDatasets",
    scope: "project",
    primaryKey: "id",
    mayShrink: true,
    optional: true,
  },
  rater_pools: {
    description: "Rater pool open to an experiment",
    record: "rater_pool",
    operation: "listRaterPools",
    scope: "experiment",
    mayShrink: true,
    optional: true,
  },
  raters: {
    description: "Rater of an experiment",
    record: "rater",
    operation: "listRaters",
    scope: "experiment",
    sortBy: ["id"],
    primaryKey: "id",
    scanned: true,
  },
  ratings: {
    description: "Rating, from the ratings list",
    record: "rating",
    operation: "listRatings",
    parameters: training,
    scope: "experiment",
    sortBy: ["slate_id"],
    scanned: true,
  },
  slates: {
    description: "Slate of an experiment",
    record: "slate",
    operation: "listSlates",
    parameters: training,
    scope: "experiment",
    sortBy: ["id"],
    primaryKey: "id",
    scanned: true,
  },
  slate_ratings: {
    description: "Rating, from inside its slate",
    record: "rating",
    operation: "listSlates",
    parameters: training,
    embedded: "ratings",
    scope: "experiment",
    sortBy: ["slate_id"],
    scanned: true,
  },
  sessions: {
    description: "Session of a rater",
    record: "session",
    operation: "listSessions",
    parameters: training,
    scope: "experiment",
    sortBy: ["id"],
    primaryKey: "id",
    scanned: true,
  },
  results: {
    description: "Published metric of an experiment: kind × dimension × source",
    record: "result",
    operation: "listResults",
    scope: "experiment",
    sortBy: ["kind", "dimension", "source"],
    readTwice: true,
  },
  metrics: {
    description: "Metric published across jobs, experiments and leaderboards",
    record: "metric",
    operation: "listMetrics",
    scope: "project",
    mayShrink: true,
    optional: true,
  },
  rubrics: {
    description: "Rubric of the project",
    record: "rubric",
    operation: "listRubrics",
    scope: "project",
    primaryKey: "id",
    mayShrink: true,
    optional: true,
  },
  leaderboards: {
    description: "Leaderboard of a rubric",
    record: "leaderboard_detail",
    operation: "listLeaderboards",
    scope: "rubric",
    mayShrink: true,
    optional: true,
  },
  webhooks: {
    description: "Webhook subscription of the project",
    record: "webhook",
    operation: "listWebhooks",
    scope: "project",
    mayShrink: true,
    optional: true,
  },
  billing_events: {
    description: "Billing event of the project",
    record: "billing_event",
    operation: "listBillingEvents",
    scope: "project",
    mayShrink: true,
    optional: true,
  },
  organization_billing_events: {
    description: "Billing event of the organization",
    record: "organization_billing_event",
    operation: "listOrganizationBillingEvents",
    scope: "organization",
    mayShrink: true,
    optional: true,
  },
} as const satisfies Record<string, LakeTable>;

export type TableName = keyof typeof lakeTables;

export const tableNames = Object.keys(lakeTables) as TableName[];

/** The table whose rows a scope's tables are read for. */
export const parentTables = { experiment: "experiments", rubric: "rubrics" } as const satisfies Partial<
  Record<Scope, TableName>
>;

export function isTableName(name: string): name is TableName {
  return Object.hasOwn(lakeTables, name);
}

export function lakeTable(name: TableName): LakeTable {
  return lakeTables[name];
}

/** The table filled from a list inside the records of `table`, if there is one, and the field of that list. */
export function embeddedIn(table: TableName): { table: TableName; field: string } | undefined {
  const { operation, embedded } = lakeTable(table);
  if (embedded !== undefined) return undefined;
  return tableNames.flatMap((other) => {
    const { operation: own, embedded: field } = lakeTable(other);
    return own === operation && field !== undefined ? [{ table: other, field }] : [];
  })[0];
}

/** The path parameter that names the row which an operation is about: the last one of its path. */
export function ownParameter(name: OperationName): string {
  return pathParameters(name).at(-1) ?? "";
}

/** True when the response fills the table with one row rather than a list. */
export function isSingleRecord(name: OperationName): boolean {
  return operation(name).list !== true;
}

/** The name that a record's own `experiment_id` takes where the table is partitioned by experiment. */
export const reportedExperimentId = "reported_experiment_id";

/** Columns of a lake table's Parquet files: the record's, and `_meta` last. The partition column is not in the files. */
export function tableColumns(table: TableName): Column[] {
  const { record, scope } = lakeTable(table);
  const own = columnsOf(record).map((column) =>
    scope === "experiment" && column.name === "experiment_id" ? { ...column, name: reportedExperimentId } : column,
  );
  return [...own, metaColumn];
}

/** Name to DuckDB type of the columns of a table's Parquet files. */
export function partColumns(table: TableName): Record<string, ColumnType> {
  return Object.fromEntries(tableColumns(table).map(({ name, type }) => [name, type]));
}

/** Name to DuckDB type of a table's columns, the partition column included. */
export function columnTypes(table: TableName): Record<string, ColumnType> {
  const partition = lakeTable(table).scope === "experiment" ? { experiment_id: "VARCHAR" as const } : {};
  return { ...partition, ...partColumns(table) };
}
