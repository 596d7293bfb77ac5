import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Table from "cli-table3";
import { measure, serveBody } from "./export.js";
import { writeStudyLake } from "./study-lake.js";
import { recount, runNode, type Used } from "./whole-process.js";

/** Ratings of each experiment, its items and jobs: so small a study has few. */
const each = 2000;
const shape = { items: 10, jobs: 1 };

const steps: Readonly<Record<string, readonly string[]>> = {
  "transform --models published": ["transform", "--models", "published"],
  transform: ["transform"],
  "audit, all exact": ["audit"],
};

/**
 * Many experiments of 2,000 ratings against one with as many ratings in all: what each step takes per rating. 1,000
 * experiments, or RECOUNT_BENCH_EXPERIMENTS.
 */
export async function benchExperiments(print: (text: string) => void): Promise<void> {
  const many = Number(process.env.RECOUNT_BENCH_EXPERIMENTS ?? 1000);
  const ratings = many * each;
  const used = new Map<string, Used[]>([
    ["export", [await exportOf(ratings, 1), await exportOf(each, many)]],
    ["export, the least possible", [await exportOf(ratings, 1, "least"), await exportOf(each, many, "least")]],
    ...Object.keys(steps).map((step) => [step, []] as [string, Used[]]),
  ]);
  for (const experiments of [1, many]) {
    const lake = await mkdtemp(join(tmpdir(), "recount-bench-"));
    try {
      await writeStudyLake(lake, { comparisons: ratings / 2, experiments, ...shape }, { exact: true });
      for (const [step, args] of Object.entries(steps))
        used.get(step)?.push(await runNode([recount, ...args, "--lake", lake], lake));
    } finally {
      await rm(lake, { recursive: true });
    }
  }
  const head = ["experiments: s / CPU s / MB", `1 × ${ratings}`, `${many} × ${each}`, "CPU, × one"];
  const table = new Table({ head, style: { head: [] } });
  for (const [step, [one, all]] of used)
    if (one && all) table.push([step, cellOf(one), cellOf(all), (all.cpuSeconds / one.cpuSeconds).toFixed(1)]);
  print(table.toString());
}

async function exportOf(ratings: number, experiments: number, kind = "study"): Promise<Used> {
  const { child, url } = await serveBody(ratings, "study");
  try {
    return await measure(kind, url, experiments);
  } finally {
    child.kill("SIGTERM");
  }
}

const cellOf = ({ seconds, cpuSeconds, peakMb }: Used): string =>
  `${seconds.toFixed(2)} / ${cpuSeconds.toFixed(2)} / ${peakMb.toFixed(0)}`;
