/** Experiments whose models lie in one file, and groups that are computed together. */
import { createHash } from "node:crypto";
import { isPublished } from "../contract/index.js";
import { byText, groupsOf, sumOf } from "../platform/index.js";
import type { Manifest } from "./manifest-schema.js";

/**
 * The power of two from √n on: files stay hundreds, one experiment changes few of them, and a new
 * one rarely changes all.
 */
const groupCount = (n: number): number => 2 ** Math.ceil(Math.log2(Math.sqrt(Math.max(n, 1))));

/** Whatever other experiments there are. */
const groupHash = (id: string): number => createHash("sha256").update(id).digest().readUInt32BE(0);

/** Of its parts, those of published numbers apart. */
interface GroupedExperiment {
  readonly id: string;
  readonly bytes: number;
  /** What they hold. */
  readonly parts: readonly unknown[];
}

interface ExperimentGroup {
  readonly own: readonly GroupedExperiment[];
  readonly experiments: readonly string[];
  readonly bytes: number;
}

/** At least one group: tables without rows have a file too, which has their columns. */
export function groupedExperiments({ experiments, units, columns }: Manifest): ExperimentGroup[] {
  const withParts = units.filter(({ parts }) => parts.some(({ table }) => !isPublished(table)));
  const all = groupsOf(withParts, ({ experiment_id: id }) => id ?? "");
  const ids = new Set([...experiments.map(({ id }) => id), ...all.keys()]);
  ids.delete("");
  const grouped = [...ids].sort(byText).map((id) => {
    const own = (all.get(id) ?? []).flatMap(({ parts }) => parts);
    const parts = own
      .filter(({ table }) => !isPublished(table))
      .toSorted((a, b) => byText(a.path, b.path));
    return {
      id,
      bytes: sumOf(parts.map(({ bytes }) => bytes)),
      parts: parts.map(({ table, path, sha256 }) => [table, path, sha256, columns[table]]),
    };
  });
  const count = groupCount(ids.size);
  const placed = groupsOf(grouped, ({ id }) => String(groupHash(id) % count));
  const inOrder = [...placed].sort(([a], [b]) => Number(a) - Number(b)).map(([, own]) => own);
  return (inOrder.length > 0 ? inOrder : [[]]).map(placedIn);
}

const placedIn = (own: readonly GroupedExperiment[]): ExperimentGroup => ({
  own,
  experiments: own.map(({ id }) => id),
  bytes: sumOf(own.map(({ bytes }) => bytes)),
});

export const groupsWith = (
  groups: readonly ExperimentGroup[],
  isWanted: (id: string) => boolean,
): ExperimentGroup[] => groups.map(({ own }) => placedIn(own.filter(({ id }) => isWanted(id))));

/** Of parts, whose models take 0.6 GB. */
const bytesTogether = 12e6;

/** Of parts whose models an engine holds. */
const shareOfMemory = 1 / 50;

/** A batch takes time, and what it holds memory. */
export async function batchesOf<T extends { readonly bytes: number }>(
  groups: readonly T[],
  engine: { readonly all: (sql: string) => Promise<Record<string, unknown>[]> },
  most = bytesTogether,
): Promise<T[][]> {
  const [row] = await engine.all(
    "select parse_formatted_bytes(current_setting('memory_limit')) as bytes",
  );
  const limit = Math.min(most, shareOfMemory * Number(row?.bytes));
  let bytes = 0;
  const numberOf = (group: T) => {
    bytes += group.bytes;
    return String(Math.floor(bytes / limit));
  };
  return [...groupsOf(groups, numberOf).values()];
}
