import { defineConfig } from "vitest/config";

/** The benchmarks, one after the other, alone on the machine: `npm run bench`, one of them with `-- -t metrics`. */
export default defineConfig({
  test: {
    include: ["bench/all.bench.ts"],
    pool: "forks",
    maxWorkers: 1,
    testTimeout: 3_600_000,
    disableConsoleIntercept: true,
    reporters: ["dot"],
  },
});
