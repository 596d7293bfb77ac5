import yargs from "yargs";
import { UsageError, version } from "../platform/index.js";
import { commands } from "./commands.js";
import { beQuiet, openConsole } from "./console.js";
import { checkFlags, type FlagTypes } from "./flags.js";
import { exitMeanings, reportFailure } from "./failure.js";
import { mistyped, type KnownFlags } from "./mistyped.js";

/** The flags of the command that is parsed. yargs has them, its types do not. */
const flagsOf = (parser: unknown) => (parser as { getOptions(): FlagTypes & KnownFlags }).getOptions();

const names = commands.map(({ command }) => String(command).split(" ")[0] ?? "");

const see = "`recount <command> --help` shows what a command takes.";

/** What yargs says, in one line and a sentence. */
const inOneLine = (message: string) =>
  message
    .replace(/\s*\n\s*/g, " ")
    .replace(/^Invalid values: Argument: (\S+), Given: (.*?), Choices: (.*)$/, "$1 must be one of $3, not $2.")
    .replace(
      /^Not enough non-option arguments: got (.*), need at least (.*)$/,
      `Arguments are missing: $1 of $2 are given. ${see}`,
    )
    .replace(/^Implications failed: (\S+) -> (\S+)$/, "--$1 needs --$2.")
    .replace(/^Unknown arguments?: (.*)$/, `Unexpected argument: $1. ${see}`);

/** Runs one command line and returns its exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  await openConsole(argv);
  const parser = yargs([...argv])
    .scriptName("recount")
    .usage(
      "$0 <command>\n\nExport subjective studies to Parquet and check their published metrics against the raw ratings.",
    )
    .version(version)
    .command([...commands])
    .demandCommand(1, "No command given. `recount --help` lists them.")
    .strict()
    .check((parsed) => {
      checkFlags(argv, parsed, flagsOf(parser));
      return true;
    })
    .middleware((parsed) => {
      if (parsed.quiet === true) beQuiet();
    })
    .wrap(Math.min(100, process.stdout.columns || 100))
    .exitProcess(false)
    .fail((message: string | undefined, error: Error | undefined) => {
      if (error !== undefined) throw error;
      const problem = mistyped(argv, names, flagsOf(parser)) ?? inOneLine(message ?? "");
      throw new UsageError(problem || "The command line is not valid. See `recount --help`.");
    })
    .epilogue(
      `Exit codes: ${Object.entries(exitMeanings)
        .map((one) => one.join(" "))
        .join(", ")}.`,
    );
  try {
    await parser.parseAsync();
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return reportFailure(error);
  }
}
