import { listSnapshots, openSnapshot, type Snapshot } from "../../lake/index.js";
import { conventionsWith, type Conventions } from "../../metrics/index.js";
import { UsageError } from "../../platform/index.js";
import { declareModels, openWarehouse, textOf } from "../../warehouse/index.js";
import { diffTables, type TableDiff } from "./diff-tables.js";

export type { TableDiff };

/** A recomputed number that differs between two snapshots. Null: one of them has none. */
export interface NumberDiff {
  readonly experiment_id: string;
  readonly kind: string;
  readonly dimension: string;
  readonly source: string;
  readonly item: string;
  readonly before: number | null;
  readonly after: number | null;
  readonly rank_before: number | null;
  readonly rank_after: number | null;
}

/** What differs between two snapshots of a project. */
export interface SnapshotDiff {
  readonly before: string;
  readonly after: string;
  readonly tables: readonly TableDiff[];
  readonly numbers: readonly NumberDiff[];
}

interface DiffOptions {
  /** Default: the snapshot before `after`. */
  readonly before?: string | undefined;
  /** Default: the newest. */
  readonly after?: string | undefined;
  readonly conventions?: Conventions;
  /** Differing rows to return for each table. Default 10. */
  readonly examples?: number;
}

/** Tables whose rows decide every recomputed number. */
const evidence = new Set(["ratings", "slates", "sessions", "jobs"]);

/**
 * Compares two snapshots: rows by key, then the recomputed numbers and ranks, if any row that decides them differs.
 * @throws UsageError if one of them is not there
 */
export async function diffSnapshots(
  lake: string,
  projectId: string,
  { before: wanted, after: latest, conventions = conventionsWith({}), examples = 10 }: DiffOptions = {},
): Promise<SnapshotDiff> {
  const ids = await listSnapshots(lake, projectId);
  const afterId = latest ?? ids.at(-1);
  const beforeId = wanted ?? ids[(afterId === undefined ? 0 : ids.indexOf(afterId)) - 1];
  if (beforeId === undefined || afterId === undefined)
    throw new UsageError(`${lake}: diff needs two snapshots. Name both, or export a second one.`);
  const before = await openSnapshot(lake, projectId, beforeId);
  const after = await openSnapshot(lake, projectId, afterId);
  const tables = await diffTables(before, after, examples);
  const isMoved = tables.some(({ table }) => evidence.has(table));
  const numbers = isMoved ? differing(await numbersOf(before, conventions), await numbersOf(after, conventions)) : [];
  return { before: before.id, after: after.id, tables, numbers };
}

type Numbers = Map<string, { value: number | null; rank: number }>;

/** The numbers of a snapshot, without the intervals, which cost the most. */
async function numbersOf({ tables }: Snapshot, conventions: Conventions): Promise<Numbers> {
  const warehouse = await openWarehouse({ sources: tables });
  try {
    await declareModels(warehouse, {
      ...conventions,
      bradley_terry: { ...conventions.bradley_terry, rater_samples: 0 },
    });
    const rows = await warehouse.all(
      "select experiment_id, kind, dimension, source, item, value, rank from leaderboard",
    );
    return new Map(
      rows.map((row) => [
        JSON.stringify(["experiment_id", "kind", "dimension", "source", "item"].map((name) => textOf(row, name))),
        { value: row.value as number | null, rank: Number(row.rank) },
      ]),
    );
  } finally {
    warehouse.close();
  }
}

function differing(was: Numbers, is: Numbers): NumberDiff[] {
  const keys = [...new Set([...was.keys(), ...is.keys()])].sort();
  return keys.flatMap((key) => {
    const [before, after] = [was.get(key), is.get(key)];
    if (before !== undefined && after !== undefined && before.value === after.value && before.rank === after.rank)
      return [];
    const [experiment_id = "", kind = "", dimension = "", source = "", item = ""] = JSON.parse(key) as string[];
    return [
      {
        ...{ experiment_id, kind, dimension, source, item },
        before: before?.value ?? null,
        after: after?.value ?? null,
        rank_before: before?.rank ?? null,
        rank_after: after?.rank ?? null,
      },
    ];
  });
}
