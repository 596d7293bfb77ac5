import type { Migration, ProjectUsage, Pruning } from "../lake/index.js";
import { counted } from "../platform/index.js";
import { byteText } from "./export-line.js";
import { renderTable } from "./table.js";

const bodies = (count: number) => `${count} raw ${count === 1 ? "body" : "bodies"}`;

const named = (ids: readonly string[]) =>
  ids.length <= 3 ? ids.join(", ") : `${ids.length} snapshots from ${ids[0] ?? ""} to ${ids.at(-1) ?? ""}`;

/** One line about a pruning that was, or would be, made. */
export function pruningText(pruning: Pruning, isDryRun: boolean): string {
  const { removed, kept, models_removed: models, raw_removed: raw, freed_bytes: freed } = pruning;
  const what = [
    ...(removed.length === 0 ? [] : [named(removed)]),
    ...(raw === 0 ? [] : [bodies(raw)]),
    ...(models.length === 0 ? [] : [`the models of ${counted(models.length, "snapshot")}`]),
  ];
  const left = `${counted(kept.length, "snapshot")} ${isDryRun ? "would stay" : "kept"}`;
  if (what.length === 0) return `Nothing to remove; ${left}.`;
  return `${isDryRun ? "Would remove" : "Removed"} ${what.join(", ")}; ${byteText(freed)} ${isDryRun ? "would be freed" : "freed"}, ${left}.`;
}

export interface MeasuredProject extends ProjectUsage {
  readonly prune: Pruning;
}

/** The space that each project uses, by purpose, and how much a pruning would free. */
export function usageText(all: readonly MeasuredProject[]): string {
  const right = "right" as const;
  const texts = all.map(({ project, snapshots, places, bytes, unique_bytes, prune }) => {
    const table = renderTable(
      [{ head: "" }, ...["files", "size", "on disk"].map((head) => ({ head, align: right }))],
      [
        ...places.map((one) => [one.place, String(one.files), byteText(one.bytes), byteText(one.unique_bytes)]),
        ["all", String(places.reduce((n, { files }) => n + files, 0)), byteText(bytes), byteText(unique_bytes)],
      ],
    );
    return `${project}: ${counted(snapshots, "snapshot")}\n\n${table}\n\n${pruningText(prune, true)}`;
  });
  const total = all.reduce((sum, { unique_bytes }) => sum + unique_bytes, 0);
  const sum = all.length === 1 ? [] : [`${counted(all.length, "project")}: ${byteText(total)} on disk.`];
  return [...texts, ...sum].join("\n\n");
}

/** A line for each snapshot, then their number and what is free. */
export function migrationText(all: readonly Migration[], isDryRun: boolean): string {
  const lines = all.flatMap(({ project, snapshots }) =>
    snapshots.map(({ snapshot, format, files, is_migrated }) => {
      const done = isDryRun ? "would be migrated" : "migrated";
      return `${project} ${snapshot}: ${is_migrated ? `${done} from format ${format}, ${counted(files, "file")}` : "has the present layout"}`;
    }),
  );
  const migrated = all.flatMap(({ snapshots }) => snapshots.filter(({ is_migrated }) => is_migrated));
  const freed = all.reduce((sum, { freed_bytes }) => sum + freed_bytes, 0);
  const of = `${migrated.length} of ${counted(lines.length, "snapshot")}`;
  const again = migrated.length === 0 ? "" : " Run `recount transform` to write recount.duckdb again.";
  return [...lines, isDryRun ? `Would migrate ${of}.` : `Migrated ${of}; ${byteText(freed)} freed.${again}`].join("\n");
}
