import { Ajv, type ErrorObject } from "ajv";
import type { TSchema } from "typebox";
import { parse } from "yaml";
import { messageOf, readText, UsageError } from "../platform/index.js";

/** The field that a schema error is about, with dots. */
export const fieldOf = ({ instancePath }: ErrorObject, ...last: unknown[]): string =>
  [instancePath.slice(1).replaceAll("/", "."), ...last].filter(Boolean).join(".");

/** The start of the value that a schema error is about. */
export const valueOf = ({ data }: ErrorObject): string =>
  ((JSON.stringify(data) as string | undefined) ?? "missing").slice(0, 80);

/**
 * A function that reads a list of rules and throws a UsageError naming the rule, the field and the value. `where`
 * names the list in the message, `help` says where the rules are documented.
 */
export function ruleReader<T>(rule: TSchema, help: string): (value: unknown, where: string) => T[] {
  const validate = new Ajv({ strict: false, discriminator: true, verbose: true }).compile<T[]>({
    type: "array",
    items: JSON.parse(JSON.stringify(rule)) as object,
  });
  return (value, where) => {
    if (validate(value)) return value;
    const [error] = validate.errors ?? [];
    throw new UsageError(`${where}: rule ${error === undefined ? "list is not valid" : problem(error)}; ${help}.`);
  };
}

function problem(error: ErrorObject): string {
  const { additionalProperty: unknown, allowedValues } = error.params as {
    additionalProperty?: string;
    allowedValues?: string[];
  };
  if (unknown !== undefined) return `${fieldOf(error, unknown)} is not known`;
  const allowed = allowedValues === undefined ? "" : ` (${allowedValues.join(", ")})`;
  return `${fieldOf(error) || "list"} ${error.message ?? "is not valid"}${allowed}, but is ${valueOf(error)}`;
}

/** The value in a YAML or JSON file. @throws UsageError. */
export async function readValue(path: string): Promise<unknown> {
  const text = await readText(path).catch((error: unknown) => {
    throw new UsageError(`${path}: cannot be read (${messageOf(error)}).`);
  });
  try {
    return parse(text) as unknown;
  } catch (error) {
    throw new UsageError(`${path}: is not YAML or JSON (${messageOf(error).split("\n")[0] ?? ""}).`);
  }
}
