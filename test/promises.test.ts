import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { plant, promises, promisesPage, titleWith } from "./support/promises.js";
import { read, root } from "./support/root.js";

describe("the promises", () => {
  it("each name one test that exists, and one that is missing is noticed", () => {
    expect(promises.filter(({ title }) => title === undefined)).toEqual([]);
    const file = "test/client/retry.test.ts";
    expect(titleWith(file, "a test that nobody wrote")).toBeUndefined();
  });

  it("are each made once, and broken by a fault that changes one place of the sources", () => {
    expect(new Set(promises.map(({ promise }) => promise)).size).toBe(promises.length);
    expect(promises.filter(({ faults }) => faults.length === 0)).toEqual([]);
    for (const fault of promises.flatMap(({ faults }) => faults)) plant(fault);
    const planted = { file: "src/index.ts", find: "no such text", replace: "" };
    expect(() => plant(planted)).toThrow("exactly once: no such text");
  });
});

describe("what `npm test` samples", () => {
  function importersOf(wanted: string): Set<string> {
    const paths = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" });
    const imports = paths
      .filter((path) => path.endsWith(".ts"))
      .map((path) => {
        const relative = [
          ...read(join("test", path)).matchAll(/(?:from|import\() ?"(\.[^"]+)\.js"/g),
        ];
        return [
          join("test", path),
          relative.map(([, to = ""]) => `${join("test", path, "..", to)}.ts`),
        ] as const;
      });
    const found = new Set([wanted]);
    for (let before = 0; before < found.size;) {
      before = found.size;
      for (const [path, imported] of imports)
        if (imported.some((one) => found.has(one))) found.add(path);
    }
    return found;
  }

  it("is listed in docs/records/promises.md, which is made of the promises (`npm run docs`)", async () => {
    const samplers = importersOf("test/support/whole.ts");
    const files = new Set(promises.map(({ file }) => file));
    const sampled = [...files].filter((file) => !file.includes(".sweep.") && samplers.has(file));
    await expect(promisesPage(sampled.sort())).toMatchFileSnapshot("../docs/records/promises.md");
  });
});
