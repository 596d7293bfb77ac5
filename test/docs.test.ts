import { existsSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { commandNames } from "../src/commands/main.js";
import { exitCodes } from "../src/platform/errors.js";
import { lakeTables } from "../src/contract/index.js";
import { pipelineSchema } from "../src/pipeline/schema.js";
import { describeCommandLine, describeCommands } from "./support/describe-commands.js";
import { read, root } from "./support/root.js";

const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

const linksOf = (text: string) =>
  [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !target.includes("://"));

describe("the documentation", () => {
  it.each(pages)("%s has no broken links", (page) => {
    const broken = linksOf(read(page)).filter(
      (target) => !existsSync(resolve(root, dirname(page), target)),
    );
    expect(broken).toEqual([]);
  });

  it("has links, and a broken one would be detected", () => {
    expect(pages.flatMap((page) => linksOf(read(page))).length).toBeGreaterThan(15);
    expect(linksOf("see [x](no-such.md) and [y](https://example.org)")).toEqual(["no-such.md"]);
  });

  it("has at most 24,000 words to read, in lines of at most 120 characters", () => {
    const generated = /(?:cli|data-dictionary|models)\.md$/;
    const prose = (page: string) => read(page).replaceAll(/^```[^]*?^```$/gm, "");
    const long = pages
      .filter((page) => !generated.test(page))
      .flatMap((page) => prose(page).split("\n"))
      .filter((line) => !/^(?:\||!?\[!?\[)/.test(line) && line.length > 120);
    expect(long).toEqual([]);
    const reading = pages.filter((page) => /^docs\/(?:tutorials|how-to|explanation)\//.test(page));
    expect(reading.flatMap((page) => read(page).split(/\s+/)).length).toBeLessThan(24_000);
  });

  it("gives a reason for each dependency", () => {
    const names = ["package.json", "site/package.json"].flatMap((file) => {
      const { dependencies, devDependencies } = JSON.parse(read(file)) as Record<string, object>;
      return Object.keys({ ...dependencies, ...devDependencies });
    });
    const text = read("docs/reference/dependencies.md");
    const short = (name: string) =>
      name.replace("@stdlib/stats-base-dists", "").replace(/^@types\/.*/, "@types/*");
    const missing = names.filter(
      (name) => !text.includes(`\`${name}\``) && !text.includes(`\`${short(name)}\``),
    );
    expect(missing).toEqual([]);
  });

  it("is right that the package brings everything but the engine and the types of the library, in exact versions", () => {
    const { dependencies, devDependencies } = JSON.parse(read("package.json")) as Record<
      string,
      Record<string, string>
    >;
    expect(Object.keys(dependencies ?? {})).toEqual([
      "@duckdb/node-api",
      "@duckdb/node-bindings",
      "typebox",
    ]);
    for (const version of Object.values(dependencies ?? {})) expect(version).toMatch(/^\d/);
    expect(Object.keys(devDependencies ?? {})).toContain("fastify");
  });

  it("lists every exit code", () => {
    const text = read("docs/reference/exit-codes.md");
    expect(Object.values(exitCodes).filter((code) => !text.includes(`| ${code} |`))).toEqual([]);
  });

  it("lists every table of the lake and every key of a pipeline file", () => {
    const lake = read("docs/reference/lake.md");
    expect(Object.keys(lakeTables).filter((table) => !lake.includes(`\`${table}\``))).toEqual([]);
    const pipelines = read("docs/reference/pipelines.md");
    expect(
      Object.keys(pipelineSchema.properties).filter((key) => !pipelines.includes(`\`${key}`)),
    ).toEqual([]);
  });

  it("names only commands that exist", () => {
    const named = new Set(
      [...read("README.md").matchAll(/`recount ([a-z]+)/g)].map(([, name = ""]) => name),
    );
    expect(named.size).toBeGreaterThan(8);
    expect([...named].filter((name) => !commandNames.some((known) => known === name))).toEqual([]);
  });
});

describe("docs/reference/cli.md", async () => {
  const described = await describeCommands();

  it("is generated from the commands (`npm run docs` updates it)", async () => {
    await expect(describeCommandLine(described)).toMatchFileSnapshot("../docs/reference/cli.md");
  });

  it("lists every environment variable that the commands read, and every exit code", () => {
    const page = read("docs/reference/cli.md");
    const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" });
    const texts = sources.filter((file) => file.endsWith(".ts")).map((file) => read(`src/${file}`));
    const named = texts.flatMap((text) => [
      ...[...text.matchAll(/\benv\.([A-Z][A-Z0-9_]+)/g)].map(([, name = ""]) => name),
      ...[...text.matchAll(/\{([^{}]*)\} = process\.env/g)].flatMap(
        ([, names = ""]) => names.match(/[A-Z_]{5,}/g) ?? [],
      ),
    ]);
    expect(new Set(named).size).toBeGreaterThan(8);
    expect(named.filter((name) => !page.includes(`| \`${name}\` |`))).toEqual([]);
    expect(Object.values(exitCodes).filter((code) => !page.includes(`| ${code} |`))).toEqual([]);
  });

  it("has an example of every command, with flags that exist", () => {
    for (const { name, flags, examples } of described) {
      const known = new Set(flags.flatMap((flag) => [`--${flag.name}`, `-${flag.letter ?? ""}`]));
      const used = examples.flatMap(
        ([line]) => line.replaceAll(/"[^"]*"/g, "").match(/(?<= )--?[a-z][a-z-]*/g) ?? [],
      );
      expect({ name, unknown: used.filter((flag) => !known.has(flag)) }).toEqual({
        name,
        unknown: [],
      });
      expect(examples.length, name).toBeGreaterThan(0);
    }
  });
});
