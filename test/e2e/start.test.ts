import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { recount } from "../support/command-line.js";

const preload = pathToFileURL(join(import.meta.dirname, "../support/loaded-packages.mjs")).href;

async function loadedBy(args: readonly string[]): Promise<string[]> {
  const { stderr } = await recount(args, { NODE_OPTIONS: `--import=${preload}` });
  return (/^LOADED (.*)$/m.exec(stderr)?.[1] ?? "nothing").split(" ");
}

const heavy = ["@duckdb/node-api", "croner", "fastify", "undici"];

it.each(["--help", "openapi", "serve --help", "schedule --help", "export --help", "audit --help"])(
  "recount %s loads neither the engine nor a server or client",
  async (command) => {
    const loaded = await loadedBy(command.split(" "));
    expect(loaded).toContain("get-caller-file");
    expect(loaded.filter((name) => heavy.includes(name))).toEqual([]);
  },
);

it.each([
  ["status --lake nowhere", 4],
  ["snapshots list --lake nowhere --project p", 4],
])("recount %s loads no engine", async (command) => {
  const loaded = await loadedBy(command.split(" "));
  expect(loaded.filter((name) => heavy.includes(name))).toEqual([]);
});

it("detects the engine in a command that needs it", async () => {
  expect(await loadedBy(["transform", "--lake", "nowhere", "--project", "p"])).toContain("@duckdb/node-api");
});
