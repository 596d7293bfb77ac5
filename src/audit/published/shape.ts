import { jsonpath, type JSONValue } from "json-p3";
import { messageOf, UsageError } from "../../platform/index.js";
import { readNumber, type PublishedNumber, type PublishedScore, type PublishedScores } from "./scores.js";

/**
 * Where the numbers are in `scores`, for a service whose shape the lenient reader misreads.
 * JSONPath (RFC 9535): `entries` from the root of `scores`, `item` and each of `fields` from one entry.
 */
export interface ScoreShape {
  readonly entries: string;
  readonly item: string;
  readonly fields: Readonly<Record<string, string>>;
}

function compile(path: string): (value: JSONValue) => unknown[] {
  try {
    const query = jsonpath.compile(path);
    return (value) => query.query(value).values();
  } catch (error) {
    throw new UsageError(`scores shape: "${path}" is not a JSONPath: ${messageOf(error)}`, { cause: error });
  }
}

/** Reads `scores` in a declared shape; an entry without a name or without any number is a problem. */
export function readShaped(shape: ScoreShape, scores: unknown): PublishedScores {
  const item = compile(shape.item);
  const fields = Object.entries(shape.fields).map(([name, path]) => [name, compile(path)] as const);
  const problems: string[] = [];
  const read: PublishedScore[] = [];
  compile(shape.entries)(scores as JSONValue).forEach((entry, index) => {
    const [name] = item(entry as JSONValue);
    const numbers: Record<string, PublishedNumber> = {};
    for (const [field, find] of fields) {
      const number = readNumber(find(entry as JSONValue)[0]);
      if (number) numbers[field] = number;
    }
    if (typeof name !== "string" && typeof name !== "number")
      problems.push(`entry ${index}: nothing at ${shape.item}, where the item's name should be`);
    else if (Object.keys(numbers).length === 0)
      problems.push(`entry ${index}: no number at any of the paths in fields`);
    else read.push({ identities: [{ key: "shape", name: String(name) }], fields: numbers, synonyms: [], rest: {} });
  });
  if (read.length === 0) problems.push(`no entries at ${shape.entries}`);
  return { scores: read, problems };
}
