// Reads files of rules, and says in one line what is wrong with one.
import addFormats from "ajv-formats";
import { Ajv, type ErrorObject } from "ajv";
import type { TSchema } from "typebox";
import { parse } from "yaml";
import { messageOf, readText, schemaProblem, UsageError } from "../platform/index.js";

/** With dots. */
export const fieldPath = ({ instancePath }: ErrorObject, ...last: unknown[]): string =>
  [instancePath.slice(1).replaceAll("/", "."), ...last].filter(Boolean).join(".");

/** What is first wrong with a value, null if it is valid. `whole`: what the value is called. */
export function problemFinder(schema: object, whole: string): (value: unknown) => string | null {
  const ajv = addFormats.default(new Ajv({ strict: false, discriminator: true, verbose: true }));
  const validate = ajv.compile(JSON.parse(JSON.stringify(schema)) as object);
  return (value) => (validate(value) ? null : schemaProblem(validate.errors ?? [], whole).says);
}

/** `where` names the list in the UsageError, `help` says where the rules are documented. */
export function ruleReader<T>(
  rule: TSchema,
  help: string,
): (value: unknown, where?: string) => T[] {
  const problem = problemFinder({ type: "array", items: rule }, "the list of rules");
  return (value, where = "rules") => {
    const found = problem(value);
    if (found !== null) throw new UsageError(`${where}: ${found}; ${help}.`);
    return value as T[];
  };
}

/** YAML or JSON. @throws UsageError. */
export async function readValue(path: string): Promise<unknown> {
  const text = await readText(path).catch((error: unknown) => {
    throw new UsageError(`${path}: cannot be read (${messageOf(error)}).`);
  });
  try {
    return parse(text) as unknown;
  } catch (error) {
    throw new UsageError(
      `${path}: is not YAML or JSON (${messageOf(error).split("\n")[0] ?? ""}).`,
    );
  }
}
