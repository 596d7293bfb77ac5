import type { BodyOf } from "./bodies.js";
import { checkIdentifier } from "./identifier.js";
import { type OperationName, type operations, operation } from "./operations.js";
import type { QueryOf } from "./queries.js";
import type { RecordOf } from "./records.js";
import { UsageError } from "../platform/index.js";

type Operations = typeof operations;

type ParametersIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParametersIn<Rest> : never;

type PathArguments<N extends OperationName> = Record<ParametersIn<Operations[N]["path"]>, string>;

type OperationQuery<N extends OperationName> = Operations[N] extends {
  query: infer Q extends keyof typeof import("./queries.js").queryParameters;
}
  ? QueryOf<Q>
  : unknown;

type BodyArgument<N extends OperationName> = Operations[N] extends {
  body: infer B extends keyof typeof import("./bodies.js").bodies;
}
  ? Operations[N] extends { bodyOptional: true }
    ? { body?: BodyOf<B> | BodyOf<B, "0.7.5"> }
    : { body: BodyOf<B> | BodyOf<B, "0.7.5"> }
  : unknown;

/** Arguments of an operation: path and query parameters, and `body` if it has one. */
export type ArgumentsOf<N extends OperationName> = PathArguments<N> & OperationQuery<N> & BodyArgument<N>;

type One<N extends OperationName> = Operations[N] extends {
  record: infer R extends keyof typeof import("./records.js").records;
}
  ? RecordOf<R> | RecordOf<R, "0.7.5">
  : null;

/** An operation's response: a record, an array of records, or null. */
export type ResponseOf<N extends OperationName> = Operations[N] extends { list: true } ? One<N>[] : One<N>;

/** Names of the path parameters of an operation, in the order of its path. */
export function pathParameters(name: OperationName): string[] {
  return [...operation(name).path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
}

/**
 * The path of an operation, in its usual or its other spelling, with its identifiers filled in, relative to the base URL.
 * @throws UsageError when an identifier is missing or does not match the pattern.
 */
export function pathOf(
  name: OperationName,
  args: Readonly<Record<string, unknown>>,
  spelling: "path" | "alias" = "path",
): string {
  return (operation(name)[spelling] ?? operation(name).path).replace(/\{(\w+)\}/g, (_, parameter: string) => {
    const value = args[parameter];
    if (typeof value !== "string") throw new UsageError(`${name} needs ${parameter}.`);
    return checkIdentifier(parameter, value);
  });
}
