/** The columns of lake tables, derived from records. */
import { operation, pathParameters } from "./operations.js";
import { records, type RecordName } from "./records.js";
import { apiVersions } from "./schema.js";
import { isOfExperiment, lakeTable, type TableName } from "./tables.js";

type ColumnType =
  "VARCHAR" | "BIGINT" | "DOUBLE" | "BOOLEAN" | "TIMESTAMPTZ" | "VARCHAR[]" | "JSON";

export interface Column {
  name: string;
  type: ColumnType;
  /** True when every version of the record shows the field. */
  required: boolean;
  /** True when the interface lets the field be null. */
  nullable: boolean;
  /** True for a text column that is an integer in some version of the record. */
  wasInteger?: boolean;
  /** True for a column that the request fills, not the record. */
  isAsked?: boolean;
  description?: string;
}

/** The parts of JSON Schema that the contract uses. */
interface SchemaShape {
  type?: string;
  format?: string;
  anyOf?: SchemaShape[];
  items?: SchemaShape;
  description?: string;
  "x-secret"?: boolean;
  "x-table"?: string;
  "x-text"?: boolean;
}

/** Fields that the contract does not know, as one JSON object; null when there are none. */
const metaColumn: Column = {
  name: "_meta",
  type: "JSON",
  required: false,
  nullable: true,
  description: "Fields that the contract does not know, as a JSON object.",
};

const askedColumn = (name: string): Column => ({
  name,
  type: "VARCHAR",
  required: false,
  nullable: true,
  isAsked: true,
  description: "Identifier that was asked for; null if the whole list was.",
});

function columnTypeOf(shape: SchemaShape): ColumnType {
  if (shape.anyOf) {
    const types = new Set(shape.anyOf.filter((s) => s.type !== "null").map(columnTypeOf));
    const [only] = types;
    return types.size === 1 && only ? only : "JSON";
  }
  if (shape.type === "string") return shape.format === "date-time" ? "TIMESTAMPTZ" : "VARCHAR";
  if (shape.type === "integer") return shape["x-text"] ? "VARCHAR" : "BIGINT";
  if (shape.type === "number") return "DOUBLE";
  if (shape.type === "boolean") return "BOOLEAN";
  if (shape.type === "array" && shape.items?.type === "string") return "VARCHAR[]";
  return "JSON";
}

/** An identifier that is an integer in one version is text in the table. */
function widen(a: ColumnType, b: ColumnType): ColumnType {
  if (a === b) return a;
  return a === "JSON" || b === "JSON" ? "JSON" : "VARCHAR";
}

const isNullable = (shape: SchemaShape) =>
  shape.anyOf?.some((s) => s.type === "null") ?? shape.type === undefined;

/** Fields of both versions in their order, without secrets and lists with their own table. */
export function recordColumns(record: RecordName): Column[] {
  const columns = new Map<string, Column>();
  for (const version of apiVersions) {
    const schema = records[record][version];
    const required = new Set<string>(schema.required);
    for (const [name, shape] of Object.entries(schema.properties) as [string, SchemaShape][]) {
      if (shape["x-secret"] || shape["x-table"]) continue;
      const known = columns.get(name);
      const own = columnTypeOf(shape);
      const wasInteger =
        shape["x-text"] === true ||
        known?.wasInteger === true ||
        (known !== undefined && known.type !== own && [known.type, own].includes("BIGINT"));
      columns.set(name, {
        ...(wasInteger ? { wasInteger } : {}),
        name,
        type: known ? widen(known.type, own) : own,
        required: required.has(name) && (known?.required ?? version === apiVersions[0]),
        nullable: isNullable(shape) || (known?.nullable ?? false),
        ...(shape.description === undefined ? {} : { description: shape.description }),
      });
    }
  }
  const inAll = (name: string) =>
    apiVersions.every((version) => name in records[record][version].properties);
  return [...columns.values()].map((column) => ({
    ...column,
    required: column.required && inAll(column.name),
  }));
}

const secretWords =
  "secret|passw(or)?d|passphrase|credential|authorization|(signed|upload)[_-]?ur[il]|" +
  "(api|private|access|signing|encryption|license)[_-]?key";
const secretEndings = "token|signature";

/** Without regard to case, in the syntax of JavaScript and RE2. */
export const secretName = `${secretWords}|(${secretEndings})$`;

export const secretNameInJson = `"[^"]*((${secretWords})[^"]*|(${secretEndings}))"\\s*:`;

const secretPattern = new RegExp(secretName, "i");

/** The value of an unknown field with such a name is not stored. */
export function looksSecret(name: string): boolean {
  return secretPattern.test(name);
}

/** Names of the fields that must never be stored, logged or shown. */
export function secretFields(record: RecordName): string[] {
  const names = apiVersions.flatMap((version) =>
    (Object.entries(records[record][version].properties) as [string, SchemaShape][])
      .filter(([, shape]) => shape["x-secret"])
      .map(([name]) => name),
  );
  return [...new Set(names)];
}

