import type { Argv, Options, PositionalOptions } from "yargs";
import { commandNames, loadCommand, type Command } from "../../src/commands/main.js";
import { exitMeanings } from "../../src/commands/failure.js";

interface Value {
  readonly name: string;
  readonly letter: string | null;
  /** What it takes: nothing, one of some values, or a number, a file, a folder or text. */
  readonly takes: string;
  /** What holds without it: the value of a variable, a value or words. */
  readonly without: string;
  readonly variable: string | null;
  readonly text: string;
}

interface CommandDescription {
  readonly name: string;
  /** The name and the arguments: `verify [file]`. */
  readonly usage: string;
  readonly text: string;
  readonly arguments: readonly Value[];
  readonly flags: readonly Value[];
  readonly examples: readonly (readonly [line: string, text: string])[];
}

const code = (text: string) => `\`${text}\``;

function kindOf(
  name: string,
  { type, choices, describe = "" }: Options | PositionalOptions,
): string {
  if (type === "boolean") return "";
  if (choices !== undefined) return choices.map((choice) => code(String(choice))).join(", ");
  if (type === "number") return "number";
  if (/\bfolder\b/i.test(describe)) return "folder";
  return name === "file" || /(?<!@)\bfiles?\b/i.test(describe) ? "file" : "text";
}

function valueOf(name: string, options: Options | PositionalOptions): Value {
  const { describe = "", alias } = options;
  const given: unknown = options.default;
  const stated = /\s*\[default: (.*?)\]/;
  const [mark = "", variable = null, note] =
    /\s*\[env ([A-Z_]+)(?:: (.*?))?\]/.exec(describe) ?? [];
  const isShown = given === true || typeof given === "number" || typeof given === "string";
  const value = isShown ? String(given) : stated.exec(describe)?.[1];
  const kind = kindOf(name, options);
  const shown =
    value === undefined ? [] : [value.includes(" ") || kind === "text" ? value : code(value)];
  return {
    name,
    letter: typeof alias === "string" ? alias : null,
    takes: "array" in options && options.array === true ? `${kind}; repeatable` : kind,
    without: [...(variable === null ? [] : [code(variable)]), ...shown].join(", otherwise "),
    variable,
    text: describe
      .replace(stated, "")
      .replace(mark, note === undefined ? "" : ` (the variable has ${note})`),
  };
}

async function describe({
  command: usage,
  describe: text,
  builder,
}: Command): Promise<CommandDescription> {
  const values: Value[] = [];
  const flags: Value[] = [];
  const examples: (readonly [string, string])[] = [];
  const recorder = {
    positional(name: string, options: PositionalOptions) {
      values.push(valueOf(name, options));
      return recorder;
    },
    option(name: string, options: Options) {
      if (options.hidden === true) return recorder;
      const flag = valueOf(name, options);
      flags.push(flag);
      if (options.type === "boolean" && options.default === true) {
        const { variable } = flag;
        const without = variable === null ? "" : code(variable);
        flags.push({
          ...flag,
          name: `no-${name}`,
          letter: null,
          without,
          text: `Turn off --${name}`,
        });
      }
      return recorder;
    },
    options(all: Readonly<Record<string, Options>>) {
      for (const [name, options] of Object.entries(all)) recorder.option(name, options);
      return recorder;
    },
    example(line: string, does: string) {
      examples.push([line, does]);
      return recorder;
    },
    implies: () => recorder,
    group: () => recorder,
    conflicts: () => recorder,
  };
  await builder(recorder as unknown as Argv);
  return { name: usage.split(" ")[0] ?? "", usage, text, arguments: values, flags, examples };
}

export async function describeCommands(): Promise<readonly CommandDescription[]> {
  return Promise.all(commandNames.map(async (name) => describe(await loadCommand(name))));
}

