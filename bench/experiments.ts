import Table from "cli-table3";
import { exportLake } from "./exported-lake.js";
import { measure, serveBody } from "./export.js";
import { cellOf } from "./peers.js";
import { inFolder, isSmall, recount, runNode, type Used } from "./whole-process.js";

/** Ratings of each experiment. */
const each = isSmall ? 100 : 2000;
const many = isSmall ? 3 : Number(process.env.RECOUNT_BENCH_EXPERIMENTS ?? 200);

const steps: Readonly<Record<string, readonly string[]>> = {
  "transform --models published": ["transform", "--models", "published"],
  transform: ["transform"],
  "audit, all exact": ["audit"],
};

/** What a step takes of one experiment, and of many with as many ratings in all. */
export interface Divided {
  readonly step: string;
  readonly one: Used;
  readonly many: Used;
}

/** Exports, transforms and audits many experiments of 2,000 ratings, and one with all their ratings. */
export async function measureDivided(): Promise<Divided[]> {
  const ratings = many * each;
  const [one, divided] = [await stepsOf(ratings, 1), await stepsOf(ratings, many)];
  return [
    { step: "export", one: await exportOf(ratings, 1), many: await exportOf(each, many) },
    ...Object.keys(steps).map((step, i) => ({ step, one: one[i] as Used, many: divided[i] as Used })),
  ];
}

function stepsOf(ratings: number, experiments: number): Promise<Used[]> {
  return inFolder(async (lake) => {
    const { project } = await exportLake(lake, { ratings, experiments });
    const used: Used[] = [];
    for (const args of Object.values(steps))
      used.push(await runNode([recount, ...args, "--lake", lake, "--project", project], lake));
    return used;
  });
}

async function exportOf(ratings: number, experiments: number): Promise<Used> {
  const { child, url } = await serveBody(ratings, "study");
  try {
    return await measure("study", url, experiments);
  } finally {
    child.kill("SIGTERM");
  }
}

/** Prints what `measureDivided` measures: 200 experiments, or RECOUNT_BENCH_EXPERIMENTS. */
export async function benchExperiments(print: (text: string) => void): Promise<void> {
  const head = ["experiments: s / CPU s / MB", `1 × ${many * each}`, `${many} × ${each}`, "CPU, × one"];
  const table = new Table({ head, style: { head: [] } });
  for (const { step, one, many: all } of await measureDivided())
    table.push([step, cellOf(one), cellOf(all), (all.cpuSeconds / one.cpuSeconds).toFixed(1)]);
  print(table.toString());
}
