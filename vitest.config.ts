import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// Long tests meet every change (`npm run test:long`), sweeps a release (`npm run test:sweeps`). Naming one runs it whole.
if (process.argv.includes(".long.test.ts")) process.env.RECOUNT_TESTS ??= "long";
if (process.argv.some((word) => /\w\.(long|sweep)\b/.test(word)))
  process.env.RECOUNT_TESTS ??= "all";
const isLong = ["long", "all"].includes(process.env.RECOUNT_TESTS ?? "");

/** Only a test that hangs ever reaches it: nothing depends on speed. Long tests take minutes. */
const timeout = isLong ? 1_800_000 : 300_000;

/** What takes minutes, so that it does not begin when all else is done. */
const longest = /\/(packs|crash|extending|bench|scenes|site|package)\.(long|sweep)\.test\.ts$/;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => Number(!longest.test(moduleId));
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // What starts browsers, kills processes, fills disks, rehearses nights or draws worlds.
    exclude: isLong ? [] : ["test/**/*.{long,sweep}.test.ts"],
    globalSetup: ["test/support/keep-folder.ts"],
    setupFiles: ["test/support/as-found.ts"],
    pool: "forks",
    // Few processes for all files: each loads the sources and the engine once. Long tests wait for others.
    isolate: false,
    // What Vite makes of a file is made once, for every run until the file changes.
    experimental: { fsModuleCache: true, fsModuleCachePath: "node_modules/.vitest-cache" },
    maxWorkers: isLong ? Math.max(3, Math.min(4, availableParallelism())) : 2,
    sequence: { sequencer: LongestFirst },
    testTimeout: timeout,
    hookTimeout: timeout,
  },
});
