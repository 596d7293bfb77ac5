/** The rows behind the page, with the names and the nulls of the queries in `sql/page/`. */
import { fsp, groupsOf, packageFile, readText } from "../../platform/index.js";
import type { Warehouse } from "../../warehouse/index.js";

export function lookupBy<T>(
  rows: readonly T[],
  keyOf: (row: T) => string,
): (key: string) => readonly T[] {
  const groups = groupsOf(rows, keyOf);
  return (key) => groups.get(key) ?? [];
}

export interface OfExperiment {
  readonly experiment_id: string;
}
export interface OfDimension extends OfExperiment {
  readonly dimension: string;
}
export interface OfItem extends OfDimension {
  readonly item: string;
}

export const keyOfExperiment = ({ experiment_id }: OfExperiment): string => experiment_id;
export const dimensionIn = ({ experiment_id, dimension }: OfDimension): string =>
  JSON.stringify([experiment_id, dimension]);
export const itemIn = ({ experiment_id, dimension, item }: OfItem): string =>
  JSON.stringify([experiment_id, dimension, item]);

/** The rows of a query, such as `page/raters`, by key. */
export async function rowsBy<T>(
  warehouse: Warehouse,
  query: string,
  ids: readonly string[],
  keyOf: (row: T) => string,
): Promise<(key: string) => readonly T[]> {
  const sql = await readText(packageFile(`sql/${query}.sql`));
  return lookupBy(
    (await warehouse.all(sql, { ids: JSON.stringify(ids) })) as unknown as T[],
    keyOf,
  );
}

/** Every name in the queries of a folder, such as `page`: among them the tables that they read. */
export async function namesInQueries(folder: string): Promise<string[]> {
  const files = await fsp.readdir(packageFile(`sql/${folder}`));
  const texts = files.map((name) => readText(packageFile(`sql/${folder}/${name}`)));
  return (await Promise.all(texts)).flatMap((sql) => sql.match(/\w+/g) ?? []);
}
