import { jsonpath, type JSONValue } from "json-p3";
import type { PublishedList as List } from "../../contract/index.js";
import { messageOf, UsageError } from "../../platform/index.js";
import { idsOf, kindNamed, readRecords, type PublishedRecord } from "./records.js";
import { isRecord, readNumber, type PublishedNumber, type PublishedScore, type PublishedScores } from "./scores.js";

/**
 * Where the parts of a published record are, for a service whose records the lenient reader misreads.
 * JSONPath (RFC 9535): `records` from the element of the list, the others from one of those. What is not declared, or
 * not found at its path, is read leniently.
 */
export interface RecordShape {
  readonly records?: string;
  readonly kind?: string;
  readonly dimension?: string;
  /** Identifiers of the jobs, or of the experiment, that the numbers are about. */
  readonly source?: string;
  readonly scores?: string;
  readonly options?: string;
}

/** By list: `results`, `metrics`, `leaderboards`, `rubrics`. */
export type RecordShapes = Readonly<Partial<Record<List, RecordShape>>>;

/**
 * Where the numbers are in `scores`, for a service whose shape the lenient reader misreads.
 * JSONPath (RFC 9535): `entries` from the root of `scores`, `item` and each of `fields` from one entry.
 */
interface ScoreShape {
  readonly entries: string;
  readonly item: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Score shapes by kind, or by list and kind (`leaderboards.elo`), where the lenient reader misreads the scores. */
export type ScoreShapes = Readonly<Partial<Record<string, ScoreShape>>>;

/** What a JSONPath finds in a value. @throws UsageError if it is not a JSONPath */
function finder(shape: "record" | "scores", path: string): (value: unknown) => unknown[] {
  try {
    const query = jsonpath.compile(path);
    return (value) => query.query(value as JSONValue).values();
  } catch (error) {
    throw new UsageError(`${shape} shape: "${path}" is not a JSONPath: ${messageOf(error)}`, { cause: error });
  }
}

const found = (path: string | undefined, value: unknown): unknown[] =>
  path === undefined ? [] : finder("record", path)(value);

/** The sets of numbers in one element of a list, with the declared parts taken from their paths. */
export function declaredRecords(
  shape: RecordShape,
  list: List,
  home: string | null,
  id: string,
  raw: Record<string, unknown>,
): PublishedRecord[] {
  const elements = shape.records === undefined ? [raw] : found(shape.records, raw).filter(isRecord);
  return elements.flatMap((element) => {
    const scores = found(shape.scores, element);
    const readable = scores.length === 0 ? element : { ...element, scores: scores.length === 1 ? scores[0] : scores };
    return readRecords(list, home, id, readable).map((record) => declared(shape, element, record));
  });
}

function declared(shape: RecordShape, element: Record<string, unknown>, record: PublishedRecord): PublishedRecord {
  const text = (path: string | undefined): string | undefined =>
    found(path, element).find((value) => typeof value === "string");
  const sources = idsOf(found(shape.source, element));
  const kind = text(shape.kind);
  return {
    ...record,
    refs: sources.length === 0 ? record.refs : { ...record.refs, sources, jobs: [] },
    kind: kind === undefined ? record.kind : kindNamed(kind),
    dimension: text(shape.dimension) ?? record.dimension,
    options: found(shape.options, element)[0] ?? record.options,
  };
}

/** Reads `scores` in a declared shape; an entry without a name or without any number is a problem. */
export function readShaped(shape: ScoreShape, scores: unknown): PublishedScores {
  const nameOf = finder("scores", shape.item);
  const fields = Object.entries(shape.fields).map(([name, path]) => [name, finder("scores", path)] as const);
  const problems: string[] = [];
  const read: PublishedScore[] = [];
  finder(
    "scores",
    shape.entries,
  )(scores).forEach((entry, index) => {
    const [name] = nameOf(entry);
    const numbers: Record<string, PublishedNumber> = {};
    for (const [field, find] of fields) {
      const number = readNumber(find(entry)[0]);
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
