import type { CommandModule, InferredOptionTypes } from "yargs";
import { didYouMean, UsageError } from "../platform/index.js";
import type { Row } from "../warehouse/index.js";
import { methodOption, print, snapshotOptions, withWarehouse } from "../commands/index.js";

const robustKinds = ["bradley_terry", "bayesian_elo", "elo", "percent_chosen", "mean"] as const;

const options = {
  ...snapshotOptions,
  ...methodOption,
  format: {
    choices: ["table", "json"] as const,
    default: "table" as const,
    describe: "Output format; json has what is left out too",
  },
  sql: {
    type: "boolean",
    default: false,
    describe: "Print a query for each answer that shows what is left out",
  },
} as const;

type RobustnessArguments = InferredOptionTypes<typeof options> & {
  experiment: string | undefined;
  kind: (typeof robustKinds)[number] | undefined;
};

export const command: CommandModule<object, RobustnessArguments> = {
  command: "robustness [experiment] [kind]",
  describe: "Say how few votes, raters or sessions decide the first places",
  builder: (yargs) =>
    yargs
      .positional("experiment", {
        type: "string",
        describe: "Identifier or name of the experiment [default: all]",
      })
      .positional("kind", {
        choices: robustKinds,
        describe: "Metric that ranks [default: all that the data allow]",
      })
      .options(options)
      .example("recount robustness --lake lake", "Rankings of every experiment")
      .example(
        "recount robustness Codecs16k elo --sql",
        "Queries for the votes behind one ranking",
      ),
  handler: async (args) => {
    const { kind, format } = args;
    await withWarehouse({ ...args, unsafe: false }, {}, async (warehouse) => {
      const experiment = await experimentId(args.experiment, (sql) => warehouse.all(sql));
      const { text } = await import("../warehouse/index.js");
      const where = [
        ...(experiment === null ? [] : [`experiment_id = ${text(experiment)}`]),
        ...(kind === undefined ? [] : [`kind = ${text(kind)}`]),
      ];
      const chosen = where.length === 0 ? "" : ` where ${where.join(" and ")}`;
      const rows = await warehouse.all(`from robustness${chosen} order by all`);
      if (args.sql)
        print(
          rows
            .filter((row) => row.at_most !== null)
            .map((row) => robustnessQuery(row, text))
            .join("\n"),
        );
      else if (format === "json") {
        const leftOut = await warehouse.all(`from left_out${chosen} order by all`);
        print(
          JSON.stringify(
            rows.map((row) => ({ ...row, left_out: leftOut.filter(isOf(row)).map(withoutKeys) })),
            null,
            2,
          ),
        );
      } else if (experiment === null) {
        print(await robustnessTable(rows.filter(({ k }) => Number(k) === 1)));
        print("\nName an experiment for its first two and three places as well.");
      } else print(await robustnessTable(rows));
    });
  },
};

/**
 * The identifier of an experiment that is named by identifier or name; null for all.
 * @throws UsageError
 */
async function experimentId(
  named: string | undefined,
  query: (sql: string) => Promise<Row[]>,
): Promise<string | null> {
  if (named === undefined) return null;
  const { textOf } = await import("../warehouse/index.js");
  const known = (
    await query("select experiment_id, experiment_name from stg_experiments order by all")
  ).map((row) => ({
    id: textOf(row, "experiment_id"),
    name: textOf(row, "experiment_name"),
  }));
  const found = known.find(({ id }) => id === named) ?? known.find(({ name }) => name === named);
  if (found !== undefined) return found.id;
  const names = known.flatMap(({ id, name }) => [id, name]);
  throw new UsageError(
    "The snapshot has no experiment " +
      `${JSON.stringify(named)}.${
        didYouMean(named, names) || ` It has ${known.map(({ id }) => id).join(", ")}.`
      }`,
  );
}

const keyColumns = ["experiment_id", "dimension", "kind", "unit", "k"] as const;

const isOf = (row: Row) => (other: Row) => keyColumns.every((key) => row[key] === other[key]);

const withoutKeys = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).filter(
      ([name, value]) => value !== null && !keyColumns.some((key) => key === name),
    ),
  );

function robustnessQuery(row: Row, text: (value: string) => string): string {
  const literal = (value: Row[string]): string =>
    typeof value === "string" ? text(value) : Number(value).toString();
  const conditions = keyColumns.map((key) => `${key} = ${literal(row[key] ?? "")}`);
  return `from left_out where ${conditions.join(" and ")};`;
}

async function robustnessTable(rows: readonly Row[]): Promise<string> {
  const { column, renderTable } = await import("../report/index.js");
  const { textOf } = await import("../warehouse/index.js");
  const { visible } = await import("../platform/index.js");
  if (rows.length === 0) return "No experiment has comparisons or scores of several items.";
  const shown = (name: string) => (row: Row) => visible(textOf(row, name));
  const atMost = (row: Row): string => {
    if (row.at_most === null) return "";
    return row.is_exact === true ? textOf(row, "at_most") : `at most ${textOf(row, "at_most")}`;
  };
  return renderTable(rows, [
    column.plain("Experiment", shown("experiment_id")),
    column.plain("Dimension", shown("dimension")),
    column.plain("Kind", shown("kind")),
    column.num("First", shown("k")),
    column.num("Leave out", atMost),
    column.num("Of", (row) => `${textOf(row, "units")} ${textOf(row, "unit")}s`),
    column.plain("Leaving", shown("leaving")),
    column.plain("Entering", shown("entering")),
    column.plain("Reason", shown("reason")),
  ]);
}
