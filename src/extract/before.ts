import { dirname, join } from "node:path";
import { fsp, makeDir } from "../platform/index.js";
import { areSound, filesOfPart, layoutOf, type Manifest, type Part, type Unit } from "../lake/index.js";
import { converterId } from "./convert.js";
import type { Request } from "./request.js";

/** The previous snapshot, as far as the one under way can use it again. */
export interface Before {
  /** The earlier unit of the same request with just these parts, when they were made as they would be now. */
  unit(request: Request, paths: readonly string[]): Unit | undefined;
  /** Whether the files of parts are still as they were written. */
  isSound(parts: readonly Part[]): Promise<boolean>;
  /** Puts parts into the snapshot under way, as links of the earlier files. */
  link(parts: readonly Part[], staged: string): Promise<void>;
  /** The earlier part at a path. */
  part(path: string): Part | undefined;
}

const keyOf = (operation: string, experiment: string | null, parameters: Readonly<Record<string, string>>) =>
  JSON.stringify([operation, experiment, Object.entries(parameters).toSorted(([a], [b]) => (a < b ? -1 : 1))]);

/** A second name for a file; where the file system has no links, a copy. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  const temporary = `${to}.link`;
  await fsp.rm(temporary, { force: true });
  await fsp.link(from, temporary).catch(() => fsp.copyFile(from, temporary));
  await fsp.rename(temporary, to);
  await fsp.rm(temporary, { force: true });
}

/** @param manifest of the previous snapshot; null where there is none */
export function beforeOf(lake: string, manifest: Manifest | null): Before {
  const dir = manifest === null ? "" : join(layoutOf(lake, manifest.project_id).snapshots, manifest.snapshot);
  const isSame = manifest?.converter === converterId;
  const usable = isSame ? manifest.units.filter(({ state, body }) => state === "complete" && body !== null) : [];
  const units = new Map(usable.map((unit) => [keyOf(unit.operation, unit.experiment_id, unit.parameters), unit]));
  const parts = new Map(usable.flatMap((unit) => unit.parts.map((part) => [part.path, part] as const)));
  return {
    unit({ operation, experimentId, parameters }, paths) {
      const unit = units.get(keyOf(operation, experimentId ?? null, parameters));
      return unit?.parts.length === paths.length && unit.parts.every(({ path }) => paths.includes(path))
        ? unit
        : undefined;
    },
    isSound: (some) => areSound(dir, some.flatMap(filesOfPart)),
    async link(some, staged) {
      for (const { path } of some.flatMap(filesOfPart)) {
        await makeDir(dirname(join(staged, path)));
        await linkOrCopy(join(dir, path), join(staged, path));
      }
    },
    part: (path) => parts.get(path),
  };
}
