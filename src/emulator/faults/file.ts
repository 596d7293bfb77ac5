import { parse } from "yaml";
import { messageOf, UsageError, readText } from "../../platform/index.js";
import { faultRules } from "./admin.js";
import type { FaultRule } from "./rules.js";

/** Fault rules out of a YAML or JSON file holding a list of them. @throws UsageError. */
export async function readFaultRules(path: string): Promise<FaultRule[]> {
  const text = await readText(path).catch((error: unknown) => {
    throw new UsageError(`${path}: cannot be read (${messageOf(error)}).`);
  });
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    throw new UsageError(`${path}: is not YAML or JSON (${messageOf(error).split("\n")[0] ?? ""}).`);
  }
  return faultRules(value, path);
}