const variables: Readonly<Record<string, string>> = {
  RECOUNT_BASIC_USER: "User of the service, where it has no API key",
  RECOUNT_BASIC_PASSWORD: "Password of that user",
  RECOUNT_SESSION_ID: "Session cookie of the service, where it has neither",
  RECOUNT_MEMORY_LIMIT:
    "Memory of the engine where a command reads a lake, such as 4GB ([lake.md](lake.md#memory)) [default: 80 % of the machine's]",
  TMPDIR: "Folder of temporary files, such as what does not fit into that memory [default: /tmp]",
  COLUMNS: "Width of the terminal, which shortens tables, also in a pipe",
  XDG_CACHE_HOME: "Folder of exports in progress into object storage [default: ~/.cache]",
  AWS_REGION:
    "Region of a lake in object storage ([scale.md](../how-to/scale.md)); profiles and roles work too",
  AWS_ACCESS_KEY_ID: "Access key of object storage",
  AWS_SECRET_ACCESS_KEY: "Secret of that key",
  AWS_SESSION_TOKEN: "Token of a temporary key",
  AWS_ENDPOINT_URL_S3: "Address of object storage that is not Amazon's",
  AWS_ENDPOINT_URL: "The same, for all services of Amazon's interface",
  SPARK_REMOTE: "Address of Spark Connect for `--engine spark` ([scale.md](../how-to/scale.md))",
  HTTP_PROXY: "Proxy for http addresses; also in lower case ([network.md](../how-to/network.md))",
  HTTPS_PROXY: "Proxy for https addresses; also in lower case",
  NO_PROXY: "Hosts that are reached without a proxy; also in lower case",
  NODE_EXTRA_CA_CERTS: "PEM file of authorities that Node trusts too",
};

const flagName = ({ name, letter }: Value) =>
  [`--${name}`, ...(letter === null ? [] : [`-${letter}`])].map(code).join(", ");

function table(head: string, rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const columns = head.split("|").length;
  return [
    "",
    `| ${head} |`,
    `|${"---|".repeat(columns)}`,
    ...rows.map((row) => `| ${row.map((text) => text.replaceAll("|", "\\|")).join(" | ")} |`),
  ];
}

function section({
  name,
  usage,
  text,
  arguments: values,
  flags,
  examples,
}: CommandDescription): string[] {
  return [
    "",
    `## recount ${name}`,
    "",
    `${text}.`,
    "",
    "```console",
    `recount ${usage} [flags]`,
    "```",
    ...table(
      "Argument | Value | Default | Meaning",
      values.map((value) => [code(value.name), value.takes, value.without, value.text]),
    ),
    ...table(
      "Flag | Value | Default | Meaning",
      flags.map((flag) => [flagName(flag), flag.takes, flag.without, flag.text]),
    ),
    "",
    ...examples.map(([line, does]) => `- ${code(line)}: ${does}.`),
  ];
}

export function describeCommandLine(commands: readonly CommandDescription[]): string {
  const flags = commands.flatMap((command) => command.flags);
  const named = [...new Set(flags.flatMap(({ variable }) => variable ?? []))];
  return [
    "# Command line",
    "",
    "Generated from the commands by `npm run docs`; do not edit. `recount <command> --help` prints the same.",
    "",
    "A value follows its flag after a space or `=`. A repeatable flag is given once for each value. Where the default is a",
    "variable, the environment has it.",
    ...table(
      "Command | Purpose",
      commands.map(({ name, text }) => [`[recount ${name}](#recount-${name})`, text]),
    ),
    ...commands.flatMap(section),
    "",
    "## Environment variables",
    ...table("Variable | Meaning", [
      ...named.map((variable) => [
        code(variable),
        `Used without ${[...new Set(flags.filter((flag) => flag.variable === variable).map(({ name }) => code(`--${name}`)))].join(", ")}`,
      ]),
      ...Object.entries(variables).map(([variable, meaning]) => [code(variable), meaning]),
    ]),
    "",
    "## Exit codes",
    ...table(
      "Code | Meaning",
      Object.entries(exitMeanings).map(([exitCode, meaning]) => [exitCode, meaning]),
    ),
    "",
    "[exit-codes.md](exit-codes.md) says more.",
    "",
  ].join("\n");
}
