import { execFile, spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import Table from "cli-table3";
import { isSmall, medianOf, type Used } from "./whole-process.js";

const here = import.meta.dirname;
const cases = join(here, "export-case.js");

export interface Measured extends Used {
  readonly bytes: number;
  readonly rows: number;
}

/** A service in a separate process that answers for each experiment alike. */
export async function serveBody(
  ratings: number,
  kind: string,
): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [cases, "serve", String(ratings), kind], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const piece of child.stdout as AsyncIterable<Buffer>) {
    const url = /http:\S+/.exec(piece.toString())?.[0];
    if (url !== undefined) return { child, url };
  }
  throw new Error("the body's server did not start");
}

/** One measurement in a separate process, so that its peak memory can be measured. */
export async function measure(kind: string, url: string, experiments: number): Promise<Measured> {
  const dir = await mkdtemp(join(tmpdir(), "recount-bench-"));
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [
      cases,
      kind,
      url,
      String(experiments),
      dir,
    ]);
    return JSON.parse(stdout) as Measured;
  } finally {
    await rm(dir, { recursive: true });
  }
}

const ways = {
  ceiling: "spool + SHA-256, bare read_json → COPY",
  export: "recount export, raw bodies not kept",
  raw: "recount export, raw bodies kept (gzip)",
  unknown: "recount export, two unknown fields in each element",
  odd: "recount export, one element that does not fit",
};

export type ExportWay = keyof typeof ways;

/** Measures one way to get as many lists of ratings as there are experiments. */
export async function measureExport(
  way: ExportWay,
  ratings: number,
  experiments: number,
): Promise<Measured> {
  const { child, url } = await serveBody(ratings, way);
  try {
    return await measure(way, url, experiments);
  } finally {
    child.kill("SIGTERM");
  }
}

const studyWays = ["study-ceiling", "study", "study-raw"] as const;

/** Every list of a study: converted plainly, exported, and exported with its bodies kept, in turn. */
export async function measureStudy(
  ratings: number,
  rounds: number,
): Promise<Record<(typeof studyWays)[number], Used | null>> {
  const runs = studyWays.map((way) => ({ way, used: [] as Used[] }));
  const { child, url } = await serveBody(ratings, "study");
  try {
    for (let round = 0; round < rounds; round++)
      for (const { way, used } of runs) used.push(await measure(way, url, 1));
  } finally {
    child.kill("SIGTERM");
  }
  return Object.fromEntries(runs.map(({ way, used }) => [way, medianOf(used)])) as Awaited<
    ReturnType<typeof measureStudy>
  >;
}

/** Ratings of a list, lists, and how they are read. RECOUNT_BENCH_LARGE=1 adds ten million. */
const plans: readonly (readonly [
  ratings: number,
  experiments: number,
  ways: readonly ExportWay[],
])[] = isSmall
  ? [[200, 2, ["ceiling", "export", "raw", "unknown", "odd"]]]
  : [
      [100_000, 1, ["ceiling", "export", "raw", "unknown", "odd"]],
      [1_000_000, 1, ["ceiling", "export", "raw", "unknown", "odd"]],
      [50_000, 20, ["ceiling", "export"]],
      ...(process.env.RECOUNT_BENCH_LARGE === "1"
        ? [[10_000_000, 1, ["ceiling", "export", "odd"]] as const]
        : []),
    ];

/** An export of ratings against its baseline: the same body spooled with hashing and converted by a bare `read_json` → `COPY`. */
export async function benchExport(print: (text: string) => void): Promise<void> {
  const table = new Table({
    head: ["export: ratings × lists", "way", "MB", "s", "CPU s", "CPU, × baseline", "peak MB"],
    colAligns: ["right", "left", "right", "right", "right", "right", "right"],
    style: { head: [] },
  });
  for (const [ratings, experiments, chosen] of plans) {
    let baseline = NaN;
    for (const way of chosen) {
      const { seconds, cpuSeconds, bytes, peakMb } = await measureExport(way, ratings, experiments);
      if (way === "ceiling") baseline = cpuSeconds;
      table.push([
        `${ratings} × ${experiments}`,
        ways[way],
        Math.round(bytes / 1e6),
        seconds.toFixed(2),
        cpuSeconds.toFixed(2),
        (cpuSeconds / baseline).toFixed(2),
        Math.round(peakMb),
      ]);
    }
  }
  print(table.toString());
}
