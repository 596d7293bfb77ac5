import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Table from "cli-table3";
import {
  mmStrengths,
  newtonStrengths,
  strengthData,
} from "../src/metrics/bayesian-elo/strengths.js";
import { bradleyTerry } from "../src/metrics/bradley-terry/bradley-terry.js";
import { conventionsWith, defaultConventions } from "../src/metrics/conventions.js";
import { onlineElo } from "../src/metrics/elo/online-elo.js";
import { type PairCounts, raterPairCountsOf } from "../src/metrics/pair-counts.js";
import { seededRandom } from "../src/platform/random.js";
import { openWarehouse, recomputeModels } from "../src/warehouse/index.js";
import { writeStudy } from "./metrics-data.js";
import { isSmall } from "./whole-process.js";

const sized = (size: number): number => (isSmall ? size / 500 : size);

type Line = readonly [task: string, ms: number, note: string];

/** Times the kernels on generated data and sql/ on a generated study, and prints a table. */
export async function benchMetrics(print: (text: string) => void): Promise<void> {
  const lines = [
    ...kernelLines(),
    ...(await warehouseLines({ comparisons: sized(1_000_000), items: 50 })),
  ];
  const table = new Table({
    head: ["metrics", "ms", ""],
    colAligns: ["left", "right", "left"],
    style: { head: [] },
  });
  for (const [task, ms, note] of lines)
    table.push([task, ms < 10 ? ms.toFixed(1) : ms.toFixed(0), note]);
  print(table.toString());
}

function timed<T>(run: () => T): [T, number] {
  const start = performance.now();
  const result = run();
  return [result, performance.now() - start];
}

function kernelLines(): Line[] {
  const games = generate(sized(10_000_000), 50);
  const [, eloMs] = timed(() => onlineElo(50, games, defaultConventions.elo));
  const ladder = ladderOf(200);
  const bayesian = defaultConventions.bayesian_elo;
  const [newton, newtonMs] = timed(() => newtonStrengths(strengthData(ladder), bayesian));
  const [mm, mmMs] = timed(() => mmStrengths(strengthData(ladder), bayesian, 1e-9));
  const counts = raterPairCountsOf(50, 200, generate(sized(100_000), 50));
  const [fit, resampleMs] = timed(() =>
    bradleyTerry(counts, { ties: "half", rater_samples: 1000, seed: 1 }),
  );
  const steps = (fit_: { iterations: number; converged: boolean }): string =>
    `${fit_.iterations} iterations, ${fit_.converged ? "converged" : "not converged"}`;
  return [
    ["online Elo, 10 M comparisons", eloMs, `${(10_000 / eloMs).toFixed(1)} M comparisons/s`],
    ["Bayesian Elo, ladder of 200 items, Newton", newtonMs, steps(newton)],
    ["the same by MM", mmMs, steps(mm)],
    [
      "Bradley-Terry, 50 items, 1000 resamplings of 200 raters",
      resampleMs,
      `${fit.drawsUsed} draws used`,
    ],
  ];
}

async function warehouseLines(study: { comparisons: number; items: number }): Promise<Line[]> {
  const dir = await mkdtemp(join(tmpdir(), "recount-bench-"));
  try {
    const sources = await writeStudy(dir, study);
    const warehouse = await openWarehouse({ sources });
    const start = performance.now();
    const { models } = await recomputeModels(warehouse, conventionsWith({}));
    const total = performance.now() - start;
    warehouse.close();
    const slowest = models.toSorted((x, y) => y.ms - x.ms).slice(0, 5);
    return [
      [
        `sql/, ${study.comparisons.toLocaleString("en")} slates, ${study.items} items: every model`,
        total,
        "",
      ],
      ...slowest.map(({ name, ms, rows }): Line => [
        `  ${name}`,
        ms,
        rows === null ? "view" : `${rows} rows`,
      ]),
    ];
  } finally {
    await rm(dir, { recursive: true });
  }
}

function generate(length: number, items: number) {
  const random = seededRandom(11);
  const games = {
    a: new Int32Array(length),
    b: new Int32Array(length),
    outcome: new Int8Array(length),
    session: new Int32Array(length),
    rater: new Int32Array(length),
  };
  for (let n = 0; n < length; n++) {
    const a = Math.floor(random() * items);
    const b = (a + 1 + Math.floor(random() * (items - 1))) % items;
    games.a[n] = a;
    games.b[n] = b;
    games.outcome[n] = random() < 1 / (1 + Math.exp((a - b) / 20)) ? 1 : -1;
    games.session[n] = Math.floor(n / 20);
    games.rater[n] = Math.floor(n / 20) % 200;
  }
  return games;
}

function ladderOf(items: number): PairCounts {
  const rungs = items - 1;
  return {
    items,
    a: Int32Array.from({ length: rungs }, (_, i) => i),
    b: Int32Array.from({ length: rungs }, (_, i) => i + 1),
    winsA: Float64Array.from({ length: rungs }, (_, i) => 300 + 100 * (i % 4)),
    winsB: new Float64Array(rungs).fill(400),
    ties: Float64Array.from({ length: rungs }, (_, i) => 50 * (i % 2)),
  };
}
