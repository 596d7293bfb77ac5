import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { describe, expect, it } from "vitest";

const src = resolve(import.meta.dirname, "../src");

/** docs/design.md, "Floors". */
const floors: Record<string, number> = {
  commands: 7,
  pipeline: 6,
  report: 5,
  extract: 4,
  audit: 4,
  emulator: 4,
  lake: 3,
  warehouse: 3,
  client: 2,
  metrics: 2,
  contract: 1,
  platform: 0,
};

interface Import {
  from: string;
  to: string;
}

const folderOf = (path: string) => {
  const [first, ...rest] = path.split(sep);
  return rest.length === 0 ? "." : (first ?? ".");
};

const floorOf = (path: string) => (path === "cli.ts" ? 7 : floors[folderOf(path)]);

function offence({ from, to }: Import): string | undefined {
  const a = floorOf(from);
  const b = floorOf(to);
  if (a === undefined || b === undefined) return `${from} or ${to} stands on no floor`;
  if (folderOf(from) === folderOf(to) || from === "cli.ts") return undefined;
  if (b < a) return undefined;
  return `${from} (floor ${a}) imports ${to} (floor ${b})`;
}

const sources = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));

function importsOf(path: string): Import[] {
  const text = readFileSync(join(src, path), "utf8");
  const specifiers = text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g);
  return [...specifiers].map(([, specifier = ""]) => ({
    from: path,
    to: relative(src, resolve(src, dirname(path), specifier)).replace(/\.js$/, ".ts"),
  }));
}

describe("floors", () => {
  it("reads the imports of every source file", () => {
    expect(sources.length).toBeGreaterThan(20);
    expect(sources.flatMap(importsOf).length).toBeGreaterThan(40);
  });

  it("lets a file import only lower floors or its own folder", () => {
    expect(sources.flatMap(importsOf).map(offence).filter(Boolean)).toEqual([]);
  });

  it.each([
    { from: "lake/a.ts", to: "audit/b.ts" },
    { from: "audit/a.ts", to: "emulator/b.ts" },
    { from: "platform/errors.ts", to: "contract/b.ts" },
    { from: "emulator/a.ts", to: "nowhere/b.ts" },
  ])("refuses $from importing $to", (planted) => {
    expect(offence(planted)).toBeDefined();
  });

  it("keeps the local service apart from the metrics, the warehouse and the SQL", () => {
    const forbidden = /(?:src|\.\.)\/(?:metrics|warehouse)\/|["'`/]sql\//;
    const service = sources.filter((path) => folderOf(path) === "emulator");
    const offenders = service.filter((path) => forbidden.test(readFileSync(join(src, path), "utf8")));
    expect(offenders).toEqual([]);
    expect(forbidden.test('import { x } from "../metrics/elo.js";')).toBe(true);
    expect(forbidden.test('readText("../../sql/metrics/metric_elo.sql")')).toBe(true);
  });
});

describe("file sizes", () => {
  const lines = (path: string) => readFileSync(path, "utf8").split("\n").length;

  it("keeps every source file at 300 lines or fewer, unless it gives a reason", () => {
    const long = sources.filter((path) => {
      const text = readFileSync(join(src, path), "utf8");
      return text.split("\n").length > 300 && !text.includes("Long because");
    });
    expect(long).toEqual([]);
  });

  it("keeps every SQL file under 60 lines, with its header of four lines", () => {
    const sql = resolve(src, "../sql");
    const files = readdirSync(sql, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".sql"));
    expect(files.length).toBeGreaterThan(15);
    expect(files.filter((path) => lines(join(sql, path)) > 60)).toEqual([]);
    const header = /^(-- (?:kernel|stored): .+\n)*(-- (grain|inputs|units|nulls): .+\n(-- {2,}.+\n)*){4}/;
    expect(files.filter((path) => !header.test(readFileSync(join(sql, path), "utf8")))).toEqual([]);
  });
});
