/** Published numbers where a pipeline declares them to be, by JSONPath. */
import { jsonpath, type JSONValue } from "json-p3";
import type { PublishedList as List } from "../../contract/index.js";
import { messageOf, UsageError, isMap } from "../../platform/index.js";
import {
  idsOf,
  kindNamed,
  readRecords,
  type ListedElement,
  type PublishedRecord,
} from "./records.js";
import { unreadIn } from "./leaves.js";
import {
  readNumber,
  type NamedNumber,
  type PublishedScore,
  type PublishedScores,
} from "./scores.js";

/**
 * JSONPath (RFC 9535): `records` from the element, the others from a record. What is not found is
 * read leniently.
 */
interface RecordShape {
  readonly records?: string;
  readonly kind?: string;
  readonly dimension?: string;
  readonly source?: string;
  readonly scores?: string;
  readonly options?: string;
}

/** By list: `results`, `metrics`, `leaderboards`, `rubrics`. */
export type RecordShapes = Readonly<Partial<Record<List, RecordShape>>>;

/** JSONPath (RFC 9535): `entries` from the root of `scores`, the others from an entry. */
interface ScoreShape {
  readonly entries: string;
  readonly item: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** By kind, or list and kind (`leaderboards.elo`). */
export type ScoreShapes = Readonly<Partial<Record<string, ScoreShape>>>;

/** @throws UsageError if the setting is not a JSONPath */
function finder(key: string, path: string): (value: unknown) => unknown[] {
  try {
    const query = jsonpath.compile(path);
    return (value) => query.query(value as JSONValue).values();
  } catch (error) {
    const [part = ""] = key.split(".").slice(-1);
    const example = part === "entries" || part === "records" ? "$[*]" : `$.${part}`;
    throw new UsageError(
      `${key}: ${JSON.stringify(path)} is not a JSONPath: ${messageOf(error)}. Write one ` +
        `such as ${example}.`,
      { cause: error },
    );
  }
}

export function declaredRecords(
  shape: RecordShape,
  listed: ListedElement,
  raw: Record<string, unknown>,
): PublishedRecord[] {
  const find = (part: keyof RecordShape, value: unknown): unknown[] =>
    shape[part] === undefined
      ? []
      : finder(`record_shapes.${listed.list}.${part}`, shape[part])(value);
  const elements = shape.records === undefined ? [raw] : find("records", raw).filter(isMap);
  return elements.flatMap((element) => {
    const text = (part: keyof RecordShape) =>
      find(part, element).find((value) => typeof value === "string");
    const found = find("scores", element);
    const readable =
      found.length === 0 ? element : { ...element, scores: found.length === 1 ? found[0] : found };
    const sources = idsOf(find("source", element));
    const kind = text("kind");
    return readRecords(listed, readable).map((record) => ({
      ...record,
      refs: sources.length === 0 ? record.refs : { ...record.refs, sources, jobs: [] },
      kind: kind === undefined ? record.kind : kindNamed(kind),
      dimension: text("dimension") ?? record.dimension,
      options: find("options", element)[0] ?? record.options,
    }));
  });
}

export function readShaped(key: string, shape: ScoreShape, scores: unknown): PublishedScores {
  const setting = `score_shapes.${key}`;
  const nameOf = finder(`${setting}.item`, shape.item);
  const fields = Object.entries(shape.fields).map(
    ([name, path]) => [name, finder(`${setting}.fields.${name}`, path)] as const,
  );
  const problems: string[] = [];
  const read: PublishedScore[] = [];
  const entriesIn = finder(`${setting}.entries`, shape.entries);
  entriesIn(scores).forEach((entry, index) => {
    const [name] = nameOf(entry);
    const numbers = fields.flatMap(([field, find]): NamedNumber[] => {
      const number = readNumber(find(entry)[0]);
      return number === undefined ? [] : [{ field, key: field, ...number }];
    });
    if (typeof name !== "string" && typeof name !== "number")
      problems.push(`entry ${index}: nothing at ${shape.item}, where the item's name should be`);
    else if (numbers.length === 0)
      problems.push(`entry ${index}: no number at any of the paths in fields`);
    else
      read.push({ identities: [{ key: "shape", name: String(name) }], numbers, rank: undefined });
  });
  if (read.length === 0) problems.push(`no entries at ${shape.entries}`);
  const numbers = read.map((score) => score.numbers.map(({ value }) => value));
  return {
    scores: read,
    problems,
    unread: problems.length > 0 ? [] : unreadIn(scores, numbers),
  };
}
