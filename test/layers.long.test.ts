import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { cruise, type ICruiseResult, type IFlattenedRuleSet } from "dependency-cruiser";
import { describe, expect, it } from "vitest";
import { root } from "./support/root.js";

const src = join(root, "src");
const config = ".dependency-cruiser.js";

async function violations(folder: string): Promise<string[]> {
  const { default: rules } = (await import(pathToFileURL(join(folder, config)).href)) as {
    default: IFlattenedRuleSet & { options: object };
  };
  const { output } = await cruise(["src"], {
    ...rules.options,
    ruleSet: rules,
    validate: true,
    baseDir: folder,
  });
  const { summary } = output as ICruiseResult;
  return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`).toSorted();
}

async function planted(files: Readonly<Record<string, string | null>>): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "recount-layers-"));
  try {
    cpSync(join(root, config), join(folder, config));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    for (const [path, imported] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, "src", path)), { recursive: true });
      const text =
        imported === null
          ? "export type T = 1;"
          : `import type { T } from "${imported}";\nexport type { T };`;
      writeFileSync(join(folder, "src", path), text);
    }
    return await violations(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const sources = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((path) =>
  path.endsWith(".ts"),
);

describe("imports", () => {
  it("keep to the layers and the indexes, without cycles", async () => {
    expect(await violations(root)).toEqual([]);
  });

  it("of a lower layer's index are allowed", async () => {
    expect(
      await planted({
        "audit/a.ts": "../lake/index.js",
        "lake/index.ts": "./b.js",
        "lake/b.ts": null,
      }),
    ).toEqual([]);
  });

  it.each([
    { from: "lake/a.ts", to: "audit/index.ts", rule: "layer-lake" },
    { from: "audit/a.ts", to: "emulator/index.ts", rule: "core-without-packs" },
    { from: "mcp/a.ts", to: "import/index.ts", rule: "pack-mcp" },
    { from: "platform/errors.ts", to: "contract/index.ts", rule: "layer-platform" },
    { from: "audit/a.ts", to: "cli.ts", rule: "layer-audit" },
    { from: "emulator/a.ts", to: "nowhere/b.ts", rule: "layer-of-import" },
    { from: "nowhere/b.ts", to: "platform/index.ts", rule: "folder-has-layer" },
    { from: "emulator/a.ts", to: "warehouse/index.ts", rule: "independent-emulator" },
    { from: "emulator/scoring/a.ts", to: "metrics/index.ts", rule: "independent-emulator" },
  ])("of $to by $from break $rule", async ({ from, to, rule }) => {
    const specifier = `${"../".repeat(from.split("/").length - 1)}${to.replace(".ts", ".js")}`;
    expect(await planted({ [from]: specifier, [to]: null })).toEqual([
      `${rule}: src/${from} → src/${to}`,
    ]);
  });

  it.each([
    { from: "commands/a.ts", to: "../extract/b.js", room: "extract" },
    { from: "commands/a.ts", to: "../extract/parse/b.js", room: "extract" },
    { from: "extract/a.ts", to: "./parse/b.js", room: "extract/parse" },
    { from: "extract/convert/a.ts", to: "../parse/b.js", room: "extract/parse" },
  ])("of $to by $from pass over the index of $room", async ({ from, to, room }) => {
    const target = join(dirname(from), to).replace(".js", ".ts");
    const broken = await planted({ [from]: to, [target]: null, [`${room}/index.ts`]: null });
    expect(broken).toEqual([`index-${room}: src/${from} → src/${target}`]);
  });

  it("of a pack by src/packs.ts are allowed, and so is what comes back to it", async () => {
    const circle = {
      "packs.ts": "./mcp/a.js",
      "mcp/a.ts": "../commands/index.js",
      "commands/index.ts": "../packs.js",
    };
    expect(await planted(circle)).toEqual([]);
  });

  it("of types in a circle are a cycle", async () => {
    const circle = { "extract/a.ts": "./b.js", "extract/b.ts": "./a.js" };
    expect(await planted(circle)).toContain("no-cycle: src/extract/a.ts → src/extract/b.ts");
  });

  it("of SQL text do not occur in the emulator", () => {
    const sql = /["'`/]sql\//;
    const emulator = sources.filter((path) => path.startsWith("emulator"));
    expect(emulator.length).toBeGreaterThan(20);
    expect(emulator.filter((path) => sql.test(readFileSync(join(src, path), "utf8")))).toEqual([]);
    expect(sql.test('readText("../../sql/metrics/metric_elo.sql")')).toBe(true);
  });
});
