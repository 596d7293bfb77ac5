import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import Table from "cli-table3";
import { drawTimes } from "./draw-times.js";
import { type ExportedLake, exportLake } from "./exported-lake.js";
import { inFolder, isSmall, medianOf, recount, runNode, type Used } from "./whole-process.js";

const run = promisify(execFile);
const here = import.meta.dirname;

/** A way to do the work; null where it is not available. */
type Way = (lake: string, exported: ExportedLake) => Promise<Used | null>;

const recountWith =
  (...args: string[]): Way =>
  (lake, { project }) =>
    runNode([recount, ...args, "--lake", lake, "--project", project], lake);

/** A way without what was computed before: all of it, or the results of the audit. */
const without =
  (kept: "" | ".kept/audit", way: Way): Way =>
  async (lake, exported) => {
    await rm(join(lake, exported.project, "derived", kept), { recursive: true, force: true });
    return way(lake, exported);
  };

const peer =
  (task: "leaderboards" | "scores"): Way =>
  async (_, { snapshot }) => {
    const python = await peerPython();
    if (python === null) return null;
    const { stdout } = await run(python, [join(here, "peer.py"), task, snapshot]);
    return JSON.parse(stdout) as Used;
  };

const query = (sql: string): Way => recountWith("query", sql, "--format", "csv");
const boards = ["elo", "bayesian_elo", "win_loss"]
  .map((kind) => `from metric_${kind}`)
  .join(" union all by name ");

/** The ways by name, in the order of the table. */
export const ways = {
  "the least: columns, one grouping, one loop": (lake, { snapshot }) =>
    runNode([join(here, "bare.js"), snapshot], lake),
  "DuckDB and evalica: Elo, Bradley-Terry, counts": peer("leaderboards"),
  "recount query: elo, bayesian_elo, win_loss": without("", query(boards)),
  "pandas and scipy: mean, sd, quartiles, intervals": peer("scores"),
  "recount query: mean, stats": without(
    "",
    query("from metric_mean union all by name from metric_stats"),
  ),
  "recount audit, all exact": without("", recountWith("audit")),
  "recount transform --models published": recountWith(
    "transform",
    "--models",
    "published",
    "--full",
  ),
  "recount transform --statistics": recountWith("transform", "--full", "--statistics"),
  "recount transform": recountWith("transform", "--full"),
  "the three kinds after transform": query(boards),
  "the audit after transform": without(".kept/audit", recountWith("audit")),
} satisfies Readonly<Record<string, Way>>;

export type WayName = keyof typeof ways;

/** A Python with the peers, in a folder of its own; null, with the reason, where it cannot be had. */
let found: Promise<string | null> | undefined;
function peerPython(): Promise<string | null> {
  return (found ??= makePython().catch((error: unknown) => {
    process.stdout.write(`The peers are left out: ${String(error).split("\n")[0] ?? ""}\n`);
    return null;
  }));
}

async function makePython(): Promise<string> {
  const venv = join(
    process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"),
    "recount-bench",
    "peers",
  );
  const python = join(venv, "bin", "python");
  if (!existsSync(python)) {
    await mkdir(venv, { recursive: true });
    await run("python3", ["-m", "venv", venv]);
    await run(python, [
      "-m",
      "pip",
      "install",
      "--quiet",
      "duckdb",
      "evalica",
      "pandas",
      "scipy",
      "pyarrow",
    ]);
  }
  return python;
}

/** Runs of each way, one after the other in turn; the medians are printed. Beyond a million comparisons, one. */
export const rounds = isSmall ? 1 : Number(process.env.RECOUNT_BENCH_ROUNDS ?? 3);
export const large = 1_000_000;

export type WayTimes = Readonly<Record<WayName, Used | null>>;

/** The medians of all ways on an exported lake of a size. */
export function measureWays(comparisons: number): Promise<WayTimes> {
  return inFolder(async (lake) => {
    const exported = await exportLake(lake, { ratings: 2 * comparisons });
    const runs = Object.keys(ways).map((name) => ({ name: name as WayName, used: [] as Used[] }));
    for (let round = 0; round < (comparisons > large ? 1 : rounds); round++)
      for (const { name, used } of runs) {
        const one = await ways[name](lake, exported);
        if (one !== null) used.push(one);
      }
    return Object.fromEntries(runs.map(({ name, used }) => [name, medianOf(used)])) as WayTimes;
  });
}

/** Sizes in comparisons: RECOUNT_BENCH_LARGE=1 adds ten million. */
const sizes = isSmall
  ? [100]
  : [100_000, large, ...(process.env.RECOUNT_BENCH_LARGE === "1" ? [10_000_000] : [])];

/** Recount against what people do by hand, as whole processes. Draws docs/records/peers.svg. */
export async function benchPeers(print: (text: string) => void): Promise<void> {
  const measured: WayTimes[] = [];
  for (const size of sizes) measured.push(await measureWays(size));
  const names = Object.keys(ways) as WayName[];
  const head = ["comparisons → s / CPU s / MB", ...sizes.map((n) => n.toLocaleString("en"))];
  const table = new Table({ head, style: { head: [] } });
  for (const name of names) table.push([name, ...measured.map((times) => cellOf(times[name]))]);
  print(table.toString());
  if (isSmall) return;
  const points = names.flatMap((name) =>
    measured.flatMap(({ [name]: used }, i) =>
      used === null ? [] : [{ what: name, size: sizes[i] ?? 0, seconds: used.cpuSeconds }],
    ),
  );
  const titles = { size: "comparisons", seconds: "seconds of CPU, whole process", what: "Way" };
  await writeFile(join(here, "../docs/records/peers.svg"), drawTimes(points, titles));
}

export const cellOf = (used: Used | null): string =>
  used === null
    ? "–"
    : `${used.seconds.toFixed(2)} / ${used.cpuSeconds.toFixed(2)} / ${used.peakMb.toFixed(0)}`;
