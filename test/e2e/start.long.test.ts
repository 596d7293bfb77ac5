import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { recount } from "../support/command-line.js";
import { folderOfTests } from "../support/folder.js";
import { goldenLake } from "../support/kept.js";

const preload = pathToFileURL(join(import.meta.dirname, "../support/loaded-packages.mjs")).href;

async function loadedBy(line: string): Promise<string[]> {
  const { stderr } = await recount(line.split(" "), { NODE_OPTIONS: `--import=${preload}` });
  return [...new Set([...stderr.matchAll(/^LOADED (.*)$/gm)].map(([, name = ""]) => name))];
}

const heavy = ["@duckdb/node-bindings", "croner", "fastify", "undici"];

it.each(["--help", "openapi", "serve --help", "schedule --help", "export --help", "audit --help"])(
  "recount %s loads neither the engine nor a server or client",
  async (line) => {
    const loaded = await loadedBy(line);
    expect(loaded).toContain("yargs");
    expect(loaded.filter((name) => heavy.includes(name))).toEqual([]);
  },
);

it.each(["status --lake nowhere", "snapshots list --lake nowhere --project p"])(
  "recount %s loads no engine",
  async (line) => {
    expect((await loadedBy(line)).filter((name) => heavy.includes(name))).toEqual([]);
  },
);

it("prints the version without loading a package", async () => {
  expect(await loadedBy("--version")).toEqual([]);
});

const folder = folderOfTests("recount-start");

it("imports without a compiler of schemas and without a client", async () => {
  writeFileSync(join(folder, "d.csv"), "rater,item,score\nann,A,4\n");
  const mapping = join(folder, "m.yaml");
  writeFileSync(mapping, "study: { id: s }\npreset: long\nfiles: { scores: d.csv }\n");
  const loaded = await loadedBy(`import ${mapping} --lake ${folder}/lake`);
  expect(loaded).toContain("yargs");
  expect(loaded.filter((name) => ["ajv", "undici"].includes(name))).toEqual([]);
});

it("detects what a command loads", async () => {
  const lake = await goldenLake("tiny-pairwise");
  expect(await loadedBy(`verify --lake ${lake}`)).toContain("@duckdb/node-bindings");
  expect(await loadedBy("serve --load nowhere.json")).toContain("fastify");
});
