import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { didYouMean, UsageError } from "../platform/index.js";
import type { ValuePath, YamlSource } from "./source.js";

/** Checking the schema itself, which a test does, and shortening the generated code would take most of the start. */
const quick = { validateSchema: false, code: { optimize: false } } as const;

/** Compiles the schema of a file that a person writes. */
export const fileSchema = <T>(schema: object): ValidateFunction<T> =>
  new Ajv2020({ allErrors: true, strict: false, verbose: true, ...quick }).compile<T>(schema);

const unescape = (token: string) => token.replaceAll("~1", "/").replaceAll("~0", "~");

export const pathOf = (pointer: string): ValuePath =>
  pointer
    .split("/")
    .slice(1)
    .map(unescape)
    .map((token) => (/^\d+$/.test(token) ? Number(token) : token));

const nameOf = (path: ValuePath, key?: string) =>
  [...path, ...(key === undefined ? [] : [key])].join(".") || "the file";

const usefulness: Record<string, number> = { additionalProperties: 1000, anyOf: 1, type: 0 };

/** The most useful error: an unknown key first, then the deepest, then the most specific. */
function mostUseful(errors: readonly ErrorObject[]): ErrorObject | undefined {
  const rank = ({ keyword, instancePath }: ErrorObject) =>
    (usefulness[keyword] ?? 2) + 10 * instancePath.split("/").length;
  return errors.toSorted((a, b) => rank(b) - rank(a))[0];
}

/** Types of a schema, in words of YAML. */
const inWords: Readonly<Record<string, string>> = {
  array: "a list, such as [a, b]",
  object: "a map, such as key: value",
};

function expectation(error: ErrorObject): string {
  const allowed: unknown = error.params.allowedValues;
  if (error.keyword === "enum" && Array.isArray(allowed)) return `must be one of ${allowed.join(", ")}`;
  if (error.keyword === "anyOf") {
    const branches = (error.schema as { type?: string }[]).map(({ type = "another form" }) => inWords[type] ?? type);
    return `must be ${branches.join(" or ")}`;
  }
  if (error.keyword === "type") return `must be ${inWords[String(error.params.type)] ?? String(error.params.type)}`;
  return error.message ?? "is not valid";
}

/**
 * Says what is wrong with a file, in one line with key, value and what is allowed.
 * @param isSecret whether the value at a path must not be shown
 * @throws UsageError
 */
export function refuseFile(
  source: YamlSource,
  errors: readonly ErrorObject[],
  isSecret: (path: ValuePath) => boolean = () => false,
): never {
  const error = mostUseful(errors);
  if (error === undefined) throw new UsageError(`${source.file} is not valid.`);
  const path = pathOf(error.instancePath);
  if (error.keyword === "additionalProperties") {
    const key = String(error.params.additionalProperty);
    const known = Object.keys((error.parentSchema?.properties ?? {}) as object);
    const near = didYouMean(key, known);
    throw new UsageError(
      `${source.file}, line ${source.lineOf(path, key)}: unknown key ${nameOf(path, key)}.${near} Known here: ${known.join(", ")}.`,
    );
  }
  const value = isSecret(path) ? "" : `, not ${JSON.stringify(error.data)}`;
  throw new UsageError(`${source.file}, line ${source.lineOf(path)}: ${nameOf(path)} ${expectation(error)}${value}.`);
}
