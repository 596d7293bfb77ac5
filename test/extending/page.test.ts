import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pagePath, patched, projectRoot, readRecipes, recipesIn } from "../support/extension.js";

const page = readFileSync(join(projectRoot, pagePath), "utf8");
const recipes = readRecipes().filter(({ steps }) => steps.length > 0);
const isThere = (path: string) => existsSync(join(projectRoot, path));

describe("docs/how-to/extending.md", () => {
  it("adds each of the six", () => {
    expect(recipes.map(({ title }) => title)).toEqual([
      "A check",
      "A metric kind",
      "An operation",
      "A hypothesis",
      "An output format",
      "A fault",
    ]);
  });

  it("names only files that exist or that it adds", () => {
    const added = new Set(
      recipes.flatMap(({ steps }) => steps.flatMap((step) => (step.isPatch ? [] : [step.file]))),
    );
    const named = [...page.matchAll(/`((?:src|sql|docs|test)\/[^`\s]+)`/g)].map(
      ([, path = ""]) => path,
    );
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((path) => !added.has(path) && !isThere(path))).toEqual([]);
    expect([...added].filter(isThere)).toEqual([]);
  });

  it.each(recipes)("$title: the patches fit the files", ({ steps }) => {
    const texts = new Map<string, string>();
    for (const step of steps.filter(({ isPatch }) => isPatch)) {
      const before = texts.get(step.file) ?? readFileSync(join(projectRoot, step.file), "utf8");
      const after = patched(before, step);
      expect(after).not.toBe(before);
      texts.set(step.file, after);
    }
  });

  it.each(recipes)("$title: the first table counts its source files", ({ title, steps }) => {
    const anchor = title.toLowerCase().replaceAll(" ", "-");
    const [, stated = ""] = new RegExp(`\\(#${anchor}\\)[^|]*\\| ([^|]+) \\|`).exec(page) ?? [];
    const sources = new Set(
      steps.map(({ file }) => file).filter((file) => /^(?:src|sql)\//.test(file)),
    );
    expect(Math.max(...stated.split(" or ").map(Number))).toBe(sources.size);
    expect(sources.size).toBeLessThanOrEqual({ "A metric kind": 4, "An operation": 3 }[title] ?? 2);
  });

  it("is read block by block, and a patch that does not fit is an error", () => {
    const step = { file: "a.ts", isPatch: true, text: " one\n+two\n" };
    expect(recipesIn("# X\n\n## T\n\n`a.ts`:\n\n```diff\n one\n+two\n```\n")).toEqual([
      { title: "T", steps: [step] },
    ]);
    expect(patched("zero\none\nthree\n", step)).toBe("zero\none\ntwo\nthree\n");
    expect(() => patched("zero\n", step)).toThrow(
      "docs/how-to/extending.md: these lines occur nowhere in a.ts:\none",
    );
    expect(() => patched("one\none\n", step)).toThrow("these lines occur twice in a.ts");
  });
});
