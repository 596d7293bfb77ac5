/** The command line: finds the command, checks its flags, and prints the overview. */
import yargs, { type Argv, type CommandModule } from "yargs";
import { packs } from "../packs.js";
import { didYouMean, UsageError, version } from "../platform/index.js";
import { beQuiet, consoleWidth, inform, openConsole, print, quietOption } from "./console.js";
import { exitMeanings, reportFailure } from "./failure.js";
import { findHere } from "./flags.js";

export { watchProcess } from "./failure.js";

/** The core's commands. Each is loaded when it is needed. */
const own = {
  export: () => import("./export.js"),
  audit: () => import("./audit.js"),
  report: () => import("./report.js"),
  explain: () => import("./explain.js"),
  diff: () => import("./diff.js"),
  query: () => import("./query.js"),
  run: () => import("./run.js"),
  check: () => import("./check.js"),
  status: () => import("./status.js"),
  transform: () => import("./transform.js"),
  verify: () => import("./verify.js"),
  snapshots: () => import("./snapshots.js"),
  call: () => import("./call.js"),
  openapi: () => import("./openapi.js"),
};

const modules: Readonly<Record<string, () => Promise<{ readonly command: object }>>> = {
  ...own,
  ...Object.fromEntries(packs.flatMap(({ commands = {} }) => Object.entries(commands))),
};

/** The headings of `recount --help` in order. Commands of an absent pack are left out. */
const headings: Readonly<Record<string, readonly string[]>> = {
  Start: ["demo", "export", "import", "audit", "report"],
  Look: ["explain", "diff", "query", "mcp"],
  "Every night": ["run", "schedule", "check", "status"],
  Lake: ["transform", "verify", "snapshots"],
  Emulator: ["serve", "call", "openapi"],
};

const isCommand = (token: string | undefined): token is string =>
  token !== undefined && Object.hasOwn(modules, token);

export const commandNames: readonly string[] = Object.values(headings).flat().filter(isCommand);

export interface Command {
  /** Such as `verify [file]`. */
  readonly command: string;
  readonly describe: string;
  readonly builder: (yargs: Argv) => Promise<Argv>;
  readonly handler: CommandModule["handler"];
  /** What its help ends with, by the words of the command line. */
  readonly help?: (words: readonly string[]) => Promise<string>;
}

export async function loadCommand(name: string): Promise<Command> {
  const { command, help } = (await modules[name]?.()) as unknown as Pick<Command, "help"> & {
    command: Command;
  };
  return {
    ...command,
    ...(help && { help }),
    builder: async (parser) => (await command.builder(parser)).option("quiet", quietOption),
  };
}

/** What yargs knows of a command's flags. Its types do not say so. */
interface KnownFlags {
  readonly key: Readonly<Record<string, unknown>>;
  readonly choices: Readonly<Record<string, readonly string[]>>;
  readonly alias: Readonly<Record<string, readonly string[]>>;
  readonly string: readonly string[];
  readonly array: readonly string[];
  readonly boolean: readonly string[];
}

const flagsOf = (parser: unknown) => (parser as { getOptions(): KnownFlags }).getOptions();

const see = "`recount <command> --help` shows what a command takes.";

const isArgument = (name: string, usage: string) =>
  usage.includes(`<${name}>`) || usage.includes(`[${name}]`);

const inOneLine = (message: string, usage: string) =>
  message
    .replace(/\s*\n\s*/g, " ")
    .replace(
      /^Invalid values: Argument: (\S+), Given: (.*?), Choices: (.*)$/,
      (_, name: string, given: string, choices: string) =>
        `${isArgument(name, usage) ? name : `--${name}`} must be one of ${choices}, not ${given}.`,
    )
    .replace(
      /^Not enough non-option arguments: .*$/,
      `An argument is missing: write \`recount ${usage}\`. \`recount ` +
        `${usage.split(" ")[0] ?? ""} --help\` has an example.`,
    )
    .replace(
      /^(?:Implications failed|Missing dependent arguments): (\S+) -> (\S+)$/,
      "--$1 needs --$2.",
    )
    .replace(/^Unknown arguments?: (.*)$/, `Unexpected argument: $1. ${see}`);

