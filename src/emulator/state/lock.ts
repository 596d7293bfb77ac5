import { DuckDBInstance } from "@duckdb/node-api";
import { messageOf, UsageError } from "../../platform/index.js";

/**
 * One service to a state file. The lock is the one that the operating system keeps on an open DuckDB file
 * beside it: it ends with its owner however that dies. Nothing is stored in it.
 * @throws UsageError when another service holds it.
 */
export async function lockState(path: string): Promise<() => void> {
  try {
    const instance = await DuckDBInstance.create(`${path}.lock`);
    return () => {
      instance.closeSync();
    };
  } catch (error) {
    if (/conflicting lock|could not set lock/i.test(messageOf(error)))
      throw new UsageError(`${path} is in use by another service; stop that one, or choose another --data file.`);
    throw new UsageError(`${path}.lock cannot be opened: ${messageOf(error)}`);
  }
}
