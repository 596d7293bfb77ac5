import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const here = import.meta.dirname;

/** The built command. */
export const recount = join(here, "../bin/recount.js");

/** Of a whole process, from its start, with all its threads. */
export interface Used {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMb: number;
}

/** Runs Node, which notes what it used in a file of `folder`. */
export async function runNode(
  args: readonly string[],
  folder: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<Used> {
  const BENCH_USAGE = join(folder, "usage.json");
  await promisify(execFile)(process.execPath, ["--import", join(here, "usage.js"), ...args], {
    env: { ...process.env, ...variables, BENCH_USAGE },
    maxBuffer: 2 ** 28,
  });
  return JSON.parse(await readFile(BENCH_USAGE, "utf8")) as Used;
}

/** The median of each number; null if nothing was measured. */
export function medianOf(all: readonly Used[]): Used | null {
  const median = (key: keyof Used): number =>
    all.map((used) => used[key]).sort((x, y) => x - y)[Math.floor(all.length / 2)] ?? NaN;
  if (all.length === 0) return null;
  return { seconds: median("seconds"), cpuSeconds: median("cpuSeconds"), peakMb: median("peakMb") };
}

/** RECOUNT_BENCH_SMALL=1 replaces each size by a small one: to see whether the benchmarks run. */
export const isSmall = process.env.RECOUNT_BENCH_SMALL === "1";

/** Runs `use` in a folder that is removed afterwards. */
export async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "recount-bench-"));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
