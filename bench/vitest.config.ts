import { defineConfig } from "vitest/config";

const dist = new URL("../dist/", import.meta.url).pathname;

/**
 * The benchmarks, one after the other, alone on the machine: `npm run bench`, one of them with `-- -t metrics`. They
 * measure the built files, as users run them, not the test runner's translation of the sources.
 */
export default defineConfig({
  resolve: { alias: [{ find: /^(?:\.\.\/)+src\//, replacement: dist }] },
  test: {
    server: { deps: { external: [/\/dist\//] } },
    include: ["bench/all.bench.ts"],
    pool: "forks",
    maxWorkers: 1,
    testTimeout: 3_600_000,
    disableConsoleIntercept: true,
    reporters: ["dot"],
  },
});
