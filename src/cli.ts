import { hideBin } from "yargs/helpers";
import yargs from "yargs";
import { commands, reportFailure } from "./commands/index.js";
import { UsageError, version } from "./platform/index.js";

/** Runs one command line and returns its exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const parser = yargs([...argv])
    .scriptName("recount")
    .usage("$0 <command>\n\nExport subjective studies to Parquet and recount their published metrics.")
    .version(version)
    .command([...commands])
    .demandCommand(1, "Say which command to run; `recount --help` lists them.")
    .recommendCommands()
    .strict()
    .wrap(Math.min(100, process.stdout.columns || 100))
    .exitProcess(false)
    .fail((message: string | undefined, error: Error | undefined) => {
      throw error ?? new UsageError(message ?? "The command line is not understood.");
    })
    .epilogue(
      "Exit codes: 0 all follows, 1 unexplained, 2 inconclusive, 3 export failed, 4 usage, 5 internal, 130 interrupted.",
    );
  try {
    await parser.parseAsync();
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return reportFailure(error);
  }
}

/** A reader that closes early (`recount query … | head`) has what it wanted. */
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

/** Exports may hold personal data: what Recount and its engine write is for the owner and the group only. */
process.umask(0o027);

process.exitCode = await main(hideBin(process.argv));