const lists =
  " `recount snapshots list` lists snapshots," +
  ' `recount query "show tables"` tables and models, `recount call` operations.';

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** A line with the nearest flag that exists; null if all exist. */
function mistypedFlag(
  argv: readonly string[],
  name: string | undefined,
  { key, alias, choices }: KnownFlags,
  usage: string,
) {
  const known = new Set([...Object.keys(key), ...Object.values(alias).flat()]);
  const options = argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv;
  const flag = options
    .filter((token) => /^--?[a-z]/i.test(token))
    .map((token) => token.replace(/=[^]*$/, ""))
    .find(
      (one) =>
        !known.has(one.startsWith("--") ? kebab(one.replace(/^--(no-)?/, "")) : (one[1] ?? "")),
    );
  if (flag === undefined) return null;
  const long = [...known].filter((one) => one.length > 1 && kebab(one) === one);
  const bare = flag.replace(/^--?/, "");
  const longer = long.filter((one) => one.startsWith(`${bare}-`)).map((one) => `--${one}`);
  const [subject, all] =
    name === undefined ? ["There is", "recount"] : [`${name} has`, `recount ${name}`];
  const words = Object.entries(choices).filter(([argument]) => isArgument(argument, usage));
  const answer = () => {
    if ((name === undefined ? commandNames : words.flatMap(([, word]) => word)).includes(bare))
      return ` Write \`${all} ${bare}\`.`;
    if (longer.length > 0) return ` These begin with it: ${longer.join(", ")}.`;
    if (bare === "list") return lists;
    return didYouMean(bare, long).replace("mean ", "mean --");
  };
  return `${subject} no flag ${flag}.${answer() || ` \`${all} --help\` lists them.`}`;
}

const emptyFlag = (flag: string) =>
  new UsageError(`${flag} is empty. Give it a value, or leave it out.`);

/**
 * Refuses what yargs would take for something else: an empty value (an unset variable in a script,
 * which would become 0 or the current folder), a switch with a value, a flag given twice.
 */
function checkValues(
  argv: readonly string[],
  parsed: Readonly<Record<string, unknown>>,
  { array, boolean, string }: KnownFlags,
): void {
  argv.forEach((token, i) => {
    const [, flag = "", value] = /^--?([a-z][a-z-]*)(?:=([^]*))?$/.exec(token) ?? [];
    if (value === "") throw emptyFlag(`--${flag}`);
    if (value !== undefined && boolean.includes(flag) && !/^(true|false)$/.test(value))
      throw new UsageError(`--${flag} must be true or false.`);
    if (value === undefined && string.includes(flag) && /^(--[a-z]|$)/.test(argv[i + 1] ?? ""))
      throw emptyFlag(`--${flag}`);
    if (token === "")
      throw emptyFlag(argv[i - 1]?.startsWith("-") ? String(argv[i - 1]) : `Argument ${i + 1}`);
  });
  for (const [flag, value] of Object.entries(parsed)) {
    if (value === "") throw emptyFlag(`--${flag}`);
    if (Array.isArray(value) && !array.includes(flag) && flag !== "_")
      throw new UsageError(`--${flag} is given ${value.length} times. Give it once.`);
  }
}

function parserOf(argv: readonly string[], name: string | undefined, usage = "<command>"): Argv {
  const parser = yargs([...argv])
    .scriptName(name === undefined ? "recount" : `recount ${name}`)
    .locale("en")
    .version(version)
    .alias("help", "h")
    .strict()
    .check((parsed) => {
      checkValues(argv, parsed, flagsOf(parser));
      return true;
    })
    .middleware(async (parsed) => {
      if (parsed.quiet === true) beQuiet();
      await findHere(parsed, argv, Object.keys(flagsOf(parser).key), inform);
    })
    .wrap(Math.min(100, consoleWidth()))
    .exitProcess(false)
    .fail((message: string | undefined, error: Error | undefined) => {
      if (error !== undefined) throw error;
      const problem =
        mistypedFlag(argv, name, flagsOf(parser), usage) ?? inOneLine(message ?? "", usage);
      throw new UsageError(problem || "The command line is not valid. See `recount --help`.");
    });
  return parser;
}

const asksForHelp = (argv: readonly string[]) => argv.some((token) => /^(-h|--help)$/.test(token));

async function commandOverview(): Promise<string> {
  const { wrapped } = await import("../report/index.js");
  const width = Math.min(100, process.stdout.columns || 100);
  const lineOf = async (name: string) =>
    wrapped(`  ${name.padEnd(12)}${(await loadCommand(name)).describe}`, width, " ".repeat(14));
  const parts = Object.entries(headings).map(async ([title, names]) =>
    [`${title}:`, ...(await Promise.all(names.filter(isCommand).map(lineOf)))].join("\n"),
  );
  return [
    "Export subjective studies to Parquet and check their published metrics against the raw " +
      "ratings.",
    [
      "  recount demo      try it without an account",
      "  recount export    download a project into the folder lake",
      "  recount audit     check every published number of it",
    ].join("\n"),
    ...(await Promise.all(parts)),
    see,
    wrapped(
      `Exit codes: ${Object.entries(exitMeanings)
        .map((one) => one.join(" "))
        .join(", ")}.`,
      width,
    ),
  ].join("\n\n");
}

async function runWithoutCommand(argv: readonly string[]): Promise<void> {
  const word = argv.find((token) => !token.startsWith("-"));
  if (word !== undefined)
    throw new UsageError(
      "There is no command " +
        `${word}.${didYouMean(word, commandNames) || " `recount --help` lists them."}`,
    );
  if (asksForHelp(argv)) {
    print(await commandOverview());
    return;
  }
  const parser = parserOf(argv, undefined)
    .alias("version", "v")
    .demandCommand(1, "No command given. `recount --help` lists the commands.");
  await parser.parseAsync();
}

/** Returns the exit code. */
export async function main(given: readonly string[]): Promise<number> {
  const argv = given[0] === "help" ? [...given.slice(1), "--help"] : given;
  openConsole(argv);
  try {
    const at = argv[0]?.startsWith("-") ? argv.findIndex(isCommand) : 0;
    const name = argv[at];
    if (isCommand(name)) {
      const { command, describe, builder, handler, help } = await loadCommand(name);
      // The default command of its own parser: yargs then lays out no help that nobody asked for.
      const usage = command.replace(name, "$0");
      await parserOf(argv.toSpliced(at, 1), name, command)
        .epilogue(asksForHelp(argv) ? ((await help?.(argv)) ?? "") : "")
        .command(usage, describe, builder as never, handler)
        .parseAsync();
    } else await runWithoutCommand(argv);
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return reportFailure(error);
  }
}
