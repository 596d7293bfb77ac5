import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const read = (path: string) => readFileSync(join(import.meta.dirname, "..", path), "utf8");

/** Rows of docs/records/promises.md whose test does not exist. */
function missing(table: string): string[] {
  const rows = [...table.matchAll(/^\| (.+?) \| `(test\/[^`]+)` \| (.+?) \|$/gm)];
  return rows.flatMap(([, promise = "", file = "", title = ""]) => {
    const titles = [...read(file).matchAll(/(?:\bit|\btest|\))\(\s*"([^"\n]+)"/g)].map(([, text = ""]) => text);
    return titles.some((one) => one.includes(title)) ? [] : [promise];
  });
}

const table = read("docs/records/promises.md");

it("names an existing test for every promise", () => {
  expect(table.match(/^\| .+ \| `test\//gm)?.length).toBeGreaterThan(25);
  expect(missing(table)).toEqual([]);
});

it("detects a promise without a test", () => {
  expect(missing("| Nothing fails | `test/client/retry.test.ts` | a test that nobody wrote |")).toEqual([
    "Nothing fails",
  ]);
});
