// Reads the published numbers that a mapping names.
import type { RowWriter } from "../extract/index.js";
import { isKnownField, isUpperEnd } from "../audit/index.js";
import { fieldsOf, isKind, kinds } from "../metrics/index.js";
import { didYouMean, groupsOf, keyOf, UsageError, type Log } from "../platform/index.js";
import { cellNumbers, digitsAfterPoint, textOf } from "../warehouse/index.js";
import { isOne, textAt } from "./judge.js";
import { checkUnchanged } from "./files.js";
import {
  askedAt,
  columnsLeft,
  firstNames,
  lackedSql,
  lackingIn,
  refuseLacking,
} from "./lacking.js";
import type { FileSet, Mapping } from "./mapping.js";
import type { ScreenedFiles } from "./queries.js";
import type { PublishedTable } from "./schema.js";
import { fileTableOf, type FileTable } from "./tables.js";

/** @throws UsageError for a field that the kind of its table does not have. */
export async function checkFields({ published, at }: Mapping): Promise<void> {
  for (const [i, { kind = "", fields = {} }] of published.entries())
    for (const field of Object.keys(fields)) {
      if (await isKnownField(kind, field)) continue;
      const known = isKind(kind) ? fieldsOf(kind) : [...new Set(kinds.flatMap(fieldsOf))];
      const has = kinds.map(async (other) => ((await isKnownField(other, field)) ? [other] : []));
      const others = (await Promise.all(has)).flat();
      throw new UsageError(
        `${at(["published", i, "fields", field])}: published.fields names ` +
          `${JSON.stringify(field)}, which is no field of ` +
          (kind || "any kind") +
          `${others.length > 0 ? `, but of ${others.join(", ")}` : ""}.` +
          `${didYouMean(field, known)} There are ${known.join(", ")}.`,
      );
    }
}

/** Zeros that a text dropped. */
function withDecimals(number: string, decimals = 0): string {
  const missing = decimals - digitsAfterPoint(number);
  if (!/^-?\d*(\.\d*)?$/.test(number) || missing <= 0) return number;
  return `${number}${number.includes(".") ? "" : "."}${"0".repeat(missing)}`;
}

interface ReadNumbers {
  readonly table: PublishedTable;
  /** The decimal sign. */
  readonly sign: string;
  readonly where: string;
  /** Upper ends. */
  readonly upper: ReadonlySet<string>;
  /** By column, what is said of its first cell that is not compared whole. */
  readonly told: Map<string, string>;
}

/** The fields of an interval, by how many numbers a cell has. */
const intervalFields = { 2: ["half_width"], 3: ["ci_low", "ci_high"] } as const;

/**
 * By field, as written: their decimals say how far they are rounded. What is no number stays, for
 * the audit to name. @throws UsageError for an interval of the kind that no field takes
 */
