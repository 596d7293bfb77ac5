import {
  isOfExperiment,
  lakeTable,
  parentTables,
  tableColumns,
  tableNames,
  unitOf,
  type TableName,
} from "../../src/contract/index.js";
import { documentedTables, headerLine, type Model, type Row } from "../../src/warehouse/index.js";

const cell = (text: string) => text.replaceAll("|", "\\|").replace(/\s+/g, " ");
const code = (text: string) => (text === "" ? "" : `\`${cell(text)}\``);

const keys: Readonly<Record<string, TableName>> = {
  experiment_id: "experiments",
  job_id: "jobs",
  rater_id: "raters",
  session_id: "sessions",
  slate_id: "slates",
  rubric_id: "rubrics",
  leaderboard_id: "leaderboards",
  dataset_id: "datasets",
};

/** An example of each column of the tables, from these rows: the first value that is not null. */
export type Examples = Readonly<Record<string, readonly Row[]>>;

function exampleOf(rows: readonly Row[] | undefined, column: string): string {
  const value = rows
    ?.map((row) => row[column])
    .find((one) => one !== null && one !== undefined && one !== "");
  if (value === undefined) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

export function describeTables(plan: readonly Model[], examples: Examples): string {
  const lines = [
    "# Data dictionary",
    "",
    "Generated from the contract and the headers of `sql/` by `npm run docs`; do not edit. `recount.duckdb` has the same",
    "text as comments (`select column_name, comment from duckdb_columns()`). [models.md](models.md) has the models behind",
    "these. Examples are of the sample project. JSON is text. Every table of an experiment has `experiment_id`, the folder of",
    "its files, and every table `_meta` with unknown fields.",
    "",
    "## Relations",
    "",
    "Each row of a table belongs to one row of each table beside it.",
    "",
    "| Table | Belongs to |",
    "|---|---|",
    ...tableNames.flatMap(relationsOf),
    "",
    "## Tables of the lake",
  ];
  for (const name of tableNames) {
    const table = lakeTable(name);
    const key =
      table.primaryKey === undefined
        ? ""
        : ` Key: \`${isOfExperiment(name) ? "experiment_id, " : ""}${table.primaryKey}\`.`;
    lines.push(
      "",
      `### ${name}`,
      "",
      `${table.description}.${key}`,
      "",
      "| Column | Type | Unit | Meaning | Null | Key of | Example |",
      "|---|---|---|---|---|---|---|",
    );
    const partition = isOfExperiment(name)
      ? [
          {
            name: "experiment_id",
            type: "VARCHAR" as const,
            required: true,
            nullable: false,
            description: "Experiment, the folder of the file.",
          },
        ]
      : [];
    for (const { name: column, type, required, nullable, description = "" } of [
      ...partition,
      ...tableColumns(name),
    ]) {
      const nulls = required
        ? nullable
          ? "as published"
          : "only if the service omits it"
        : "not given";
      const refers = column === table.primaryKey ? "" : (keys[column] ?? "");
      lines.push(
        `| \`${column}\` | ${type === "JSON" ? "VARCHAR (JSON)" : type} | ${unitOf(type)} | ${cell(description)} | ${nulls} | ${code(refers)} | ${code(exampleOf(examples[name], column))} |`.replaceAll(
          "  ",
          " ",
        ),
      );
    }
  }
  for (const [layer, title] of [
    ["views", "Views"],
    ["metrics", "Metrics"],
    ["statistics", "Statistics"],
  ] as const) {
    lines.push("", `## ${title}`);
    for (const model of plan
      .filter((one) => one.layer === layer && !/^(?:fit|key)_/.test(one.name))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)))
      for (const [table, columns] of documentedTables(model)) {
        lines.push(
          "",
          `### ${table}`,
          "",
          `One row: ${headerLine(model.sql, "grain")}.`,
          "",
          "| Column | Unit | Meaning | Null | Example |",
          "|---|---|---|---|---|",
        );
        for (const { name, meaning, unit, nulls } of columns)
          lines.push(
            `| \`${name}\` | ${unit} | ${cell(meaning)} | ${nulls} | ${code(exampleOf(examples[table], name))} |`.replaceAll(
              "  ",
              " ",
            ),
          );
      }
  }
  return `${lines.join("\n")}\n`;
}

function relationsOf(name: TableName): string[] {
  const { scope } = lakeTable(name);
  const parents: Partial<Record<string, TableName>> = parentTables;
  const named = tableColumns(name).flatMap((column) => keys[column.name] ?? []);
  const from = [
    ...new Set([
      ...(isOfExperiment(name) ? ["experiments"] : []),
      ...(parents[scope] ? [parents[scope]] : []),
      ...named,
    ]),
  ];
  const others = from.filter((one) => one !== name);
  return others.length === 0 ? [] : [`| \`${name}\` | ${others.map(code).join(", ")} |`];
}
