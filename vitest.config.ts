import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// Long tests run before a merge (`npm run test:all`), or where a file of theirs is named: all of what they have.
if (process.argv.some((word) => word.includes(".long"))) process.env.RECOUNT_TESTS ??= "all";
const isLong = process.env.RECOUNT_TESTS === "all";

/** Only a test that hangs ever reaches it: nothing depends on speed. Long tests take minutes. */
const timeout = isLong ? 1_800_000 : 300_000;

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // What starts browsers, kills processes, fills disks, rehearses nights or draws worlds.
    exclude: isLong ? [] : ["test/**/*.long.test.ts"],
    globalSetup: ["test/support/keep-folder.ts"],
    setupFiles: ["test/support/as-found.ts"],
    pool: "forks",
    // Few processes for all files: each loads the sources and the engine once. The long suite waits for processes, too.
    isolate: false,
    maxWorkers: isLong ? Math.max(3, Math.min(4, availableParallelism())) : 2,
    testTimeout: timeout,
    hookTimeout: timeout,
  },
});
