import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import Table from "cli-table3";
import { drawTimes } from "./draw-times.js";
import { writeStudyLake } from "./study-lake.js";
import { medianOf, recount, runNode, type Used } from "./whole-process.js";

const run = promisify(execFile);
const here = import.meta.dirname;

/** A way to do the work; null where it is not available. */
type Way = (lake: string) => Promise<Used | null>;

const snapshotOf = (lake: string): string => join(lake, "bench/snapshots/20260101T000000000Z");

const node =
  (args: (lake: string) => string[]): Way =>
  (lake) =>
    runNode(args(lake), lake);

const peer =
  (task: "leaderboards" | "scores"): Way =>
  async (lake) => {
    const python = await peerPython();
    if (python === null) return null;
    const { stdout } = await run(python, [join(here, "peer.py"), task, snapshotOf(lake)]);
    return JSON.parse(stdout) as Used;
  };

const boards = ["elo", "bayesian_elo", "win_loss"].map((kind) => `from metric_${kind}`).join(" union all by name ");
const scores = "from metric_mean union all by name from metric_stats";
const query =
  (sql: string) =>
  (lake: string): string[] => [recount, "query", sql, "--lake", lake, "--format", "csv"];

const ways: readonly (readonly [what: string, way: Way])[] = [
  ["the least: columns, one grouping, one loop", node((lake) => [join(here, "bare.js"), snapshotOf(lake)])],
  ["DuckDB and evalica: Elo, Bradley-Terry, counts", peer("leaderboards")],
  ["recount query: elo, bayesian_elo, win_loss", node(query(boards))],
  ["pandas and scipy: mean, sd, quartiles, intervals", peer("scores")],
  ["recount query: mean, stats", node(query(scores))],
  ["recount transform --models published", node((l) => [recount, "transform", "--lake", l, "--models", "published"])],
  ["recount transform", node((lake) => [recount, "transform", "--lake", lake])],
  ["recount audit, all exact", node((lake) => [recount, "audit", "--lake", lake])],
];

/** A Python with the peers, in a folder of its own; null, with the reason, where it cannot be had. */
let found: Promise<string | null> | undefined;
function peerPython(): Promise<string | null> {
  return (found ??= makePython().catch((error: unknown) => {
    process.stdout.write(`The peers are left out: ${String(error).split("\n")[0] ?? ""}\n`);
    return null;
  }));
}

async function makePython(): Promise<string> {
  const venv = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "recount-bench", "peers");
  const python = join(venv, "bin", "python");
  if (!existsSync(python)) {
    await mkdir(venv, { recursive: true });
    await run("python3", ["-m", "venv", venv]);
    await run(python, ["-m", "pip", "install", "--quiet", "duckdb", "evalica", "pandas", "scipy", "pyarrow"]);
  }
  return python;
}

/** Runs of each way, one after the other in turn; the medians are printed. */
const rounds = Number(process.env.RECOUNT_BENCH_ROUNDS ?? 5);

interface Measured {
  readonly what: string;
  /** By size; null where it was not measured. */
  readonly used: readonly (Used | null)[];
}

/** Runs the ways in turn on lakes of each size, and takes the medians. */
async function measure(
  sizes: readonly number[],
  write: (lake: string, size: number) => Promise<void>,
  chosen: (size: number) => readonly (readonly [what: string, way: Way])[],
): Promise<Measured[]> {
  const medians = new Map<string, (Used | null)[]>(chosen(sizes[0] ?? 0).map(([what]) => [what, []]));
  for (const size of sizes) {
    const lake = await mkdtemp(join(tmpdir(), "recount-bench-"));
    try {
      await write(lake, size);
      const runs = new Map<string, Used[]>([...medians.keys()].map((what) => [what, []]));
      for (let round = 0; round < (size > large ? 1 : rounds); round++) {
        for (const [what, way] of chosen(size)) {
          const used = await way(lake);
          if (used !== null) runs.get(what)?.push(used);
        }
      }
      for (const [what, all] of runs) medians.get(what)?.push(medianOf(all));
    } finally {
      await rm(lake, { recursive: true });
    }
  }
  return [...medians].map(([what, used]) => ({ what, used }));
}

/** Comparisons beyond which everything runs once, and neither every model nor an audit. */
const large = 1_000_000;

/**
 * Recount against what people do by hand, as whole processes. RECOUNT_BENCH_LARGE=1 adds ten million comparisons, without
 * the audit and every model. Draws docs/peers.svg.
 */
export async function benchPeers(print: (text: string) => void): Promise<void> {
  const sizes = [100_000, large, ...(process.env.RECOUNT_BENCH_LARGE === "1" ? [10_000_000] : [])];
  const compared = await measure(
    sizes,
    (lake, comparisons) => writeStudyLake(lake, { comparisons, items: 50 }, { exact: comparisons <= large }),
    (size) => (size > large ? ways.slice(0, 6) : ways),
  );
  printTable(print, "comparisons", sizes, compared);
  const counts = [200_000, 2_000_000];
  const scored = await measure(
    counts,
    (lake, size) => writeStudyLake(lake, { scores: size, items: 50 }),
    () => ways.filter(([what]) => what.includes("mean")),
  );
  printTable(print, "scores of ACR and MUSHRA", counts, scored);
  const points = compared.flatMap(({ what, used }) =>
    used.flatMap((one, i) =>
      one === null ? [] : [{ what: `${what} (${slopeOf(sizes, used)})`, size: sizes[i] ?? 0, seconds: one.seconds }],
    ),
  );
  const titles = { size: "comparisons", seconds: "seconds, whole process", what: "Way (exponent of CPU time)" };
  await writeFile(join(here, "../docs/peers.svg"), await drawTimes(points, titles));
}

function printTable(
  print: (text: string) => void,
  of: string,
  sizes: readonly number[],
  measured: readonly Measured[],
): void {
  const head = [`${of} → s / CPU s / MB`, ...sizes.map((n) => n.toLocaleString("en")), "slope"];
  const table = new Table({ head, style: { head: [] } });
  for (const { what, used } of measured) table.push([what, ...used.map(cellOf), slopeOf(sizes, used)]);
  print(table.toString());
}

const cellOf = (used: Used | null): string =>
  used === null ? "–" : `${used.seconds.toFixed(2)} / ${used.cpuSeconds.toFixed(2)} / ${used.peakMb.toFixed(0)}`;

/** The exponent p of CPU time ~ size^p between the last two sizes; below 1 while the start-up still counts. */
function slopeOf(sizes: readonly number[], used: readonly (Used | null)[]): string {
  const last = used.findLastIndex((one) => one !== null);
  const [small, large] = [used[last - 1], used[last]];
  if (!small || !large) return "–";
  const growth = Math.log((sizes[last] as number) / (sizes[last - 1] as number));
  return (Math.log(large.cpuSeconds / small.cpuSeconds) / growth).toFixed(2);
}
