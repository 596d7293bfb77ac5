import { execFile, spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import Table from "cli-table3";

const here = import.meta.dirname;
const cases = join(here, "export-case.js");

export interface Measured {
  readonly seconds: number;
  /** Of all threads. */
  readonly cpuSeconds: number;
  readonly bytes: number;
  readonly rows: number;
  readonly peakMb: number;
}

/** A service in a separate process that answers for each experiment alike. */
export async function serveBody(ratings: number, kind: string): Promise<{ child: ChildProcess; url: string }> {
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
    const { stdout } = await promisify(execFile)(process.execPath, [cases, kind, url, String(experiments), dir]);
    return JSON.parse(stdout) as Measured;
  } finally {
    await rm(dir, { recursive: true });
  }
}

const kinds = {
  ceiling: "spool + SHA-256, bare read_json → COPY",
  export: "recount export, raw bodies not kept",
  raw: "recount export, raw bodies kept (gzip)",
  unknown: "recount export, two unknown fields in each element",
  odd: "recount export, one element that does not fit",
};

/**
 * An export of ratings against its baseline: the same body spooled with hashing and converted by a bare `read_json` → `COPY`.
 * `experiments` is the number of lists that share the ratings. RECOUNT_BENCH_LARGE=1 adds ten million.
 */
export async function benchExport(print: (text: string) => void): Promise<void> {
  const large = process.env.RECOUNT_BENCH_LARGE === "1";
  const plans: [number, number, (keyof typeof kinds)[]][] = [
    [100_000, 1, ["ceiling", "export", "raw", "unknown", "odd"]],
    [1_000_000, 1, ["ceiling", "export", "raw", "unknown", "odd"]],
    [50_000, 20, ["ceiling", "export"]],
    ...(large ? [[10_000_000, 1, ["ceiling", "export", "odd"]] as [number, number, (keyof typeof kinds)[]]] : []),
  ];
  const table = new Table({
    head: ["export: ratings × lists", "way", "MB", "s", "CPU s", "rows/s", "of the ceiling", "peak MB"],
    colAligns: ["right", "left", "right", "right", "right", "right", "right", "right"],
    style: { head: [] },
  });
  for (const [ratings, experiments, ways] of plans) {
    let ceiling = NaN;
    for (const kind of ways) {
      const { child, url } = await serveBody(ratings, kind);
      try {
        const { seconds, cpuSeconds, bytes, rows, peakMb } = await measure(kind, url, experiments);
        const rate = rows / seconds;
        if (kind === "ceiling") ceiling = rate;
        const share = (rate / ceiling).toFixed(2);
        table.push([
          `${ratings} × ${experiments}`,
          kinds[kind],
          Math.round(bytes / 1e6),
          seconds.toFixed(2),
          cpuSeconds.toFixed(2),
          Math.round(rate),
          share,
          Math.round(peakMb),
        ]);
      } finally {
        child.kill("SIGTERM");
      }
    }
  }
  print(table.toString());
}