function numbersOfRow(
  fields: Readonly<Record<string, string>>,
  row: Readonly<Record<string, string | null>>,
  { table: { decimals, kind = "" }, sign, where, upper, told }: ReadNumbers,
): Record<string, string> {
  const numbers: Record<string, string> = {};
  let base: string | undefined;
  for (const [column, own] of groupsOf(Object.entries(fields), ([, name]) => name)) {
    const cell = row[`column ${column}`]?.trim() ?? "";
    if (cell === "") continue;
    const tell = (says: string) => {
      if (!told.has(column)) told.set(column, `${JSON.stringify(cell)} of ${column}: ${says}`);
    };
    const inCell = (count: number) => cellNumbers(cell, sign, count, base);
    const counts = /±|\+\/?-/.test(cell) ? [own.length, 1] : [1, own.length];
    let found = counts.map(inCell).find((some) => some.length > 0) ?? [];
    const more = ([2, 3] as const).find((count) => inCell(count).length > own.length);
    if (found.length === 0 && more !== undefined && /[±([+]/.test(cell)) {
      const ends = intervalFields[more];
      if (!isKind(kind) || ends.every((field) => fieldsOf(kind).includes(field)))
        throw new UsageError(
          `${where}.fields: ${column} has ${JSON.stringify(cell)}, which is ${more} numbers. ` +
            "Name a field for each, for example " +
            `{ ${["value", ...ends].map((field) => `${field}: ${column}`).join(", ")} }.`,
        );
      tell(`only the first number is compared: ${kind} has no such interval.`);
      found = inCell(more);
    }
    if (found.length === 0)
      tell(
        `it is no number.${cell.includes(",") ? ' State decimal: "," if its comma is one.' : ""}`,
      );
    base ??= found[0];
    const isUpper = ([field]: (typeof own)[number]) =>
      Number(cell.includes("+") && upper.has(field));
    for (const [i, [field]] of own.toSorted((a, b) => isUpper(a) - isUpper(b)).entries()) {
      const number = found.length === 0 ? cell : found[i];
      if (number !== undefined) numbers[field] = withDecimals(number, decimals);
    }
  }
  return numbers;
}

/** As the mapping names it, or without Markdown's bold. */
function itemSql({ item }: PublishedTable, columnOf: (name: string) => string): string {
  const bare = (name: string) =>
    `regexp_replace(${columnOf(name)}, '^\\s*\\*\\*(.+?)\\*\\*\\s*$', '\\1')`;
  if (typeof item === "string" || Array.isArray(item)) return textAt("item", item, bare).sql;
  const { sql } = textAt("item", item, columnOf);
  return item.column === undefined ? sql : `coalesce(${sql}, ${columnOf(item.column)})`;
}

/** A record for each dimension and source of a table. What is not compared is told. */
export async function publishedRecords(
  { warehouse, elementsOf }: Pick<RowWriter, "warehouse" | "elementsOf">,
  { published, files, at }: Mapping,
  screened: ScreenedFiles,
  log: Log,
): Promise<object[]> {
  const records: object[] = [];
  const reads: { from: string; where: string; file: FileTable; names: Set<string> }[] = [];
  for (const [i, table] of published.entries()) {
    const options = files[table.from] as FileSet;
    const where = `${at(["published", i])}: published`;
    const fields = {
      ...(table.value === undefined ? {} : { value: table.value }),
      ...table.fields,
    };
    const rows: Record<string, string | null>[] = [];
    for (const own of screened.get(table.from) ?? []) {
      const file = await fileTableOf(warehouse, own, options, elementsOf);
      const names = new Set<string>();
      reads.push({ from: table.from, where, file, names });
      const columnOf = (name: string) => {
        names.add(name);
        return file.column(name, where);
      };
      const columns = [
        ["item", itemSql(table, columnOf)],
        ["dimension", textAt("dimension", table.dimension, columnOf).sql],
        ["source", textAt("source", table.source, columnOf).sql],
        ...[...new Set(Object.values(fields))].map((name) => [`column ${name}`, columnOf(name)]),
      ];
      const only = Object.entries(table.only ?? {}).map(([name, spellings]) =>
        isOne(columnOf(name), spellings),
      );
      const select = columns.map(([name, sql]) => `${sql} as "${name}"`).join(", ");
      const found = await warehouse.all(
        `select ${select} from ${file.from} where ${only.join(" and ") || "true"}`,
      );
      checkUnchanged(own);
      rows.push(...(found as Record<string, string | null>[]));
      const asked = [...names].map((name) => askedAt(name, file.path(name), options));
      const lacks = `select ${lackedSql(asked)} as lacks, false as is_skipped from ${file.from}`;
      const lacking = await lackingIn(warehouse, lacks, asked);
      await refuseLacking(warehouse, lacking, [file], { where, options });
    }
    if (rows.length === 0) throw new UsageError(`${where}: its files have no rows.`);
    const upper = new Set<string>();
    for (const field of Object.keys(fields))
      if (await isUpperEnd(table.kind ?? "", field)) upper.add(field);
    const told = new Map<string, string>();
    const read = { table, sign: options.decimal ?? ".", where, upper, told };
    for (const group of groupsOf(rows, (row) => keyOf(row.dimension, row.source)).values()) {
      const [{ dimension, source }] = group;
      const scores = group.map((row) => ({
        item: textOf(row, "item"),
        ...numbersOfRow(fields, row, read),
      }));
      records.push({
        ...(table.kind === undefined ? {} : { kind: table.kind }),
        ...(dimension == null ? {} : { dimension }),
        ...(source == null ? {} : { source }),
        ...(published.length > 1 && { leaderboard: table.from }),
        scores,
        options: table.options ?? {},
      });
    }
    for (const says of told.values()) log.warn(`${where}.fields: ${says}`);
  }
  for (const own of groupsOf(reads, ({ from }) => from).values()) {
    const [{ where }] = own;
    const left = columnsLeft(
      own.map(({ file }) => file),
      own.flatMap(({ names }) => [...names]),
    );
    if (left.length > 0)
      log.warn(
        `${where}: not used: ${firstNames(left)}. If one has numbers to compare, name its field, ` +
          "for example fields: { n: COLUMN }.",
      );
  }
  return records;
}
