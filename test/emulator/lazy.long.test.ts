import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");

/** The CommonJS packages that a script loads; fastify is one. */
function loadedBy(file: string, ...args: string[]): string[] {
  const script = `
    import { createRequire } from "node:module";
    import { writeSync } from "node:fs";
    const { cache } = createRequire(import.meta.url);
    process.on("exit", () => writeSync(2, JSON.stringify(Object.keys(cache))));
    process.argv = [process.execPath, ...${JSON.stringify([join(root, file), ...args])}];
    await import(${JSON.stringify(pathToFileURL(join(root, file)).href)});`;
  const command = `"${process.execPath}" --input-type=module 2>&1 >/dev/null`;
  const output = execFileSync("sh", ["-c", command], { input: script, encoding: "utf8" });
  const names = JSON.parse(output.slice(output.lastIndexOf('["'))) as string[];
  return [...new Set(names.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []))];
}

const isFastify = (name: string): boolean => name.startsWith("fastify") || name.startsWith("@fastify/");

test.each(["export --help", "openapi"])("recount %s does not load fastify", (line) => {
  expect(loadedBy("bin/recount.js", ...line.split(" ")).filter(isFastify)).toEqual([]);
});

test("the emulator itself loads fastify, so the check above can see it", () => {
  expect(loadedBy("dist/emulator/index.js").filter(isFastify)).toContain("fastify");
});

test("no chain of static imports leads from the command line to the emulator", () => {
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path) || !existsSync(path)) return;
    seen.add(path);
    const text = readFileSync(path, "utf8");
    for (const [, specifier = ""] of text.matchAll(/^(?:import|export) (?!type )[^;]*?from "(\.[^"]+)";/gm))
      visit(resolve(dirname(path), specifier).replace(/\.js$/, ".ts"));
  };
  visit(join(root, "src/cli.ts"));
  expect(seen.size).toBeGreaterThan(20);
  expect([...seen].filter((path) => path.includes("/src/emulator/"))).toEqual([]);
});
