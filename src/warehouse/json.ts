// SQL of what is in JSON: at a path of names, its keys, and fields that occur twice.
import { sqlText as text } from "../platform/index.js";
import { textOf, type Warehouse } from "./engine.js";

export interface JsonPath {
  /** SQL, null where the record has none. */
  readonly json: string;
  /** From there; a number is a name or a place in a list, from 0. */
  readonly names: readonly string[];
  /** That has the JSON, and SQL for its text. */
  readonly column?: string;
  readonly cell?: string;
}

const pointer = (names: readonly string[]) =>
  text(names.map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`).join(""));

/** A name may have dots itself. */
const spellingsOf = (names: readonly string[]) => [names, [names.join(".")]];

function extracted(operator: "json_extract" | "json_extract_string", { json, names }: JsonPath) {
  if (names.length === 0) return `${operator}(${json}, '$')`;
  const each = spellingsOf(names).map((own) => `${operator}(${json}, ${pointer(own)})`);
  return `coalesce(${[...new Set(each)].join(", ")})`;
}

export const jsonAt = (path: JsonPath) => extracted("json_extract", path);
export const textAtPath = (path: JsonPath) => extracted("json_extract_string", path);

const beginsAsJson = (cell: string) => `left(ltrim(${cell}), 1) in ('{', '[')`;

/** In JSON. */
export const isNested = (cell: string) =>
  `case when ${beginsAsJson(cell)} then json_valid(${cell}) else false end`;
export const nestedIn = (cell: string) => `case when ${isNested(cell)} then ${cell} end`;
export const isBroken = (cell: string) => `${beginsAsJson(cell)} and not json_valid(${cell})`;

/** At any depth. Readers differ in which of the two they take. */
export const hasFieldTwice = (cell: string) =>
  `case when ${isNested(cell)} then len(list_filter([${cell}::json] || json_extract(${cell}, ` +
  "'$..*'), lambda one: json_type(one) = 'OBJECT' and len(json_keys(one)) <> " +
  "len(list_distinct(json_keys(one))))) > 0 else false end";

/** With their places (from 0) or names. */
export const membersSql = (json: string) =>
  `case json_type(${json}) when 'ARRAY' then list_transform(json_extract(${json}, '$[*]'), ` +
  "lambda one, i: {'key': (i - 1)::varchar, 'json': one}) when 'OBJECT' then " +
  `list_transform(json_keys(${json}), lambda name: {'key': name, 'json': ` +
  `json_extract(${json}, '/' || replace(replace(name, '~', '~0'), '/', '~1'))}) end`;

/** Of all records, in the order in which they first come; of lists the places. */
export async function keysIn(
  warehouse: Warehouse,
  from: string,
  json: string,
  isOfObjects = false,
): Promise<string[]> {
  const places = "list_transform(range(json_array_length(json)::bigint), lambda i: i::varchar)";
  const keys =
    "case json_type(json) when 'OBJECT' then json_keys(json)" +
    `${isOfObjects ? "" : ` when 'ARRAY' then ${places}`} end as keys`;
  const found = await warehouse.all(
    "select key from (select unnest(keys) as key, unnest(range(len(keys))) as place, n from " +
      `(select ${keys}, n from (select ${json} as json, row_number() over () as n from ` +
      `${from}))) group by key order by min([n, place])`,
  );
  return found.map((row) => textOf(row, "key"));
}

/** The paths into JSON that a pattern such as `answers.*.score` finds, of any record. */
export async function pathsLike(
  warehouse: Warehouse,
  pattern: string,
  file: {
    readonly columns: readonly string[];
    readonly from: string;
    readonly path: (name: string) => JsonPath | undefined;
  },
): Promise<string[]> {
  const keysAt = (name: string) => {
    const path = file.path(name);
    return path === undefined ? [] : keysIn(warehouse, file.from, jsonAt(path));
  };
  const parts = pattern.split(".");
  const depth = parts.findLastIndex((_, i) => file.columns.includes(parts.slice(0, i).join(".")));
  let found = depth > 0 ? [parts.slice(0, depth).join(".")] : [];
  for (const part of parts.slice(depth)) {
    const below = found.map(async (name) =>
      (part.includes("*") ? await keysAt(name) : [part]).map((key) => `${name}.${key}`),
    );
    found = (await Promise.all(below)).flat();
  }
  return found;
}
