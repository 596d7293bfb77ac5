import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { Type } from "typebox";
import { schemaProblem, UsageError, type ValuePath } from "../platform/index.js";
import type { YamlSource } from "./source.js";

/** A text that is not empty. */
export const textSchema = (description: string) => Type.String({ minLength: 1, description });

/**
 * Checking the schema itself, which a test does, and shortening the generated code would take most
 * of the start.
 */
const quick = { validateSchema: false, code: { optimize: false } } as const;

/** Compiles the schema of a file that a person writes. */
export const fileSchema = <T>(schema: object): ValidateFunction<T> =>
  new Ajv2020({
    allErrors: true,
    strict: false,
    strictNumbers: true,
    verbose: true,
    ...quick,
  }).compile<T>(schema);

/**
 * Says what is wrong with a file, in one line with key, value and what is allowed.
 * @param isSecret whether the value at a path must not be shown
 * @throws UsageError
 */
export function refuseFile(
  source: YamlSource,
  errors: readonly ErrorObject[],
  isSecret?: (path: ValuePath) => boolean,
): never {
  const { path, key, says } = schemaProblem(errors, "the file", isSecret);
  throw new UsageError(`${source.file}, line ${source.lineOf(path, key)}: ${says}.`);
}
