import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import Table from "cli-table3";
import { readSnapshot } from "../src/lake/index.js";
import { defaultConventions } from "../src/metrics/index.js";
import {
  modelPlan,
  openOn,
  recomputeModels,
  sparkAddress,
  type Row,
} from "../src/warehouse/index.js";
import { modelsBehind } from "../src/warehouse/plan.js";
import { installSpark } from "../test/spark/cluster.js";
import { startExecutors } from "./spark-cluster.js";
import { readTasks } from "./spark-tasks.js";
import { exportLake } from "./exported-lake.js";

const sizes = (process.env.RECOUNT_BENCH_RATINGS ?? "20000000").split(",").map(Number);
const clusters = (process.env.RECOUNT_BENCH_EXECUTORS ?? "1,2,4").split(",").map(Number);
const warmRatings = 200_000;

const shapes = [
  ["20 experiments", 20],
  ["one experiment", 1],
] as const;

interface Counted {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly totals: Row | undefined;
}

/** From the ratings to the counts of pairs: the part of the models that grows with the ratings. */
async function countPairs(
  lake: string,
  project: string,
  folder: string,
  port?: number,
): Promise<Counted> {
  const { tables: sources } = await readSnapshot(lake, project);
  const plan = modelsBehind(await modelPlan(), ["int_pair_counts"]);
  const cluster = port === undefined ? null : { address: sparkAddress(`sc://127.0.0.1:${port}`) };
  const [startMs, before] = [performance.now(), process.cpuUsage()];
  const warehouse = await openOn({ sources, cluster, scratch: join(folder, "scratch") });
  await recomputeModels(warehouse, defaultConventions, plan);
  const { user, system } = process.cpuUsage(before);
  const seconds = (performance.now() - startMs) / 1000;
  const [totals] = await warehouse.all(
    "select count(*) as n, sum(wins_a) as a, sum(wins_b) as b, sum(ties) as t from int_pair_counts",
  );
  warehouse.close();
  return { seconds, cpuSeconds: (user + system) / 1e6, totals };
}

const modelled = [1, 2, 4, 16];
const head = [
  "ratings → pair counts",
  "s",
  "CPU s",
  "GC s",
  `s on ${modelled.join(", ")} cores`,
  "longest task s",
  "shuffle MB",
  "peak MB",
];

/**
 * The same models on DuckDB, and on Spark with one, two and four executors of one core. RECOUNT_SPARK=cluster installs Spark
 * from PyPI (456 MB); RECOUNT_BENCH_RATINGS=20000000,100000000 chooses the sizes,
 * RECOUNT_BENCH_EXECUTORS=1,2,4 the clusters.
 */
export async function benchSpark(print: (text: string) => void): Promise<void> {
  if (process.env.RECOUNT_SPARK === undefined) {
    print(
      "Spark is left out. RECOUNT_SPARK=cluster installs it from PyPI and measures it; it needs Java 17 and Python 3.",
    );
    return;
  }
  const home = await installSpark().catch((error: unknown) => {
    print(`Spark is left out: ${String(error)}`);
    return null;
  });
  if (home === null) return;
  const root = await mkdtemp(join(tmpdir(), "recount-bench-"));
  const table = new Table({
    head,
    colAligns: ["left", ...head.slice(1).map(() => "right" as const)],
    style: { head: [] },
  });
  try {
    const warm = join(root, "warm");
    await mkdir(warm);
    const warmed = await exportLake(warm, { ratings: warmRatings, experiments: 2 });
    for (const ratings of sizes) {
      for (const [shape, experiments] of shapes) {
        const what = `${ratings.toLocaleString("en")}, ${shape}`;
        const lake = join(root, "lake");
        await mkdir(lake);
        const { project } = await exportLake(lake, { ratings, experiments });
        const local = await countPairs(lake, project, root);
        const show = (cells: readonly string[]) => {
          table.push([...cells]);
          print(cells.join(" | "));
        };
        show([
          `${what}: DuckDB`,
          local.seconds.toFixed(1),
          local.cpuSeconds.toFixed(1),
          "",
          "",
          "",
          "",
          "",
        ]);
        for (const executors of clusters) {
          const folder = join(root, "spark");
          await mkdir(folder);
          const cluster = await startExecutors(home, folder, executors);
          await countPairs(warm, warmed.project, root, cluster.port);
          const from = Date.now();
          const { seconds, totals } = await countPairs(lake, project, root, cluster.port);
          const to = Date.now();
          await cluster.close();
          if (JSON.stringify(totals, String) !== JSON.stringify(local.totals, String))
            throw new Error(
              `${what}: Spark counts ${JSON.stringify(totals)}, DuckDB ${JSON.stringify(local.totals)}.`,
            );
          const tasks = await readTasks(cluster.events, from, to);
          show([
            `${what}: ${executors} of one core${executors > cpus().length ? ` on ${cpus().length} cores` : ""}`,
            ...[seconds, tasks.cpuSeconds, tasks.gcSeconds].map((n) => n.toFixed(1)),
            modelled.map((cores) => tasks.modelSeconds(cores).toFixed(1)).join(", "),
            tasks.longestSeconds.toFixed(1),
            ...[tasks.shuffleMb, tasks.peakMb].map((n) => n.toFixed(0)),
          ]);
          await rm(folder, { recursive: true });
        }
        await rm(lake, { recursive: true });
      }
    }
    print(table.toString());
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
