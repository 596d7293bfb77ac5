import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import Table from "cli-table3";
import { exportLake } from "./exported-lake.js";
import { inFolder, isSmall, medianOf, recount, runNode, type Used } from "./whole-process.js";

const endings = ["parquet", "csv", "jsonl", "json", "arrow", "txt"];
const rounds = isSmall ? 1 : Number(process.env.RECOUNT_BENCH_ROUNDS ?? 3);
const count = isSmall ? 1000 : 1_000_000;

/** A million rows of six columns: an integer, two texts, a number, a flag and an instant. */
const rows = `select n as id, 'stimulus ' || n % 50 as item, 'session-' || n // 20 as session, n * 0.37 as score,
  n % 2 = 0 as is_training, timestamptz '2026-01-01' + to_seconds(n) as at from range(${count}) as t (n)`;

/** Medians of whole processes that write one file, and the size of that file. */
async function writing(file: string, args: readonly string[]): Promise<string[]> {
  const runs: Used[] = [];
  for (let round = 0; round < rounds; round++)
    runs.push(await runNode([recount, ...args], dirname(file)));
  const { seconds, cpuSeconds, peakMb } = medianOf(runs) as Used;
  const { size } = await stat(file);
  return [seconds.toFixed(1), cpuSeconds.toFixed(1), peakMb.toFixed(0), (size / 1e6).toFixed(1)];
}

const tableOf = (head: string) =>
  new Table({
    head: [head, "s", "CPU s", "peak MB", "file MB"],
    colAligns: ["left", "right", "right", "right", "right"],
    style: { head: [] },
  });

/** Each output format of a query of a million rows. */
export async function benchOutputs(print: (text: string) => void): Promise<void> {
  const table = tableOf("query -o, 1 M rows");
  await inFolder(async (folder) => {
    await exportLake(folder, { ratings: 200 });
    for (const ending of endings) {
      const file = join(folder, `rows.${ending}`);
      table.push([
        ending,
        ...(await writing(file, ["query", rows, "--lake", folder, "--rows", "all", "-o", file])),
      ]);
    }
  });
  print(table.toString());
}

const root = join(import.meta.dirname, "..");

const lakes: readonly (readonly [
  what: string,
  make: (lake: string) => Promise<unknown>,
  flags?: string[],
])[] = [
  [
    "sample project",
    (lake) => runNode([recount, "demo", "--lake", lake], lake),
    ["--pipeline", join(root, "pipelines/demo.yaml")],
  ],
  ["1 M ratings", (lake) => exportLake(lake, { ratings: isSmall ? 200 : 1_000_000 })],
  [
    "200 experiments of 2,000 ratings",
    (lake) =>
      exportLake(
        lake,
        isSmall ? { ratings: 300, experiments: 3 } : { ratings: 400_000, experiments: 200 },
      ),
  ],
];

/** The report of projects of several sizes: the whole command, with every model and the audit. */
export async function benchReport(print: (text: string) => void): Promise<void> {
  const table = tableOf("report");
  for (const [what, make, flags = []] of lakes) {
    await inFolder(async (lake) => {
      await make(lake);
      const file = join(lake, "report.html");
      table.push([
        what,
        ...(await writing(file, ["report", "--lake", lake, ...flags, "-o", file])),
      ]);
    });
  }
  print(table.toString());
}
