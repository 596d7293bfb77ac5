/** Tables that were written, and what is noted of them, so that they are taken over. */
import { join } from "node:path";
import { keepResult, keptKey, recall, recalled, type KeptFolder } from "../lake/index.js";
import type { Conventions } from "../metrics/index.js";
import { digestOf } from "../platform/index.js";
import { groupFile, type GroupFile } from "./duckdb/index.js";
import type { CheckResult, TakenTables } from "./recompute.js";

export interface MadeGroup {
  readonly key: string;
  readonly files: readonly GroupFile[];
}

export interface MadeTables {
  readonly snapshot: string;
  readonly data: string | null;
  readonly groups: readonly MadeGroup[];
  readonly checks: readonly CheckResult[];
  readonly database: string;
  /** Key of the conventions under which the database was written. */
  readonly conventions: string;
  /** Of the audit with this key; null: none. */
  readonly verdicts: MadeGroup | null;
}

export const dataKey = (inputs: string, conventions: Conventions): string =>
  keptKey("tables", inputs, conventions);

export const madeTables = (kept: KeptFolder): Promise<MadeTables[]> => recalled(kept, "tables");

export const madeOf = (kept: KeptFolder, snapshot: string): Promise<MadeTables | null> =>
  recall(kept, "tables", snapshot);

export const noteTables = (kept: KeptFolder, made: MadeTables): Promise<void> =>
  keepResult(kept, "tables", made.snapshot, made);

export async function isGroupIntact(
  { key, files }: MadeGroup,
  tables: readonly string[],
  dir: string,
  { warn }: KeptFolder,
): Promise<boolean> {
  for (const table of tables) {
    const file = join(dir, groupFile(table, { key }));
    const sha256 = files.find((one) => one.table === table)?.sha256;
    const found = sha256 === undefined ? null : await digestOf(file).catch(() => null);
    if (found === null) return false;
    if (found.sha256 === sha256) continue;
    warn?.(`${file} has changed since it was written: recomputing it.`);
    return false;
  }
  return true;
}

/** Tables of equal data and conventions, read to be sure that they are as written. */
export async function takenTables(
  kept: KeptFolder,
  data: string,
  dirOf: (snapshot: string) => Promise<string>,
  isWanted: (table: string) => boolean = () => true,
): Promise<TakenTables> {
  const taken = new Map<string, readonly string[]>();
  if (kept.isFull === true) return taken;
  for (const made of await madeTables(kept)) {
    if (made.data !== data) continue;
    const dir = await dirOf(made.snapshot);
    const names = new Set(made.groups.flatMap(({ files }) => files.map(({ table }) => table)));
    for (const table of names) {
      if (taken.has(table) || !isWanted(table)) continue;
      const intact = made.groups.map((group) => isGroupIntact(group, [table], dir, kept));
      if ((await Promise.all(intact)).includes(false)) continue;
      taken.set(
        table,
        made.groups.map((group) => join(dir, groupFile(table, group))),
      );
    }
  }
  return taken;
}
