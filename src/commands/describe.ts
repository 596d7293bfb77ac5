import type { Argv, CommandModule, Options, PositionalOptions } from "yargs";

/** What a flag or an argument takes. A switch takes nothing. */
export type ValueKind = "switch" | "number" | "choice" | "file" | "folder" | "text";

/** A flag or an argument of a command. */
export interface Value {
  readonly name: string;
  readonly kind: ValueKind;
  /** The values of a choice. */
  readonly choices: readonly string[];
  /** Whether it is given several times. */
  readonly isList: boolean;
  /** What holds without it: a value or words. Null: nothing. */
  readonly default: string | null;
  /** The environment variable that is read without it. */
  readonly variable: string | null;
  readonly text: string;
}

export interface Flag extends Value {
  readonly letter: string | null;
}

export interface CommandDescription {
  readonly name: string;
  /** The name and the arguments: `verify [file]`. */
  readonly usage: string;
  readonly text: string;
  readonly arguments: readonly Value[];
  readonly flags: readonly Flag[];
  /** Command lines and what they do. */
  readonly examples: readonly (readonly [line: string, text: string])[];
}

/** Whether a text value is a file or a folder is what its help says. */
function kindOf(name: string, { type, choices, describe = "" }: Options | PositionalOptions): ValueKind {
  if (type === "boolean") return "switch";
  if (choices !== undefined) return "choice";
  if (type === "number") return "number";
  if (/\bfolder\b/i.test(describe)) return "folder";
  return name === "file" || /(?<!@)\bfiles?\b/i.test(describe) ? "file" : "text";
}

function valueOf(name: string, options: Options | PositionalOptions): Value {
  const { describe = "" } = options;
  const given: unknown = options.default;
  const stated = /\s*\[default: (.*?)\]/;
  const variable = /\s*\[env ([A-Z_]+)(?:: (.*?))?\]/;
  const isShown = given === true || typeof given === "number" || typeof given === "string";
  const note = variable.exec(describe)?.[2];
  return {
    name,
    kind: kindOf(name, options),
    choices: (options.choices ?? []).map(String),
    isList: "array" in options && options.array === true,
    default: isShown ? String(given) : (stated.exec(describe)?.[1] ?? null),
    variable: variable.exec(describe)?.[1] ?? null,
    text: describe.replace(stated, "").replace(variable, note === undefined ? "" : ` (the variable has ${note})`),
  };
}

/** What a command tells yargs of itself. */
async function describe({ command, describe: text, builder }: CommandModule): Promise<CommandDescription> {
  const usage = String(command);
  const values: Value[] = [];
  const flags: Flag[] = [];
  const examples: (readonly [string, string])[] = [];
  const recorder = {
    positional(name: string, options: PositionalOptions) {
      values.push(valueOf(name, options));
      return recorder;
    },
    option(name: string, options: Options) {
      const letter = typeof options.alias === "string" ? options.alias : null;
      if (options.hidden === true) return recorder;
      const flag = { ...valueOf(name, options), letter };
      flags.push(flag);
      if (flag.kind === "switch" && options.default === true)
        flags.push({ ...flag, name: `no-${name}`, letter: null, default: null, text: `Turn off --${name}` });
      return recorder;
    },
    options(all: Readonly<Record<string, Options>>) {
      for (const [name, options] of Object.entries(all)) recorder.option(name, options);
      return recorder;
    },
    example(line: string, does: string) {
      examples.push([line.replace("$0", "recount"), does]);
      return recorder;
    },
    implies: () => recorder,
    conflicts: () => recorder,
  };
  if (typeof builder === "function") await builder(recorder as unknown as Argv);
  return {
    ...{ name: usage.split(" ")[0] ?? "", usage, text: String(text), flags, examples },
    arguments: values,
  };
}

/** Describes commands from the definitions that parse their command lines. */
export async function describeCommands(commands: readonly CommandModule[]): Promise<readonly CommandDescription[]> {
  return Promise.all(commands.map(describe));
}
