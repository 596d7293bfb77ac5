import { defineConfig } from "vitest/config";

/** Only a test that hangs ever reaches it: nothing depends on speed. Suites that run completely have tests of minutes. */
const timeout = process.env.RECOUNT_TESTS === undefined ? 300_000 : 1_800_000;

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // What starts browsers, kills processes, fills disks, rehearses nights or draws worlds: `npm run test:all`, before a merge.
    exclude: process.env.RECOUNT_TESTS === undefined ? ["test/**/*.long.test.ts"] : [],
    setupFiles: ["test/support/as-found.ts"],
    pool: "forks",
    // Two processes for all files: loading the engine anew for each file took a fifth of the suite's time.
    isolate: false,
    testTimeout: timeout,
    hookTimeout: timeout,
    // One more than cores: tests that start processes wait for them.
    maxWorkers: 3,
  },
});
