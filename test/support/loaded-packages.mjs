import Module from "node:module";

/** Preloaded by test/e2e/start.test.ts: prints the packages that the process loaded, when it ends. */
process.on("exit", () => {
  const names = Object.keys(Module._cache).map((file) => /node_modules.((?:@[^/\\]+.)?[^/\\]+)/.exec(file)?.[1]);
  process.stderr.write(`LOADED ${[...new Set(names)].join(" ")}\n`);
});
