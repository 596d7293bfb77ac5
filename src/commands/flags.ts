import { allowedValues, UsageError, type Choice, type Setting } from "../platform/index.js";

type ValueOf<S extends Setting> = S["type"] extends "boolean" ? boolean : number;

const isAllowed = (value: unknown, { type, minimum = -Infinity, maximum = Number.MAX_SAFE_INTEGER }: Setting) =>
  typeof value === "number" && value >= minimum && value <= maximum && (type === "number" || Number.isInteger(value));

/** A command-line flag for a setting: its description, bounds and default. */
export function flagFor<S extends Setting>(name: string, setting: S) {
  const { type, minimum, maximum, description } = setting;
  const atLeast = minimum === undefined || minimum === 0 ? "" : `, at least ${minimum}`;
  const range = maximum === undefined ? atLeast : `, ${minimum ?? "any"} to ${maximum}`;
  return {
    type: type === "boolean" ? "boolean" : "number",
    default: setting.default as "default" extends keyof S ? ValueOf<S> : undefined,
    describe: description.replace(/\.$/, "").replace(/(?=;)|$/, range),
    coerce: (value: unknown): ValueOf<S> => {
      if (value === undefined || type === "boolean" || isAllowed(value, setting)) return value as ValueOf<S>;
      throw new UsageError(`--${name} must be ${allowedValues(setting)}.`);
    },
  } as const;
}

/** The flags of a command line, by type, as yargs has read them. */
export interface FlagTypes {
  readonly string: readonly string[];
  readonly array: readonly string[];
  readonly boolean: readonly string[];
}

/**
 * Refuses what yargs would take for something else: an empty value (an unset variable in a script, which would become 0
 * or the current folder), a switch with a value, a flag given twice.
 */
export function checkFlags(
  argv: readonly string[],
  parsed: Readonly<Record<string, unknown>>,
  { array, boolean, string }: FlagTypes,
): void {
  argv.forEach((token, i) => {
    const [, flag = "", value] = /^--?([a-z][a-z-]*)(?:=([^]*))?$/.exec(token) ?? [];
    if (value === "") throw new UsageError(`--${flag} is empty. Give it a value, or leave it out.`);
    if (value !== undefined && boolean.includes(flag) && !/^(true|false)$/.test(value))
      throw new UsageError(`--${flag} must be true or false.`);
    if (value === undefined && string.includes(flag) && /^(--[a-z]|$)/.test(argv[i + 1] ?? ""))
      throw new UsageError(`--${flag} is empty. Give it a value, or leave it out.`);
    if (token !== "") return;
    const before = argv[i - 1] ?? "";
    const what = before.startsWith("-") ? before : `Argument ${i}`;
    throw new UsageError(`${what} is empty. Give it a value, or leave it out.`);
  });
  for (const [flag, value] of Object.entries(parsed)) {
    if (value === "") throw new UsageError(`--${flag} is empty. Give it a value, or leave it out.`);
    if (Array.isArray(value) && !array.includes(flag) && flag !== "_")
      throw new UsageError(`--${flag} is given ${value.length} times. Give it once.`);
  }
}

/** A command-line flag for a setting that is one of a few words. */
export const choiceFor = <S extends Choice>({ enum: words, default: chosen, description }: S) =>
  ({
    choices: words as S["enum"],
    default: chosen as S["enum"][number],
    describe: description.replace(/\.$/, ""),
  }) as const;
