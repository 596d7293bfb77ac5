import { cpSync, existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { startEmulator, type EmulatorOptions } from "../../src/emulator/index.js";
import { exportTo } from "./export-to-lake.js";
import { goldenPaths } from "./golden-case.js";
import { stateOf } from "./keep-folder.js";

export const goldenProject = "Listen42";

/**
 * A folder that `make` has filled, once for the same sources of Recount and of the tests: the next run finds it. Tests read
 * it only; the run fails if one has changed it.
 */
export async function kept(
  name: string,
  make: (folder: string) => Promise<unknown>,
): Promise<string> {
  const folder = join(inject("kept"), name);
  if (existsSync(`${folder}.state`)) return folder;
  const own = mkdtempSync(`${folder}.`);
  await make(own);
  try {
    renameSync(own, folder);
    writeFileSync(`${folder}.state`, stateOf(folder));
  } catch {
    // Another process of the suite was first.
    rmSync(own, { recursive: true });
  }
  return folder;
}

/** A lake with one snapshot of golden cases, exported over HTTP: to be read only. */
export const goldenLake = (...cases: readonly string[]): Promise<string> =>
  lakeOf(`lake-${cases.join("+")}`, { load: goldenPaths(...cases) });

/** A lake with one snapshot of what an emulator with these options serves: to be read only. */
export const lakeOf = (name: string, options: EmulatorOptions): Promise<string> =>
  kept(name, async (lake) => {
    const service = await startEmulator(options);
    await exportTo(lake, service).finally(() => service.close());
  });

/** A copy of a lake, to be changed and removed. */
export function copyOf(lake: string): string {
  const copy = mkdtempSync(join(tmpdir(), "recount-lake-"));
  cpSync(lake, copy, { recursive: true, preserveTimestamps: true });
  return copy;
}
