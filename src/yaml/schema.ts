/** Says what is wrong with a YAML file that does not fit its schema. */
import { Type } from "typebox";
import { schemaProblem, UsageError, type SchemaError, type ValuePath } from "../platform/index.js";
import type { YamlSource } from "./source.js";

export const textSchema = (description: string) => Type.String({ minLength: 1, description });

/** @throws UsageError */
export function refuseFile(
  source: YamlSource,
  errors: readonly SchemaError[],
  isSecret?: (path: ValuePath) => boolean,
): never {
  const { path, key, says } = schemaProblem(errors, "the file", isSecret);
  throw new UsageError(`${source.file}, line ${source.lineOf(path, key)}: ${says}.`);
}
