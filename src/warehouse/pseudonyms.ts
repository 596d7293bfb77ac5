/** Keyed hashes in place of the identifiers of raters and sessions. */
import { createHmac } from "node:crypto";
import {
  lakeTable,
  metaFlags,
  partColumns,
  placeField,
  covariatesField,
  promptField,
  weightField,
  tableColumns,
  treatmentOf,
  type TableName,
  type Treatment,
} from "../contract/index.js";
import { UsageError } from "../platform/index.js";
import type { Warehouse } from "./engine.js";
import { quoted, text, viewOf } from "./parquet.js";

type Person = "rater" | "session" | "prompt";

/** The same key gives the same hashes; nobody can reverse them without it. */
export interface Pseudonyms {
  /** Tells one key from another, and says nothing about it. */
  readonly keyId: string;
  /** 128 bits of the HMAC-SHA256 of the identifier, hexadecimal. */
  of(person: Person, id: string): string;
}

const shortestKey = 32;

/** @throws UsageError for a key short enough to guess; `from` says where it is from */
export function createPseudonyms(key: string, from: string): Pseudonyms {
  if (key.length < shortestKey)
    throw new UsageError(
      `${from} holds a key of ${key.length} characters; it needs at least ${shortestKey}. ` +
        `Make one with \`openssl rand -hex 32\`.`,
    );
  const digest = (message: string, length: number) =>
    createHmac("sha256", key).update(message).digest("hex").slice(0, length);
  const known = new Map<string, string>();
  return {
    keyId: digest("key", 16),
    of(person, id) {
      const message = `${person}:${id}`;
      const pseudonym = known.get(message) ?? digest(message, 32);
      known.set(message, pseudonym);
      return pseudonym;
    },
  };
}

const pseudonym = (person: Person, id: string) => `recount_pseudonym('${person}', ${id})`;

const isFlag = (value: string) =>
  `json_type(${value}) in ('BOOLEAN', 'BIGINT', 'UBIGINT', 'HUGEINT', 'DOUBLE', 'NULL') or ` +
  `json_type(${value}) = 'ARRAY' and not contains(${value}::varchar, '"')`;

function flagsIn(column: string): string {
  const entries = metaFlags.map((name) => {
    const value = `json_extract(${column}, ${text(`$.${name}`)})`;
    return `case when ${isFlag(value)} then ${text(`"${name}":`)} || ${value}::varchar end`;
  });
  return `'{' || concat_ws(',', ${entries.join(", ")}) || '}'`;
}

const replacements: Readonly<Record<Treatment, (column: string) => string>> = {
  keep: (column) => column,
  drop: () => "null",
  rater: (column) => pseudonym("rater", `${column}::varchar`),
  session: (column) => pseudonym("session", `${column}::varchar`),
  flags: (column) => `case when json_type(${column}) = 'OBJECT' then ${flagsIn(column)} end`,
  rater_object: (column) =>
    `case when ${column} ->> '$.id' is not null then '{"id":"' || ` +
    `${pseudonym("rater", `${column} ->> '$.id'`)} || '"}' end`,
  weight: (column) => {
    const weight =
      `'"${weightField}":' || try_cast(json_extract_string(${column}, '$.${weightField}') as ` +
      "double)";
    const covariates = `json_extract_string(${column}, '$.${covariatesField}')`;
    const numbers = String.raw`\{("\w+":-?[0-9][0-9.e+-]*,?)*\}`;
    const kept =
      `case when regexp_full_match(${covariates}, '${numbers}') then '"${covariatesField}":' ` +
      `|| ${covariates} end`;
    const stated = `json_extract_string(${column}, '$.${promptField}')`;
    const prompt =
      `case when ${stated} is not null then '"${promptField}":"' || ` +
      `${pseudonym("prompt", stated)} || '"' end`;
    return `'{' || nullif(concat_ws(',', ${weight}, ${kept}, ${prompt}), '') || '}'`;
  },
  // Of a free form only the names of items, which stay.
  roles: (column) => {
    const names = ["reference", "anchors"].map(
      (role) => `${text(role)}, json_extract(${column}, ${text(`$.roles.${role}`)})`,
    );
    return `json_merge_patch('{}', json_object('roles', json_object(${names.join(", ")})))`;
  },
  place: () =>
    `case when count(*) over (partition by date_completed) > 1 then '{"${placeField}":' || ` +
    "row_number() over (partition by date_completed order by id) || '}' end",
};

/**
 * Sorted like the table's parts. A column that nobody has classified is dropped.
 * @param rows in the order of the parts
 */
export function pseudonymised(table: TableName, rows: string): string {
  const types = partColumns(table);
  const treatments = tableColumns(table).map(({ name }) => ({
    name,
    is: treatmentOf(table, name) ?? "drop",
  }));
  const columns = treatments.map(
    ({ name, is }) =>
      `cast(${replacements[is](quoted(name))} as ${types[name] ?? "varchar"}) as ${quoted(name)}`,
  );
  const keys = lakeTable(table).sortBy ?? [];
  const isReordered = treatments.some(({ name, is }) => keys.includes(name) && is !== "keep");
  if (!isReordered) return `select ${columns.join(", ")} from (${rows})`;
  const names = treatments.map(({ name }) => quoted(name)).join(", ");
  const numbered = `select *, row_number() over () as ordinal from (${rows})`;
  return (
    `select ${names} from (select ${columns.join(", ")}, ordinal from (${numbered})) order by ` +
    [...keys.map(quoted), "ordinal"].join(", ")
  );
}

export const pseudonymisedPart = (table: TableName, file: string): string =>
  pseudonymised(table, viewOf({ columns: partColumns(table), files: [file] }));

export function addPseudonyms(
  warehouse: Pick<Warehouse, "addFunction">,
  pseudonyms: Pseudonyms,
): void {
  warehouse.addFunction("recount_pseudonym", (person, id) => pseudonyms.of(person as Person, id));
}
