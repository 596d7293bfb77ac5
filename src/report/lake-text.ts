import type { ExportReport } from "../extract/index.js";
import {
  shortfallText,
  type VerifyReport,
  type Shortfall,
  type SnapshotSummary,
  type ProjectUsage,
  type Pruning,
} from "../lake/index.js";
import { counted, byText } from "../platform/index.js";
import type { Recomputed, WrittenModel } from "../warehouse/index.js";
import { renderTable } from "./table.js";

const units = ["B", "kB", "MB", "GB", "TB"];

/** Bytes in decimal units with three digits. */
export function byteText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 ? value : Number(value.toPrecision(3))} ${units[unit] ?? ""}`;
}

export function secondsText(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** One line about an export: rows, bytes, time, path. */
export function exportLine({
  dir,
  rows,
  quarantined,
  bytes,
  elapsed_ms,
  manifest: { imported },
}: Pick<ExportReport, "dir" | "rows" | "quarantined" | "bytes" | "elapsed_ms" | "manifest">): string {
  const did = imported === undefined ? "Exported" : "Imported";
  const odd = quarantined === 0 ? "" : `, ${quarantined} quarantined`;
  const untaken = imported?.untaken ?? [];
  const left = untaken.map(
    ({ name, records, source, place }) =>
      `, ${counted(records, "record")} of ${name} in no list (the first: ${imported?.sources[source]?.path ?? ""}, ${place})`,
  );
  return `${did} ${rows} rows${odd}${left.join("")} from ${byteText(bytes)} in ${secondsText(elapsed_ms)}: ${dir}`;
}

/** One line that says what keeps a snapshot from being whole. */
export function notWholeLine(shortfalls: readonly Shortfall[]): string {
  return `The snapshot is not whole: ${shortfallText(shortfalls)}.`;
}

/** One line per problem, what interrupted runs left, then what was verified. */
export function verifyText({ snapshots, files, bytes, problems, leftovers }: VerifyReport): string {
  const looked = `${counted(snapshots.length, "snapshot")}, ${counted(files, "file")}, ${byteText(bytes)}`;
  const said = problems.map(({ file, problem }) => `${file}: ${problem}`);
  const end =
    problems.length === 0
      ? `Verified ${looked}: all files match their digests.`
      : `Verified ${looked}: ${counted(problems.length, "problem")}.`;
  const [first = "", ...others] = leftovers;
  const which = others.length === 0 ? `${first} is` : `${first} and ${others.length} more files or folders are`;
  const left =
    leftovers.length === 0 ? [] : [`${which} part of no snapshot; the next \`recount snapshots prune\` cleans up.`];
  return [...said, ...left, end].join("\n");
}

/** Snapshots, oldest first, with their sizes and how much the removal of each alone would free. */
export function renderSnapshots(snapshots: readonly SnapshotSummary[]): string {
  return renderTable(
    [
      { head: "snapshot", cell: ({ id }) => id },
      { head: "created", cell: ({ created_at }) => created_at },
      { head: "experiments", align: "right", cell: ({ experiments }) => String(experiments) },
      { head: "shortfalls", align: "right", cell: ({ shortfalls }) => String(shortfalls.length) },
      { head: "rows", align: "right", cell: ({ rows }) => String(rows) },
      { head: "files", align: "right", cell: ({ bytes }) => byteText(bytes) },
      { head: "bodies", align: "right", cell: ({ raw_bytes }) => byteText(raw_bytes) },
      { head: "models", align: "right", cell: ({ models_bytes }) => byteText(models_bytes) },
      { head: "own", align: "right", cell: ({ own_bytes }) => byteText(own_bytes) },
      { head: "", cell: ({ is_current }) => (is_current ? "current" : "") },
    ],
    snapshots,
  );
}

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
  const texts = all.map(({ project, snapshots, places, bytes, unique_bytes, prune }) => {
    const files = places.reduce((sum, place) => sum + place.files, 0);
    const table = renderTable(
      [
        { head: "", cell: ({ place }) => place },
        { head: "files", align: "right", cell: (one) => String(one.files) },
        { head: "size", align: "right", cell: (one) => byteText(one.bytes) },
        { head: "on disk", align: "right", cell: (one) => byteText(one.unique_bytes) },
      ],
      [...places, { place: "all", files, bytes, unique_bytes }],
    );
    return `${project}: ${counted(snapshots, "snapshot")}\n\n${table}\n\n${pruningText(prune, true)}`;
  });
  const total = all.reduce((sum, { unique_bytes }) => sum + unique_bytes, 0);
  const sum = all.length === 1 ? [] : [`${counted(all.length, "project")}: ${byteText(total)} on disk.`];
  return [...texts, ...sum].join("\n\n");
}

/** The part of a transform's report that the table shows. */
export interface TransformSummary {
  readonly dir: string;
  readonly written: readonly Pick<WrittenModel, "name" | "rows">[];
  readonly recomputed: { readonly models: readonly Pick<Recomputed["models"][number], "name" | "ms">[] } & Pick<
    Recomputed,
    "checks"
  >;
}

/** The written models with rows and time, then the failing data checks. */
export function renderTransform({ dir, written, recomputed }: TransformSummary): string {
  const ms = new Map(recomputed.models.map((model) => [model.name, model.ms]));
  const table = renderTable(
    [
      { head: "model", cell: ({ name }) => name },
      { head: "rows", align: "right", cell: ({ rows }) => String(rows) },
      { head: "ms", align: "right", cell: ({ name }) => String(ms.get(name) ?? "") },
    ],
    written,
  );
  const summary = `Wrote ${written.length} models as Parquet and as recount.duckdb to ${dir}`;
  const checks = recomputed.checks.length === 0 ? [] : [renderChecks(recomputed.checks)];
  return [table, "", ...checks, summary].join("\n");
}

/** One line for all data checks, and one for each that found rows: errors before warnings. */
export function renderChecks(checks: Recomputed["checks"]): string {
  const failed = checks.filter(({ rows }) => rows > 0).sort((a, b) => byText(a.severity, b.severity));
  const lines = failed.map(({ name, rows, severity }) => `  ${severity}: ${name}: ${counted(rows, "row")}`);
  return [`Data checks: ${checks.length - failed.length} of ${checks.length} pass.`, ...lines].join("\n");
}
