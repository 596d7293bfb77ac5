import { columnsWritten, manifestFormat, shortfallsOf, type Manifest, type RawBody, type Unit } from "../lake/index.js";
import { mapTexts, version } from "../platform/index.js";
import type { ExportContext } from "./context.js";
import { converterId } from "./part.js";
import { logNotices } from "./notices.js";
import type { ExportOptions, ExportReport } from "./options.js";
import { everything } from "./selection.js";
import { defaultShrink, guardShrink } from "./shrink-guard.js";
import { findTombstones } from "./tombstones.js";

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

/**
 * Checks what was read against the previous snapshot, and describes it.
 * @param keep gives the kept bodies of units
 */
export async function makeManifest(
  context: ExportContext,
  options: ExportOptions,
  started: number,
  { experiments, units }: Pick<Manifest, "experiments" | "units">,
  keep: (units: readonly Unit[]) => Promise<RawBody[] | undefined>,
): Promise<Manifest> {
  const { store, checkpoint, previous, sessions, clock, log, projectId } = context;
  logNotices(units, shortfallsOf({ experiments, units }), log);
  guardShrink(previous.manifest, units, options.shrink ?? defaultShrink);
  const kept = await keep(units);
  const manifest: Manifest = {
    format: manifestFormat,
    recount: version,
    snapshot: checkpoint.snapshot,
    project_id: projectId,
    service: context.client.address,
    created_at: checkpoint.created.toISOString(),
    elapsed_ms: Math.round(clock.monotonicMs() - started),
    previous: previous.manifest?.snapshot ?? null,
    selection: options.selection ?? everything,
    experiments,
    units,
    columns: columnsWritten(units),
    converter: converterId(options.pseudonyms),
    ...(options.pseudonyms === undefined ? {} : { pseudonyms: options.pseudonyms.keyId }),
    ...(kept === undefined ? {} : { raw: kept }),
  };
  await checkpoint.settle();
  const tombstones = await sessions.use((warehouse) =>
    findTombstones(warehouse, store, previous.manifest, manifest, checkpoint.staged),
  );
  return tombstones === undefined ? manifest : { ...manifest, tombstones: mapTexts(tombstones, context.client.redact) };
}

/** @param bytes of response bodies */
export function reportOf(manifest: Manifest, dir: string, bytes: number): ExportReport {
  const { snapshot, units, elapsed_ms } = manifest;
  const parts = units.flatMap((unit) => unit.parts);
  return {
    ...{ snapshot, dir, manifest, bytes, elapsed_ms },
    rows: sum(parts.map((part) => part.rows)),
    quarantined: sum(parts.map((part) => part.quarantined)),
    shortfalls: shortfallsOf(manifest),
    secrets: sum(units.map((unit) => unit.secrets?.found ?? 0)),
  };
}
