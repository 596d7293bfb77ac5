import { spawn } from "node:child_process";
import { join } from "node:path";
import type { CommandModule, InferredOptionTypes } from "yargs";
import { codeOf, exists, ExportError, UsageError } from "../platform/index.js";
import { projectOf, snapshotOptions } from "./flags.js";

const options = {
  ...snapshotOptions,
  ui: { type: "boolean", default: false, describe: "Open DuckDB's user interface in a browser instead" },
} as const;

export const command: CommandModule<object, InferredOptionTypes<typeof options>> = {
  command: "sql",
  describe: "Open the models and tables of a snapshot in DuckDB's own shell, if it is installed",
  builder: (yargs) =>
    yargs.options(options).example("recount sql --lake lake", "Open recount.duckdb of the newest snapshot"),
  handler: async (args) => {
    const { isObject } = await import("../objects/index.js");
    const { locateDerived, openSnapshot } = await import("../lake/index.js");
    const project = await projectOf(args);
    const { id } = await openSnapshot(args.lake, project, args.snapshot, []);
    const folder = locateDerived(args.lake, project, id);
    if (isObject(folder))
      throw new UsageError(
        `DuckDB's shell has no credentials for ${args.lake}. Attach '${folder}/recount.duckdb' in it after \`create secret\` (docs/how-to/scale.md), or use \`recount query\`.`,
      );
    if (!(await exists(join(folder, "recount.duckdb"))))
      throw new UsageError(`${join(folder, "recount.duckdb")} is missing. Run \`recount transform\` first.`);
    process.exitCode = await shell(folder, ["-readonly", "recount.duckdb", ...(args.ui ? ["-ui"] : [])]);
  },
};

/** Runs DuckDB's shell in a folder, which the database names its files from. */
function shell(cwd: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn("duckdb", args, { cwd, stdio: "inherit" });
    child.on("error", (error) => {
      const how = `Install it (https://duckdb.org/install), or use \`recount query\`. By hand: cd ${cwd} && duckdb ${args.join(" ")}`;
      const isMissing = codeOf(error) === "ENOENT";
      reject(isMissing ? new UsageError(`DuckDB's shell is not installed. ${how}`) : new ExportError(error.message));
    });
    child.on("close", (code) => resolve(code ?? 0));
  });
}
