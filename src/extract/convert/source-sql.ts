import { sourceTables, tableColumns, type TableName } from "../../contract/index.js";
import { quoted, text } from "../../warehouse/index.js";

/** The parts of the exact reader's SQL that judge the answer for one source. */
export interface SourceSql {
  /** True for a row that the whole list has too, in every column. */
  readonly repeats: string;
  /** Says that a row names another source than the one that was asked for. */
  readonly misfit: string;
}

/**
 * @param id the source that was asked for
 * @param whole Parquet file with the whole list, which a service that ignores the filter sends again
 */
export function sourceSql(table: TableName, id: string, whole: string): SourceSql {
  const names = tableColumns(table).flatMap(({ name, isAsked }) => (isAsked ? [] : [quoted(name)]));
  const isSame = names.map((name) => `whole.${name} is not distinct from extended.${name}`).join(" and ");
  const named = `list_distinct(list_filter(list_transform(string_split(coalesce(source, ''), ','), lambda one: trim(one)), lambda one: one <> ''))`;
  const fields = Object.values(sourceTables).filter((field) => names.includes(quoted(field)));
  const isNamed = [
    `${named} = [${text(id)}]`,
    ...fields.map((field) => `coalesce(${quoted(field)} = ${text(id)}, false)`),
  ];
  return {
    repeats: `exists (select 1 from read_parquet(${text(whole)}, hive_partitioning = false) as whole where ${isSame})`,
    misfit: `when not _repeats and len(${named}) > 0 and not (${isNamed.join(" or ")}) then 'source is ' || source || ', but ' || ${text(id)} || ' was asked for'`,
  };
}
