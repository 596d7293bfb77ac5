import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  plant,
  plantedFaults,
  type Promised,
  promisesIn,
  promisesTable,
} from "./support/promises.js";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** Rows of docs/records/promises.md whose test does not exist. */
const missing = (rows: Promised[]): string[] =>
  rows
    .filter(({ file, title }) => {
      const titles = [...read(file).matchAll(/(?:\bit|\btest|\))\(\s*"([^"\n]+)"/g)].map(
        ([, text = ""]) => text,
      );
      return !titles.some((one) => one.includes(title));
    })
    .map(({ promise }) => promise);

const table = promisesTable();
const rows = promisesIn(table);

describe("the table", () => {
  it("names an existing test for every promise", () => {
    expect(table.match(/^\| .+ \| `test\//gm)?.length).toBeGreaterThan(25);
    expect(missing(rows)).toEqual([]);
  });

  it("detects a promise without a test", () => {
    const row = "| Nothing fails | `test/client/retry.test.ts` | a test that nobody wrote |";
    expect(missing(promisesIn(row))).toEqual(["Nothing fails"]);
  });

  it("promises nothing twice, and nothing below what is not promised", () => {
    expect(rows.length - new Set(rows.map(({ promise }) => promise)).size).toBe(0);
    expect(promisesIn(table.slice(table.indexOf("\n## Not promised")))).toEqual([]);
  });
});

describe("the planted faults", () => {
  const faults = plantedFaults();

  it("are at least one for every promise, and for nothing else", () => {
    expect([...new Set(faults.map(({ promise }) => promise))].sort()).toEqual(
      rows.map(({ promise }) => promise).sort(),
    );
  });

  it("each change one place of the sources", () => {
    expect(faults.flatMap(complaint)).toEqual([]);
  });

  it("are refused if the text that they change is not there", () => {
    const fault = {
      promise: "Nothing fails",
      file: "src/index.ts",
      find: "no such text",
      replace: "",
    };
    expect(() => plant(fault)).toThrow('the fault of "Nothing fails"');
  });

  function complaint(fault: ReturnType<typeof plantedFaults>[number]): string[] {
    try {
      plant(fault);
      return [];
    } catch (error) {
      return [(error as Error).message];
    }
  }
});

describe("what `npm test` samples", () => {
  /** Files of tests that import this one, or something that does. */
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

  it("is listed in the page", () => {
    const files = [...new Set(rows.map(({ file }) => file))].filter(
      (file) => !file.includes(".sweep."),
    );
    const samplers = importersOf("test/support/whole.ts");
    const list = table.slice(
      table.indexOf("\n## What `npm test` samples"),
      table.indexOf("\n## Not promised"),
    );
    expect([...list.matchAll(/^- `(.+)`$/gm)].map(([, file]) => file)).toEqual(
      files.filter((file) => samplers.has(file)).sort(),
    );
  });
});
