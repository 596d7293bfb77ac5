import type { CommandDescription, Flag, Value } from "../../src/commands/describe.js";
import { exitMeanings } from "../../src/commands/failure.js";

/** The environment variables that no flag names. */
const variables: Readonly<Record<string, string>> = {
  RECOUNT_BASIC_USER: "User of the service, where it has no API key",
  RECOUNT_BASIC_PASSWORD: "Password of that user",
  RECOUNT_SESSION_ID: "Session cookie of the service, where it has neither",
  RECOUNT_ADMIN_KEY: "Key of the emulator's admin port (a random one without it)",
  RECOUNT_MEMORY_LIMIT:
    "Memory of the engine where a command reads a lake, such as 4GB ([lake.md](lake.md#memory)) [default: 80 % of the machine's]",
  TMPDIR: "Folder of temporary files, such as what does not fit into that memory [default: /tmp]",
  XDG_CACHE_HOME: "Folder of exports in progress into object storage [default: ~/.cache]",
  AWS_REGION: "Region of a lake in object storage ([scale.md](scale.md)); profiles and roles work too",
  AWS_ACCESS_KEY_ID: "Access key of object storage",
  AWS_SECRET_ACCESS_KEY: "Secret of that key",
  AWS_SESSION_TOKEN: "Token of a temporary key",
  AWS_ENDPOINT_URL_S3: "Address of object storage that is not Amazon's",
  AWS_ENDPOINT_URL: "The same, for all services of Amazon's interface",
  SPARK_REMOTE: "Address of Spark Connect for `--engine spark` ([scale.md](scale.md))",
  HTTP_PROXY: "Proxy for http addresses; also in lower case ([network.md](network.md))",
  HTTPS_PROXY: "Proxy for https addresses; also in lower case",
  NO_PROXY: "Hosts that are reached without a proxy; also in lower case",
  NODE_EXTRA_CA_CERTS: "PEM file of authorities that Node trusts too",
  CHROME_PATH: "Chromium that prints the report as PDF (searched in PATH without it)",
  OTEL_EXPORTER_OTLP_ENDPOINT: "Where `recount run` sends a trace: an OpenTelemetry collector, OTLP over HTTP",
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "The same, as the whole address for traces",
  OTEL_SDK_DISABLED: "`true`: send no trace",
  OTEL_SERVICE_NAME: "Name of the service in a trace [default: recount]",
  TRACEPARENT: "Span below which the trace of a run is, in the form of W3C Trace Context",
};

const cell = (text: string) => text.replaceAll("|", "\\|");
const code = (text: string) => `\`${text}\``;

function takes({ kind, choices, isList }: Value): string {
  const one = kind === "choice" ? choices.map(code).join(", ") : kind === "switch" ? "" : kind;
  return isList ? `${one}; repeatable` : one;
}

function without({ default: value, variable, kind }: Value): string {
  const isWords = value?.includes(" ") === true;
  const shown = value === null ? [] : [isWords || kind === "text" ? value : code(value)];
  return [...(variable === null ? [] : [code(variable)]), ...shown].join(", otherwise ");
}

const flagName = ({ name, letter }: Flag) =>
  [`--${name}`, ...(letter === null ? [] : [`-${letter}`])].map(code).join(", ");

function table(head: string, rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const columns = head.split("|").length;
  return ["", `| ${head} |`, `|${"---|".repeat(columns)}`, ...rows.map((row) => `| ${row.map(cell).join(" | ")} |`)];
}

function section({ name, usage, text, arguments: values, flags, examples }: CommandDescription): string[] {
  return [
    "",
    `## recount ${name}`,
    "",
    `${text}.`,
    "",
    `    recount ${usage} [flags]`,
    ...table(
      "Argument | Value | Default | Meaning",
      values.map((value) => [code(value.name), takes(value), without(value), value.text]),
    ),
    ...table(
      "Flag | Value | Default | Meaning",
      flags.map((flag) => [flagName(flag), takes(flag), without(flag), flag.text]),
    ),
    "",
    ...examples.map(([line, does]) => `- ${code(line)}: ${does}.`),
  ];
}

/** docs/cli.md: every command with its arguments, flags and examples. */
export function describeCommandLine(commands: readonly CommandDescription[]): string {
  const flags = commands.flatMap((command) => command.flags);
  const named = [...new Set(flags.flatMap(({ variable }) => variable ?? []))];
  return [
    "# Command line",
    "",
    "Generated from the commands by `npm run docs`; do not edit. `recount <command> --help` prints the same.",
    "",
    "A value follows its flag after a space or `=`. A repeatable flag is given once for each value. Where the default is a",
    "variable, the environment has it. `recount completion` prints a script that makes a shell complete all of this.",
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
