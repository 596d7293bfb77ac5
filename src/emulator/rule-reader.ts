// Reads files of rules, and says in one line what is wrong with one.
import type { TSchema } from "typebox";
import { parse } from "yaml";
import { messageOf, readText, schemaCheck, UsageError } from "../platform/index.js";

/** `where` names the list in the UsageError, `help` says where the rules are documented. */
export function ruleReader<T>(
  rule: TSchema,
  help: string,
): (value: unknown, where?: string) => T[] {
  const problem = schemaCheck({ type: "array", items: rule }, "the list of rules");
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
