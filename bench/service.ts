import { spawn, type ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import Table from "cli-table3";
import { request } from "undici";

const cli = join(import.meta.dirname, "..", "bin", "recount.js");

async function serve(ratings: number): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [cli, "serve", "--no-sample", "--ratings", String(ratings)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  for await (const piece of child.stdout as AsyncIterable<Buffer>) {
    text += piece.toString();
    const url = /RECOUNT_BASE_URL=(\S+)/.exec(text)?.[1];
    if (url !== undefined) return { child, url };
  }
  throw new Error("the service did not start");
}

/** Peak resident memory of a process in MB, if /proc has it. */
async function peakMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? NaN) / 1024);
}

async function read(url: string): Promise<{ bytes: number; seconds: number }> {
  const start = performance.now();
  const { body } = await request(url, { headers: { authorization: "Api-Key sampleBilling" } });
  let bytes = 0;
  for await (const piece of body as AsyncIterable<Buffer>) bytes += piece.length;
  return { bytes, seconds: (performance.now() - start) / 1000 };
}

/** Measures the speed and memory of sending a list of ratings from the emulator over loopback. Median of three. */
export async function benchService(
  print: (text: string) => void,
  sizes: readonly number[] = [100_000, 1_000_000, 5_000_000],
): Promise<void> {
  const table = new Table({
    head: ["service: ratings", "MB", "s", "MB/s", "peak MB"],
    colAligns: ["right", "right", "right", "right", "right"],
    style: { head: [] },
  });
  for (const ratings of sizes) {
    const { child, url } = await serve(ratings);
    const at = `${url}/projects/Listen42/experiments/Synthetic/ratings/?training=true`;
    const runs = [await read(at), await read(at), await read(at)].sort((a, b) => a.seconds - b.seconds);
    const { bytes, seconds } = runs[1] ?? { bytes: 0, seconds: NaN };
    table.push([
      ratings,
      Math.round(bytes / 1e6),
      seconds.toFixed(2),
      Math.round(bytes / 1e6 / seconds),
      await peakMb(child.pid ?? 0),
    ]);
    child.kill("SIGTERM");
  }
  print(table.toString());
}
