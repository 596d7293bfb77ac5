import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    pool: "forks",
    // Two processes for all files: loading the engine anew for each file took a fifth of the suite's time.
    isolate: false,
    // Only a test that hangs ever reaches them: nothing depends on speed.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // One more than cores: tests that start processes wait for them.
    maxWorkers: 3,
  },
});
