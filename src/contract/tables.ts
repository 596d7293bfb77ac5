import { columnsOf, metaColumn, type Column } from "./columns.js";
import type { OperationName } from "./operations.js";
import type { RecordName } from "./records.js";

export interface LakeTable {
  /** The list operation whose body fills the table. */
  operation: OperationName;
  record: RecordName;
  /** `experiment` tables are partitioned by experiment_id; `rubric` ones are read per rubric. */
  scope: "project" | "experiment" | "rubric" | "organization";
  /** True for a table filled from a list inside another record. */
  embedded?: boolean;
}

/** The tables of a snapshot. */
export const lakeTables = {
  experiments: { operation: "listExperiments", record: "experiment", scope: "project" },
  experiment_details: { operation: "getExperiment", record: "experiment_detail", scope: "experiment" },
  jobs: { operation: "listJobs", record: "job_detail", scope: "experiment" },
  datasets: { operation: "listDatasets", record: "dataset", scope: "project" },
  rater_pools: { operation: "listRaterPools", record: "rater_pool", scope: "experiment" },
  raters: { operation: "listRaters", record: "rater", scope: "experiment" },
  ratings: { operation: "listRatings", record: "rating", scope: "experiment" },
  slates: { operation: "listSlates", record: "slate", scope: "experiment" },
  slate_ratings: { operation: "listSlates", record: "rating", scope: "experiment", embedded: true },
  sessions: { operation: "listSessions", record: "session", scope: "experiment" },
  results: { operation: "listResults", record: "result", scope: "experiment" },
  metrics: { operation: "listMetrics", record: "metric", scope: "project" },
  rubrics: { operation: "listRubrics", record: "rubric", scope: "project" },
  leaderboards: { operation: "listLeaderboards", record: "leaderboard_detail", scope: "rubric" },
  webhooks: { operation: "listWebhooks", record: "webhook", scope: "project" },
  billing_events: { operation: "listBillingEvents", record: "billing_event", scope: "project" },
  organization_billing_events: {
    operation: "listOrganizationBillingEvents",
    record: "organization_billing_event",
    scope: "organization",
  },
} as const satisfies Record<string, LakeTable>;

export type TableName = keyof typeof lakeTables;

export const tableNames = Object.keys(lakeTables) as TableName[];

export function isTableName(name: string): name is TableName {
  return Object.hasOwn(lakeTables, name);
}

export function lakeTable(name: TableName): LakeTable {
  return lakeTables[name];
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
