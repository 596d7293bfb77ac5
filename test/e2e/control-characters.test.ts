import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { reportFailure } from "../../src/commands/failure.js";
import { startEmulator, type RunningEmulator } from "../../src/emulator/index.js";
import { visible } from "../../src/platform/index.js";
import { recountHere } from "../support/in-process.js";
import { goldenDir } from "../support/golden-case.js";
import { httpServer } from "../support/raw-server.js";
import { everyNth } from "../support/whole.js";

/** A name that ends its line, forges one, colours it, clears the screen, ends a C1 string and reverses what follows. */
const hostile = "Tiny\nrecount: all is well\r\x1b[2J\x1b[32m\x07\x7f\x9b1m\u202e\u2066\u2028end";
// eslint-disable-next-line no-control-regex -- these are the characters that must not arrive
const control = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

const dir = mkdtempSync(join(tmpdir(), "recount-hostile-"));
const lake = join(dir, "lake");
let service: RunningEmulator;
let env: Record<string, string>;

beforeAll(async () => {
  const text = readFileSync(join(goldenDir, "tiny-pairwise.json"), "utf8");
  const named = (name: string) => JSON.stringify(`${name}${hostile}`);
  const file = join(dir, "case.json");
  writeFileSync(
    file,
    text.replace('"Tiny pairwise"', named("")).replaceAll('"stimulus":"A"', `"stimulus":${named("A")}`),
  );
  service = await startEmulator({ load: [file] });
  env = { RECOUNT_BASE_URL: service.url, RECOUNT_PROJECT_ID: service.projectId, RECOUNT_API_KEY: service.apiKey };
});
afterAll(async () => {
  await service.close();
  rmSync(dir, { recursive: true });
});

const pipeline = () => {
  const file = join(dir, "p.yaml");
  writeFileSync(file, "conventions: { elo: { k: 31 } }\nlake: other\n");
  return file;
};

const commandLines: [string, () => string[], number][] = [
  ["export", () => ["export", "--lake", lake, "-v"], 0],
  ["export with a JSON log", () => ["export", "--lake", lake, "--log-format", "json"], 0],
  ["run", () => ["run", pipeline(), "--lake", lake], 0],
  ["audit", () => ["audit", "--lake", lake, "--pipeline", pipeline()], 0],
  ["explain", () => ["explain", "exp1", "elo", "--lake", lake, "--pipeline", pipeline()], 0],
  ["explain of a name that does not exist", () => ["explain", hostile + "x", "elo", "--lake", lake], 4],
  ["query", () => ["query", "select name from experiments", "--lake", lake], 0],
  ["query with such a column", () => ["query", `select 1 as "${hostile}"`, "--lake", lake], 0],
  ["query that quotes it", () => ["query", `select "${hostile}" from ratings`, "--lake", lake], 4],
  ["call", () => ["call", "getExperiment", "-p", "experiment_id=exp1"], 0],
  ["diff", () => ["diff", "--lake", lake], 0],
];
it.each(everyNth("hostile", commandLines, 2, 1))(
  "%s shows a hostile name in its line, escaped",
  async (_, args, code) => {
    const outcome = await recountHere(args(), env);
    const { stdout, stderr } = outcome;
    expect(stdout + stderr).not.toMatch(control);
    expect((stdout + stderr).split("\n")).not.toContain("recount: all is well");
    expect(stderr.split("\n").filter((line) => line.startsWith("recount:"))).toHaveLength(code === 0 ? 0 : 1);
    expect(outcome.code).toBe(code);
  },
);

it("shows the escaped name itself, as JSON where the output is JSON", async () => {
  const { stdout } = await recountHere(["query", "select name from experiments", "--lake", lake]);
  expect(stdout).toContain("Tiny\\nrecount: all is well\\r\\u001b[2J\\u001b[32m\\u0007\\u007f\\u009b1m\\u202e\\u2066");
  const called = await recountHere(["call", "getExperiment", "-p", "experiment_id=exp1"], env);
  expect(JSON.parse(called.stdout)).toMatchObject({ name: hostile });
  const logged = await recountHere(["export", "--lake", lake, "--log-format", "json"], env);
  const messages = logged.stderr.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as object]));
  expect(JSON.stringify(messages)).toContain(JSON.stringify(hostile).slice(1, -1));
});

it("an error that the service sends is one line, escaped", async () => {
  const server = await httpServer((response) => {
    response.writeHead(401, { "content-type": "application/json" }).end(JSON.stringify({ detail: hostile }));
  });
  const { code, stderr } = await recountHere(["export", "--lake", join(dir, "none")], {
    ...env,
    RECOUNT_BASE_URL: server.url,
  });
  await server.close();
  expect(code).toBe(4);
  expect(stderr).not.toMatch(control);
  expect(stderr.trim().split("\n")).toHaveLength(1);
});

it("an internal error shows its message in one line, then its stack", () => {
  const lines: string[] = [];
  const write = vi.spyOn(process.stderr, "write").mockImplementation((line) => lines.push(String(line)) > 0);
  const code = reportFailure(new TypeError(hostile));
  write.mockRestore();
  expect(code).toBe(5);
  expect(lines[1]).toBe(`TypeError: ${visible(hostile)}\n`);
  expect(lines.length).toBeGreaterThan(3);
  for (const line of lines.slice(2)) expect(line).toMatch(/^ +at /);
});
