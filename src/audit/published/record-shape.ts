import { jsonpath, type JSONValue } from "json-p3";
import { messageOf, UsageError } from "../../errors.js";
import { idsOf, kindNamed } from "./record-fields.js";
import { isRecord } from "./record.js";
import { readRecords, type List, type PublishedRecord } from "./records.js";

/**
 * Where the parts of a published record stand, for a service whose records the lenient reader guesses wrongly.
 * JSONPath (RFC 9535): `records` from the element of the list, the others from one of those. What is not stated is
 * read leniently.
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

function find(path: string, value: unknown): unknown[] {
  try {
    return jsonpath.compile(path).query(value as JSONValue).values();
  } catch (error) {
    throw new UsageError(`record shape: "${path}" is not a JSONPath: ${messageOf(error)}`, { cause: error });
  }
}

/** The sets of numbers in one element of a list, with the stated parts taken from where they are stated to stand. */
export function statedRecords(shape: RecordShape, list: List, home: string | null, id: string, raw: Record<string, unknown>): PublishedRecord[] {
  const elements = shape.records === undefined ? [raw] : find(shape.records, raw).filter(isRecord);
  return elements.flatMap((element) => {
    const scores = shape.scores === undefined ? undefined : find(shape.scores, element);
    const readable = scores === undefined ? element : { ...element, scores: scores.length === 1 ? scores[0] : scores };
    return readRecords(list, home, id, readable).map((record) => stated(shape, element, record));
  });
}

function stated(shape: RecordShape, element: Record<string, unknown>, record: PublishedRecord): PublishedRecord {
  const text = (path: string): string => {
    const [value] = find(path, element);
    return typeof value === "string" ? value : "";
  };
  const refs = shape.source === undefined ? record.refs : { ...record.refs, sources: idsOf(find(shape.source, element)), jobs: [] };
  return {
    ...record,
    refs,
    kind: shape.kind === undefined ? record.kind : kindNamed(text(shape.kind)),
    dimension: shape.dimension === undefined ? record.dimension : text(shape.dimension),
    options: shape.options === undefined ? record.options : (find(shape.options, element)[0] ?? {}),
  };
}
