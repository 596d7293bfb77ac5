import { join } from "node:path";
import { expect, test } from "vitest";
import { readText } from "../../src/platform/files.js";

const root = join(import.meta.dirname, "..", "..");
const lines = async (path: string) => (await readText(join(root, path))).split("\n").filter((line) => line !== "");

/** Rows of the table of assumptions: statement, specified or assumed, behaviour, switch. */
async function rows(): Promise<string[][]> {
  const table = (await lines("docs/emulator.md")).filter((line) => /^\| .*\| (specified|assumed)[^|]*\|/.test(line));
  return table.map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

test("the table of assumptions covers everything that the interface does not show", async () => {
  const statements = (await rows()).map(([statement]) => statement);
  const open = (await lines("docs/service-api.md"))
    .filter((line) => line.includes("not shown"))
    .map((line) => line.replace(/^- /, ""));
  expect(open.length).toBeGreaterThan(30);
  expect(open.filter((line) => !statements.includes(line))).toEqual([]);
});

test("each assumption has a behaviour, and each switch exists", async () => {
  const source = await readText(join(root, "src/commands/serve.ts"));
  const options = await readText(join(root, "src/emulator/options.ts"));
  for (const cells of await rows()) {
    expect(cells).toHaveLength(4);
    for (const cell of cells) expect(cell, cells[0]).not.toBe("");
    for (const [, flag = ""] of (cells[3] ?? "").matchAll(/`--([a-z-]+)/g))
      expect(source).toMatch(new RegExp(`option\\("${flag}"`));
    for (const [, name = ""] of (cells[3] ?? "").matchAll(/^`([a-zA-Z]+)`$/g)) expect(options).toContain(`  ${name}?:`);
  }
});
