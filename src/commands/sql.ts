import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import type { CommandModule, InferredOptionTypes } from "yargs";
import { codeOf, exists, exitCodes, ExportError, UsageError } from "../platform/index.js";
import type { Warehouse } from "../warehouse/index.js";
import { print } from "./console.js";
import { reportFailure } from "./failure.js";
import { methodOption, projectOf, snapshotOptions } from "./flags.js";
import { limitOf, listing, rowsOption, withWarehouse, writeLines } from "./query.js";

const options = {
  ...snapshotOptions,
  ...methodOption,
  ...rowsOption,
  ui: { type: "boolean", default: false, describe: "Open DuckDB's user interface in a browser; needs DuckDB's shell" },
} as const;

type SqlArguments = InferredOptionTypes<typeof options>;

export const command: CommandModule<object, SqlArguments> = {
  command: "sql",
  describe: "Prompt for SQL over a snapshot, in DuckDB's own shell if it is installed",
  builder: (yargs) =>
    yargs
      .options(options)
      .example("recount sql --lake lake", "Ask about the newest snapshot; .tables lists the tables")
      .example("recount sql < questions.sql", "Answer each statement of a file"),
  handler: async (args) => {
    const limit = limitOf(args.rows);
    const project = await projectOf(args);
    const folder = await databaseFolder(args, project);
    const shellArgs = ["-readonly", "recount.duckdb", ...(args.ui ? ["-ui"] : [])];
    const code = folder === null || !(process.stdin.isTTY || args.ui) ? null : await shell(folder, shellArgs);
    if (code !== null) process.exitCode = code;
    else if (args.ui)
      throw new UsageError(
        "--ui needs DuckDB's shell and recount.duckdb on this machine. Install the shell (https://duckdb.org/install) and run `recount transform`, or leave out --ui.",
      );
    else await withWarehouse({ ...args, project, unsafe: false }, [], (warehouse) => converse(warehouse, limit));
  },
};

/** The folder of the snapshot's recount.duckdb; null if it has none, or not on this machine. */
async function databaseFolder({ lake, snapshot }: SqlArguments, project: string): Promise<string | null> {
  const { isObject } = await import("../objects/index.js");
  const { locateDerived, openSnapshot } = await import("../lake/index.js");
  const folder = locateDerived(lake, project, (await openSnapshot(lake, project, snapshot, [])).id);
  return !isObject(folder) && (await exists(join(folder, "recount.duckdb"))) ? folder : null;
}

/** Runs DuckDB's shell in a folder, which queries name files from. Returns its exit code; null if it is not installed. */
function shell(cwd: string, args: readonly string[]): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn("duckdb", args, { cwd, stdio: "inherit" });
    child.on("error", (error) => {
      if (codeOf(error) === "ENOENT") resolve(null);
      else reject(new ExportError(error.message));
    });
    child.on("close", (code) => resolve(code ?? 0));
  });
}

const help =
  "End a statement with ; to run it. `.tables` lists the tables, `.tables all` those behind them too, `.exit` ends.";

/** Answers statements of standard input, each up to a semicolon at the end of a line, until it ends or says `.exit`. */
async function converse(warehouse: Warehouse, limit: number | undefined): Promise<void> {
  const isTerminal = process.stdin.isTTY;
  if (isTerminal) print(help);
  const lines = createInterface({ input: process.stdin, ...(isTerminal ? { output: process.stdout } : {}) });
  let statement = "";
  let isRunning = false;
  const prompt = () => {
    lines.setPrompt(statement === "" ? "recount> " : "    ...> ");
    if (isTerminal) lines.prompt();
  };
  const answer = async (sql: string, rows = limit) => {
    isRunning = true;
    try {
      await writeLines(warehouse, sql, "table", rows);
    } catch (error) {
      const exitCode = reportFailure(error);
      // A person mends a mistake; what reads an answer must see it.
      if (!isTerminal || exitCode === exitCodes.internal) process.exitCode = exitCode;
    } finally {
      isRunning = false;
    }
  };
  lines.on("SIGINT", () => {
    if (isRunning) {
      warehouse.interrupt();
      return;
    }
    statement = "";
    print("");
    prompt();
  });
  prompt();
  for await (const line of lines) {
    const said = line.trim();
    if (statement === "" && said.startsWith(".")) {
      if (said === ".exit" || said === ".quit") break;
      if (/^\.tables( all)?$/.test(said)) await answer(await listing(said.endsWith("all")), Infinity);
      else print(help);
    } else if (said !== "" || statement !== "") statement += `${line}\n`;
    if (said.endsWith(";")) {
      const sql = statement;
      statement = "";
      if (sql.trim() !== "") await answer(sql);
    }
    prompt();
  }
  lines.close();
  if (statement.trim() !== "") await answer(statement);
}
