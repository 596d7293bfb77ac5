import { Type } from "../../platform/index.js";
import { fieldsOf, mapAt, mapFrom, slice, withRaw } from "./edit.js";
import { count, defineFault, row } from "./fault.js";

/** Only the first rows, as valid JSON. */
export const shortList = defineFault({
  kind: "short_list",
  fields: { rows: count },
  rows: (all, { rows }) => slice(all, 0, rows),
});

/** Data that change between two reads: each read loses more rows from the start. */
export const changing = defineFault({
  kind: "changing",
  fields: { rows: Type.Optional(count) },
  rows: (all, { rows = 1 }, { applied }) => slice(all, applied * rows, Infinity),
});

export const doubleRow = defineFault({
  kind: "double_row",
  fields: row,
  rows: (rows, { row }) => mapAt(rows, row, (text) => `${text},${text}`),
});

/** Repeats the row's first key, with null as its first value. */
export const duplicateKeys = defineFault({
  kind: "duplicate_keys",
  fields: row,
  rows: (rows, { row }) => mapAt(rows, row, (text) => text.replace(/^\{("[^"]+":)/, "{$1null,$1")),
});

/** A field with a value of another JSON type. */
export const wrongType = defineFault({
  kind: "wrong_type",
  fields: { ...row, field: Type.String() },
  rows: (rows, { row, field }) =>
    mapAt(rows, row, (text) => withRaw(text, field, JSON.stringify(ofAnotherType(fieldsOf(text)[field])))),
});

function ofAnotherType(value: unknown): unknown {
  if (typeof value === "number") return `about ${value}`;
  if (typeof value === "string") return { was: value };
  return typeof value === "boolean" ? "perhaps" : 7;
}

export const rawValue = defineFault({
  kind: "raw_value",
  fields: { ...row, field: Type.String(), text: Type.String({ description: "Sent as it is, valid or not." }) },
  rows: (rows, { row, field, text: raw }) => mapAt(rows, row, (text) => withRaw(text, field, raw)),
});

export const rawRow = defineFault({
  kind: "raw_row",
  fields: { ...row, text: Type.String({ description: "Sent as it is, valid or not." }) },
  rows: (rows, { row, text }) => mapAt(rows, row, () => text),
});

export const unknownFields = defineFault({
  kind: "unknown_fields",
  fields: { from_row: Type.Optional(count) },
  rows: (rows, { from_row = 0 }) =>
    mapFrom(rows, from_row, (text) => text.replace(/\}$/, ',"x_confidence":0.5,"x_labels":["new","kept"]}')),
});

const without = (row: Record<string, unknown>, ...names: string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));

const older: Record<string, (row: Record<string, unknown>) => Record<string, unknown>> = {
  listSlates: (row) => ({ ...row, rater_id: Number(row.rater_id) }),
  listRaters: (row) => ({ ...row, id: Number(row.id) }),
  listSessions: (row) => {
    const rater = row.rater as Record<string, unknown>;
    return { ...row, rater: { ...rater, id: Number(rater.id) } };
  },
  listJobs: (row) => ({ ...without(row, "rater_pool", "num_comparisons", "num_training"), pool: 1 }),
  listExperiments: (row) => ({ ...without(row, "type"), version: 1 }),
};

/** Rows as version 0.7.5 would send them; records that both versions share are unchanged. */
export const olderShape = defineFault({
  kind: "older_shape",
  fields: { from_row: count },
  rows(rows, { from_row }, { operation }) {
    const change = older[operation ?? ""];
    return change === undefined ? rows : mapFrom(rows, from_row, (text) => JSON.stringify(change(fieldsOf(text))));
  },
});
