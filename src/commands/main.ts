import yargs from "yargs";
import { UsageError, version } from "../platform/index.js";
import { commands } from "./commands.js";
import { reportFailure } from "./failure.js";

/** Runs one command line and returns its exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const parser = yargs([...argv])
    .scriptName("recount")
    .usage(
      "$0 <command>\n\nExport subjective studies to Parquet and check their published metrics against the raw ratings.",
    )
    .version(version)
    .command([...commands])
    .demandCommand(1, "No command given. `recount --help` lists them.")
    .recommendCommands()
    .strict()
    .wrap(Math.min(100, process.stdout.columns || 100))
    .exitProcess(false)
    .fail((message: string | undefined, error: Error | undefined) => {
      throw error ?? new UsageError(message ?? "The command line is not valid. See `recount --help`.");
    })
    .epilogue(
      "Exit codes: 0 everything reproduced, 1 unexplained, 2 could not be determined, 3 export failed, 4 usage, 5 internal error, 130 interrupted.",
    );
  try {
    await parser.parseAsync();
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return reportFailure(error);
  }
}
