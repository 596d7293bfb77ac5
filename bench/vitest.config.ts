import { defineConfig } from "vitest/config";

const dist = new URL("../.bench/", import.meta.url).pathname;

/**
 * The benchmarks, one after the other, alone on the machine: `npm run bench`, one of them with `-- -t metrics`. They
 * measure compiled files, not the test runner's translation of the sources: `.bench` has the modules that a bundle hides.
 */
export default defineConfig({
  resolve: { alias: [{ find: /^(?:\.\.\/)+src\//, replacement: dist }] },
  test: {
    server: { deps: { external: [/\/\.bench\//] } },
    include: ["bench/all.bench.ts"],
    pool: "forks",
    maxWorkers: 1,
    testTimeout: 3_600_000,
    disableConsoleIntercept: true,
    reporters: ["dot"],
  },
});