export const reportedExperimentId = "reported_experiment_id";

/** The record's, what was asked for, and `_meta` last; the partition column is not in the files. */
export function tableColumns(table: TableName): Column[] {
  const { record, askedAs } = lakeTable(table);
  const own = recordColumns(record).map((column) =>
    isOfExperiment(table) && column.name === "experiment_id"
      ? { ...column, name: reportedExperimentId }
      : column,
  );
  const columns = [...own, ...(askedAs === undefined ? [] : [askedColumn(askedAs)]), metaColumn];
  return columns.map((column) => ({
    ...column,
    description: meaningOf(table, column.name, column.description),
  }));
}

export interface NamingColumn {
  readonly field: string;
  readonly column: string;
  readonly parameter: string;
  readonly isOwn: boolean;
}

export function namingColumns(table: TableName): NamingColumn[] {
  const { operation: name } = lakeTable(table);
  const own = /\{(\w+)\}\/$/.exec(operation(name).path)?.[1];
  const known = tableColumns(table).filter(({ isAsked }) => !isAsked);
  return pathParameters(name).flatMap((parameter) => {
    const isOwn = parameter === own;
    const field = isOwn ? "id" : parameter;
    const column =
      field === "experiment_id" && isOfExperiment(table) ? reportedExperimentId : field;
    return known.some((one) => one.name === column) ? [{ field, column, parameter, isOwn }] : [];
  });
}

export const unitOf = (type: ColumnType): string => (type === "TIMESTAMPTZ" ? "instant, UTC" : "");

type StoredType = Exclude<ColumnType, "JSON">;

const storedAs = (type: ColumnType) => (type === "JSON" ? "VARCHAR" : type);

export function partColumns(table: TableName): Record<string, StoredType> {
  return Object.fromEntries(tableColumns(table).map(({ name, type }) => [name, storedAs(type)]));
}

export function columnTypes(table: TableName): Record<string, StoredType> {
  const partition = isOfExperiment(table) ? { experiment_id: "VARCHAR" as const } : {};
  return { ...partition, ...partColumns(table) };
}

const columnMeanings: Readonly<Record<string, string>> = {
  amount: "Amount, in the currency.",
  cost: "Costs of the job, in the currency.",
  cost_per_additional_session: "Costs of one more session, in the currency.",
  currency: "Currency of the amounts.",
  dataset_ids: "Datasets of the experiment.",
  datasets: "Summaries of the experiment's datasets, as a JSON array.",
  date_created: "Creation.",
  date_last_used: "Last use, as text.",
  date_updated: "Last update.",
  "datasets.date_created": "Creation, as text.",
  description: "Description.",
  dimension: "Rated dimension; empty if there is only one.",
  events: "Events that the webhook is sent.",
  experiment_id: "Experiment.",
  experiment_ids: "Experiments whose ratings count.",
  filename: "Name of the uploaded file.",
  id: "Identifier of the row.",
  is_active: "Whether the webhook is sent.",
  is_training: "Whether it is training, which counts only by convention.",
  job_id: "Job.",
  job_ids: "Jobs of the experiment.",
  jobs: "The experiment's jobs, as a JSON array.",
  kind: "Metric kind.",
  "billing_events.kind": "Kind of the event.",
  "organization_billing_events.kind": "Kind of the event.",
  label: "Name for people.",
  leaderboard_id: "Leaderboard.",
  leaderboards: "Leaderboards of the rubric, as a JSON array.",
  meta: "Additional data, as a JSON object.",
  name: "Name.",
  num_comparisons: "Comparisons in a session.",
  num_sessions: "Sessions that the costs are for.",
  num_stimuli: "Stimuli of the dataset.",
  num_training: "Training slates in a session.",
  pool: "Rater pool, in the older representation.",
  project_id: "Project.",
  rater: "The rater, as a JSON object with `id`, `user` and `meta`.",
  rater_id: "Rater.",
  rater_pool: "Rater pool, as a JSON object.",
  reported_experiment_id: "Experiment that the record itself names.",
  rubric_id: "Rubric that the leaderboard belongs to.",
  score: "Score, on the experiment's scale; null if the question has none.",
  scores: "Published numbers, as a JSON array.",
  session_id: "Session.",
  slate_id: "Slate.",
  source: "Ratings that the numbers are of: an experiment, a job, or several separated by commas.",
  status: "Processing status.",
  stimulus: "Name of the stimulus.",
  stimulus_id: "Stimulus.",
  title: "Title.",
  token_expires_at: "Expiry of the token, which is not exported.",
  training_dataset_ids: "Datasets for training.",
  training_datasets: "Summaries of the datasets for training, as a JSON array.",
  url: "Address that the webhook is sent to.",
  version: "Version of the experiment, in the older representation.",
};

function meaningOf(table: TableName, column: string, described: string | undefined): string {
  return described ?? columnMeanings[`${table}.${column}`] ?? columnMeanings[column] ?? "";
}
