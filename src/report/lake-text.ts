/** Exports, snapshots, verification and models, on the console. */
import type { ExportReport } from "../extract/index.js";
import {
  shortfallText,
  type VerifyReport,
  type Shortfall,
  type SnapshotSummary,
  type Pruning,
} from "../lake/index.js";
import { counted, byText, firstOf, joinParts, thousands, visible } from "../platform/index.js";
import type { Recomputed } from "../warehouse/index.js";
import { column, tabled } from "./document.js";
import { printed, renderTable } from "./table.js";

const byteUnits = ["B", "kB", "MB", "GB", "TB"];

/** Bytes in decimal units with three digits. */
export function byteText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < byteUnits.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 ? value : Number(value.toPrecision(3))} ${byteUnits[unit] ?? ""}`;
}

export function secondsText(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

export function exportLine({
  dir,
  rows,
  quarantined,
  bytes,
  elapsed_ms,
  manifest: { imported },
}: Omit<ExportReport, "snapshot" | "shortfalls" | "secrets">): string {
  const did = imported === undefined ? "Exported" : "Imported";
  const odd = quarantined === 0 ? "" : `, ${thousands(quarantined)} quarantined`;
  const untaken = imported?.untaken ?? [];
  const left = untaken.map(
    ({ name, records, source, place }) =>
      `, ${counted(records, "record")} of ${name} in no list (the first: ` +
      `${imported?.sources[source]?.path ?? ""}, ${place})`,
  );
  return visible(
    `${did} ${thousands(rows)} rows${odd}${left.join("")} from ${byteText(bytes)} in ` +
      `${secondsText(elapsed_ms)}: ${dir}`,
  );
}

export function notWholeLine(shortfalls: readonly Shortfall[]): string {
  return visible(`The snapshot is incomplete: ${shortfallText(shortfalls)}.`);
}

export function verifyText({ snapshots, files, bytes, problems, leftovers }: VerifyReport): string {
  const looked = [counted(snapshots.length, "snapshot"), counted(files, "file"), byteText(bytes)];
  const said = problems.map(({ file, problem }) => `${file}: ${problem}`);
  const found =
    problems.length === 0 ? "all files match their digests" : counted(problems.length, "problem");
  const end = `Verified ${looked.join(", ")}: ${found}.`;
  const {
    shown: [first = ""],
    more,
  } = firstOf(leftovers, 1);
  const which = more === 0 ? `${first} is` : `${first} and ${more} more files or folders are`;
  const left = `${which} part of no snapshot; the next \`recount snapshots prune\` cleans up.`;
  return printed([said, leftovers.length > 0 && left, end]);
}

/** Snapshots, oldest first, with their sizes and how much the removal of each alone would free. */
export function renderSnapshots(snapshots: readonly SnapshotSummary[]): string {
  return renderTable(snapshots, [
    column.plain("Snapshot", ({ id }) => id),
    column.plain("Created", ({ created_at }) => created_at),
    column.num("Experiments", ({ experiments }) => experiments),
    column.num("Shortfalls", ({ shortfalls }) => shortfalls.length),
    column.num("Rows", ({ rows }) => rows),
    column.num("Files", ({ bytes }) => byteText(bytes)),
    column.num("Bodies", ({ raw_bytes }) => byteText(raw_bytes)),
    column.num("Models", ({ models_bytes }) => byteText(models_bytes)),
    column.num("Own", ({ own_bytes }) => byteText(own_bytes)),
    column.plain("", ({ is_current }) => is_current && "current"),
  ]);
}

const rawBodies = (count: number) => `${count} raw ${count === 1 ? "body" : "bodies"}`;

const snapshotNames = (ids: readonly string[]) =>
  ids.length <= 3
    ? ids.join(", ")
    : `${ids.length} snapshots from ${ids[0] ?? ""} to ${ids.at(-1) ?? ""}`;

export function pruningText(pruning: Pruning, isDryRun: boolean): string {
  const { removed, kept, models_removed: models, raw_removed: raw, freed_bytes: freed } = pruning;
  const what = joinParts([
    removed.length > 0 && snapshotNames(removed),
    raw > 0 && rawBodies(raw),
    models.length > 0 && `the models of ${counted(models.length, "snapshot")}`,
  ]);
  const left = `${counted(kept.length, "snapshot")} ${isDryRun ? "would stay" : "kept"}`;
  if (what === "") return `Nothing to remove; ${left}.`;
  return (
    `${isDryRun ? "Would remove" : "Removed"} ${what}; ${byteText(freed)} ` +
    `${isDryRun ? "would be freed" : "freed"}, ${left}.`
  );
}

interface TransformSummary {
  readonly dir: string;
  readonly written: readonly { readonly name: string; readonly rows: number }[];
  readonly recomputed: {
    readonly models: readonly Pick<Recomputed["models"][number], "name" | "ms">[];
  } & Pick<Recomputed, "checks">;
}

export function renderTransform({ dir, written, recomputed }: TransformSummary): string {
  const ms = new Map(recomputed.models.map((model) => [model.name, model.ms]));
  const table = tabled(written, [
    column.plain("Model", ({ name }) => name),
    column.num("Rows", ({ rows }) => rows),
    column.num("ms", ({ name }) => ms.get(name)),
  ]);
  const summary = `Wrote ${written.length} models as Parquet and as recount.duckdb to ${dir}`;
  const checks = recomputed.checks.length > 0 && checkLines(recomputed.checks);
  return printed([table, "", checks, summary]);
}

function checkLines(checks: Recomputed["checks"]): string[] {
  const failed = checks
    .filter(({ rows }) => rows > 0)
    .sort((a, b) => byText(a.severity, b.severity));
  const lines = failed.map(
    ({ name, rows, severity }) => `  ${severity}: ${name}: ${counted(rows, "row")}`,
  );
  return [`Data checks: ${checks.length - failed.length} of ${checks.length} pass.`, ...lines];
}

export const renderChecks = (checks: Recomputed["checks"]): string => printed(checkLines(checks));
