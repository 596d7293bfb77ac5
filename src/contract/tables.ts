/** The tables of a lake. */
import { pathParameters, operation, type OperationName } from "./operations.js";
import { publishedLists } from "./schema.js";
import type { RecordName } from "./records.js";

/** How often a table is read: once, or once for each row of the scope's parent table. */
export type Scope = "organization" | "project" | "experiment" | "rubric" | "dataset" | "job";

/** Tables whose rows are sources of published numbers, with the field that may name one. */
export const sourceTables = { jobs: "job_id", leaderboards: "leaderboard_id" } as const;

/** A table of a snapshot, with everything that an export needs to fill it. */
export interface LakeTable {
  /** What one row is. */
  readonly description: string;
  readonly record: RecordName;
  /** The operation whose response fills the table: a list, or a single record. */
  readonly operation: OperationName;
  /** Reads one element by its id. The row is the detail if it was read, else the list's element. */
  readonly detailOperation?: OperationName;
  /** Query parameters sent with every request. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Lists that are asked for once more for each row of these tables, with `source=<id>`. */
  readonly sources?: readonly (keyof typeof sourceTables)[];
  /** Column for the identifier that was asked for, which the records need not name. */
  readonly askedAs?: string;
  /** Tables of an `experiment` or `job` are partitioned by experiment_id. */
  readonly scope: Scope;
  /** Columns that sort a part; ties keep the order of the service's list. */
  readonly sortBy?: readonly string[];
  /** Identifies a row for the life of the study. Its deletions become tombstones. */
  readonly primaryKey?: string;
  /** Field that holds the rows, for a table filled from a list inside the operation's records. */
  readonly embedded?: string;
  /** Lists whose records come and go. Any other that shrinks too much stops the export. */
  readonly mayShrink?: boolean;
  /** A service may lack the operation (404) or withhold it (403). */
  readonly optional?: boolean;
  /** True for lists that grow with the ratings: they are read first. */
  readonly large?: boolean;
  /** Published numbers are read before and after the rest of their experiment or project. */
  readonly readTwice?: boolean;
  /** True for a table that is exported only when it is selected by name. */
  readonly optIn?: boolean;
}

const trainingParameter = { training: "true" };

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
  job_costs: {
    description: "Costs of a job, without the token that launches it",
    record: "job_costs",
    operation: "getJobCosts",
    askedAs: "job_id",
    scope: "job",
    mayShrink: true,
    optional: true,
    optIn: true,
  },
  datasets: {
    description: "Dataset of the project",
    record: "dataset_detail",
    operation: "listDatasets",
    detailOperation: "getDataset",
    scope: "project",
    primaryKey: "id",
    mayShrink: true,
    optional: true,
  },
  dataset_statuses: {
    description: "Processing status of a dataset, with its error messages",
    record: "dataset_status",
    operation: "getDatasetStatus",
    askedAs: "dataset_id",
    scope: "dataset",
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
    large: true,
  },
  ratings: {
    description: "Rating, from the ratings list",
    record: "rating",
    operation: "listRatings",
    parameters: trainingParameter,
    scope: "experiment",
    sortBy: ["slate_id"],
    large: true,
  },
  slates: {
    description: "Slate of an experiment",
    record: "slate",
    operation: "listSlates",
    parameters: trainingParameter,
    scope: "experiment",
    sortBy: ["id"],
    primaryKey: "id",
    large: true,
  },
  slate_ratings: {
    description: "Rating, from inside its slate",
    record: "rating",
    operation: "listSlates",
    parameters: trainingParameter,
    embedded: "ratings",
    scope: "experiment",
    sortBy: ["slate_id"],
    large: true,
  },
  sessions: {
    description: "Session of a rater",
    record: "session",
    operation: "listSessions",
    parameters: trainingParameter,
    scope: "experiment",
    sortBy: ["id"],
    primaryKey: "id",
    large: true,
  },
  results: {
    description: "Published metric of an experiment: kind × dimension × source",
    record: "result",
    operation: "listResults",
    sources: ["jobs"],
    askedAs: "asked_source",
    scope: "experiment",
    sortBy: ["kind", "dimension", "source"],
    readTwice: true,
  },
  metrics: {
    description: "Metric published across jobs, experiments and leaderboards",
    record: "metric",
    operation: "listMetrics",
    sources: ["jobs", "leaderboards"],
    askedAs: "asked_source",
    scope: "project",
    mayShrink: true,
    optional: true,
    readTwice: true,
  },
  rubrics: {
    description: "Rubric of the project",
    record: "rubric",
    operation: "listRubrics",
    scope: "project",
    primaryKey: "id",
    mayShrink: true,
    optional: true,
    readTwice: true,
  },
  leaderboards: {
    description: "Leaderboard of a rubric",
    record: "leaderboard_detail",
    operation: "listLeaderboards",
    scope: "rubric",
    mayShrink: true,
    optional: true,
    readTwice: true,
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

/** The tables of an export that selects none. */
export const defaultTables = tableNames.filter((name) => lakeTable(name).optIn !== true);

/** The table whose rows a scope's tables are read for. */
export const parentTables = {
  experiment: "experiments",
  rubric: "rubrics",
  dataset: "datasets",
  job: "jobs",
} as const satisfies Partial<Record<Scope, TableName>>;

export function isTableName(name: string): name is TableName {
  return Object.hasOwn(lakeTables, name);
}

export function lakeTable(name: TableName): LakeTable {
  return lakeTables[name];
}

/** Whether some table that an operation fills has a property. */
const isFilledBy = (operation: OperationName, is: (table: LakeTable) => boolean | undefined) =>
  tableNames.some(
    (name) => lakeTables[name].operation === operation && is(lakeTable(name)) === true,
  );

/** Whether an experiment is incomplete without this operation. */
export const isRequired = (operation: OperationName): boolean =>
  isFilledBy(operation, (table) => table.optional !== true);

export const isReadTwice = (operation: OperationName): boolean =>
  isFilledBy(operation, (table) => table.readTwice);

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

export const isPublished = (table: TableName): boolean =>
  (publishedLists as readonly string[]).includes(table);

export function isOfExperiment(table: TableName): boolean {
  const { scope } = lakeTable(table);
  return scope === "experiment" || scope === "job";
}
