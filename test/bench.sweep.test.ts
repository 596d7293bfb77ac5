import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test("every benchmark runs at a small size", async () => {
  const run = promisify(execFile);
  const env = { ...process.env, RECOUNT_BENCH_SMALL: "1", XDG_CACHE_HOME: "/dev/null" };
  await run("npx", ["tsc", "-p", "bench"]);
  const { stdout } = await run("npx", ["vitest", "run", "--config", "bench/vitest.config.ts"], {
    env,
  });
  for (const head of [
    "transform:",
    "audit:",
    "comparisons →",
    "metrics",
    "experiments:",
    "export:",
    "query -o",
    "report",
  ])
    expect(stdout).toContain(head);
  // Without the peers' packages their lines are empty, and the others are measured.
  expect(stdout).toMatch(/three kinds by query \/ the least possible\D+[\d.]+\D+[\d.]+\D+[\d.]+/);
});
