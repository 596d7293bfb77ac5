import { jsonpath, type JSONValue } from "json-p3";
import { messageOf, UsageError } from "../../platform/index.js";
import { idsOf, kindNamed } from "./record-fields.js";
import { isRecord } from "./record.js";
import { readRecords, type List, type PublishedRecord } from "./records.js";

/**
 * Where the parts of a published record are, for a service whose records the lenient reader misreads.
 * JSONPath (RFC 9535): `records` from the element of the list, the others from one of those. What is not stated, or
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

function found(path: string | undefined, value: unknown): unknown[] {
  if (path === undefined) return [];
  try {
    return jsonpath
      .compile(path)
      .query(value as JSONValue)
      .values();
  } catch (error) {
    throw new UsageError(`record shape: "${path}" is not a JSONPath: ${messageOf(error)}`, { cause: error });
  }
}

/** The sets of numbers in one element of a list, with the stated parts taken from their paths. */
export function statedRecords(
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
    return readRecords(list, home, id, readable).map((record) => stated(shape, element, record));
  });
}

function stated(shape: RecordShape, element: Record<string, unknown>, record: PublishedRecord): PublishedRecord {
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
    unread: shape.scores === undefined ? record.unread : [],
  };
}
