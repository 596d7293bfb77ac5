import type { RowWriter } from "../extract/index.js";
import { isKnownField } from "../audit/index.js";
import { fieldsOf, isKind, kinds } from "../metrics/index.js";
import { didYouMean, groupsOf, UsageError, keyOf } from "../platform/index.js";
import { textOf } from "../warehouse/index.js";
import { isOne, textAt } from "./judge.js";
import { checkUnchanged } from "./files.js";
import type { FileSet, Mapping } from "./mapping.js";
import type { ScreenedFiles } from "./lists.js";
import type { PublishedTable } from "./schema.js";
import { fileTableOf } from "./tables.js";

/**
 * A published number as it is written: its decimals say how far it is rounded. With `decimals` it
 * gets the zeros that its text dropped. What is no number stays as it is, for the audit to name.
 */
function publishedNumberText(
  cell: string | null,
  decimals: number | undefined,
  sign: string,
): string | null {
  if (cell === null) return null;
  const plain = cell.trim().replace(sign, ".").replace(/%$/, "");
  const dropped = /^-?\d*(?:\.(\d*))?$/.exec(plain);
  if (decimals === undefined || dropped === null || plain === "") return plain;
  const missing = decimals - (dropped[1]?.length ?? 0);
  return missing > 0 ? `${plain}${plain.includes(".") ? "" : "."}${"0".repeat(missing)}` : plain;
}

/** @throws UsageError for a field that the kind of its table does not have */
export async function checkFields({ published, at }: Mapping): Promise<void> {
  for (const [i, { kind = "", fields = {} }] of published.entries())
    for (const field of Object.keys(fields)) {
      if (await isKnownField(kind, field)) continue;
      const known = isKind(kind) ? fieldsOf(kind) : [...new Set(kinds.flatMap(fieldsOf))];
      throw new UsageError(
        `${at(["published", i, "fields", field])}: published.fields names ` +
          `${JSON.stringify(field)}, which is no field of ` +
          `${kind || "any kind"}.${didYouMean(field, known)} There are ${known.join(", ")}.`,
      );
    }
}

/** SQL for the name of an item: the one that the mapping has for it, or as it is written. */
function itemSql({ item }: PublishedTable, columnOf: (name: string) => string): string {
  if (typeof item === "string") return columnOf(item);
  return `coalesce(${textAt("item", item, columnOf).sql}, ${columnOf(item.column)})`;
}

/**
 * The published tables of a mapping as records of the interface: one for each dimension and source
 * of a table.
 */
export async function publishedRecords(
  { warehouse, elementsOf }: RowWriter,
  { published, files, at }: Mapping,
  screened: ScreenedFiles,
): Promise<object[]> {
  const records: object[] = [];
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
      const columnOf = (name: string) => file.column(name, where);
      const columns = [
        ["item", itemSql(table, columnOf)],
        ["dimension", textAt("dimension", table.dimension, columnOf).sql],
        ["source", textAt("source", table.source, columnOf).sql],
        ...Object.entries(fields).map(([name, column]) => [`field ${name}`, columnOf(column)]),
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
    }
    if (rows.length === 0) throw new UsageError(`${where}: its files have no rows.`);
    const sign = options.decimal ?? ".";
    for (const group of groupsOf(rows, (row) => keyOf(row.dimension, row.source)).values()) {
      const [{ dimension, source }] = group;
      const scores = group.map((row) => ({
        item: textOf(row, "item"),
        ...Object.fromEntries(
          Object.keys(fields).flatMap((name) => {
            const number = publishedNumberText(row[`field ${name}`] ?? null, table.decimals, sign);
            return number === null ? [] : [[name, number]];
          }),
        ),
      }));
      records.push({
        ...(table.kind === undefined ? {} : { kind: table.kind }),
        ...(dimension == null ? {} : { dimension }),
        ...(source == null ? {} : { source }),
        scores,
        options: table.options ?? {},
      });
    }
  }
  return records;
}
