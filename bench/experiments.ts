import Table from "cli-table3";
import { exportFrom, exportLake } from "./exported-lake.js";
import { measure, serveBody } from "./export.js";
import { cellOf } from "./peers.js";
import { inFolder, isSmall, recount, runNode, type Used } from "./whole-process.js";

/** Ratings of each experiment. */
const each = isSmall ? 100 : 2000;
const many = isSmall ? 3 : Number(process.env.RECOUNT_BENCH_EXPERIMENTS ?? 200);

const steps: Readonly<Record<string, readonly string[]>> = {
  "transform --models published": ["transform", "--models", "published", "--full"],
  transform: ["transform", "--full"],
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
    ...Object.keys(steps).map((step, i) => ({
      step,
      one: one[i] as Used,
      many: divided[i] as Used,
    })),
  ];
}

async function measureSteps(lake: string, project: string, all: typeof steps): Promise<Used[]> {
  const used: Used[] = [];
  for (const args of Object.values(all))
    used.push(await runNode([recount, ...args, "--lake", lake, "--project", project], lake));
  return used;
}

function stepsOf(ratings: number, experiments: number): Promise<Used[]> {
  return inFolder(async (lake) => {
    const { project } = await exportLake(lake, { ratings, experiments });
    return measureSteps(lake, project, steps);
  });
}

const repeated: typeof steps = {
  transform: ["transform"],
  "transform --statistics": ["transform", "--statistics"],
  audit: ["audit"],
};

/** What a step takes of many experiments, in a night without changes, and after a change in one of them. */
export interface Repeated {
  readonly step: string;
  readonly first: Used;
  readonly unchanged: Used;
  readonly again: Used;
}

/** Exports, transforms and audits many experiments, does so again, changes one, and does so again. */
export async function measureRepeated(): Promise<Repeated[]> {
  const { child, url } = await serveBody(each, "study");
  const project = `p${many}`;
  try {
    return await inFolder(async (lake) => {
      const night = async () => [
        await exportFrom(url, lake, project),
        ...(await measureSteps(lake, project, repeated)),
      ];
      const [first, unchanged] = [await night(), await night()];
      await fetch(new URL("/more", url));
      const again = await night();
      return ["export", ...Object.keys(repeated)].map((step, i) => ({
        step,
        first: first[i] as Used,
        unchanged: unchanged[i] as Used,
        again: again[i] as Used,
      }));
    });
  } finally {
    child.kill("SIGTERM");
  }
}

async function exportOf(ratings: number, experiments: number): Promise<Used> {
  const { child, url } = await serveBody(ratings, "study");
  try {
    return await measure("study", url, experiments);
  } finally {
    child.kill("SIGTERM");
  }
}

/** Prints what `measureDivided` and `measureRepeated` measure: 200 experiments, or RECOUNT_BENCH_EXPERIMENTS. */
export async function benchExperiments(print: (text: string) => void): Promise<void> {
  const head = [
    "experiments: s / CPU s / MB",
    `1 × ${many * each}`,
    `${many} × ${each}`,
    "CPU, × one",
  ];
  const table = new Table({ head, style: { head: [] } });
  for (const { step, one, many: all } of await measureDivided())
    table.push([step, cellOf(one), cellOf(all), (all.cpuSeconds / one.cpuSeconds).toFixed(1)]);
  print(table.toString());
  const changed = [`${many} experiments: s / CPU s / MB`, "first", "unchanged", "one changed"];
  const repeatedTable = new Table({ head: changed, style: { head: [] } });
  for (const { step, first, unchanged, again } of await measureRepeated())
    repeatedTable.push([step, cellOf(first), cellOf(unchanged), cellOf(again)]);
  print(repeatedTable.toString());
}
