/** Compiles the schemas of YAML files, and says what is wrong with a file. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { Type } from "typebox";
import { schemaProblem, UsageError, type ValuePath } from "../platform/index.js";
import type { YamlSource } from "./source.js";

export const textSchema = (description: string) => Type.String({ minLength: 1, description });

const quick = { validateSchema: false, code: { optimize: false } } as const;

export const fileSchema = <T>(schema: object): ValidateFunction<T> =>
  new Ajv2020({
    allErrors: true,
    strict: false,
    strictNumbers: true,
    verbose: true,
    ...quick,
  }).compile<T>(schema);

/** @throws UsageError */
export function refuseFile(
  source: YamlSource,
  errors: readonly ErrorObject[],
  isSecret?: (path: ValuePath) => boolean,
): never {
  const { path, key, says } = schemaProblem(errors, "the file", isSecret);
  throw new UsageError(`${source.file}, line ${source.lineOf(path, key)}: ${says}.`);
}
