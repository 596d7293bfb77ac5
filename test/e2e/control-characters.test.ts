import { writeFileSync } from "node:fs";
import { expect, it, vi } from "vitest";
import { reportFailure } from "../../src/commands/failure.js";
import { visible } from "../../src/platform/index.js";
import { control, expectEscaped, hostileName, hostileProject } from "../support/hostile/names.js";
import { httpServer } from "../support/raw-server.js";
import { isWhole } from "../support/whole.js";

const { recount, path } = await hostileProject();
const lake = path("lake");

const pipeline = path("p.yaml");
writeFileSync(pipeline, "conventions: { elo: { k: 31 } }\nlake: other\n");

const commandLines: readonly [string, string[], number][] = [
  ["export", ["export", "--lake", lake, "-v"], 0],
  ["query", ["query", "select name from experiments", "--lake", lake], 0],
  ["query that quotes it", ["query", `select "${hostileName}" from ratings`, "--lake", lake], 4],
  ["call", ["call", "getExperiment", "-p", "experiment_id=exp1"], 0],
];
const slowOnes: typeof commandLines = [
  ["export with a JSON log", ["export", "--lake", lake, "--log-format", "json"], 0],
  ["run", ["run", pipeline, "--lake", lake], 0],
  ["audit", ["audit", "--lake", lake, "--pipeline", pipeline], 0],
  ["explain", ["explain", "exp1", "elo", "--lake", lake, "--pipeline", pipeline], 0],
  ["explain of a name that does not exist", ["explain", hostileName + "x", "elo", "--lake", lake], 4],
  ["query with such a column", ["query", `select 1 as "${hostileName}"`, "--lake", lake], 0],
  ["diff", ["diff", "--lake", lake], 0],
];
it.each(isWhole ? [...commandLines, ...slowOnes] : commandLines)(
  "%s shows a hostile name in its line, escaped",
  async (_, args, code) => {
    expectEscaped(await recount(args), code);
  },
);

it.runIf(isWhole)("shows the escaped name itself, as JSON where the output is JSON", async () => {
  const { stdout } = await recount(["query", "select name from experiments", "--lake", lake]);
  expect(stdout).toContain("Tiny\\nrecount: all is well\\r\\u001b[2J\\u001b[32m\\u0007\\u007f\\u009b1m\\u202e\\u2066");
  const called = await recount(["call", "getExperiment", "-p", "experiment_id=exp1"]);
  expect(JSON.parse(called.stdout)).toMatchObject({ name: hostileName });
  const logged = await recount(["export", "--lake", lake, "--log-format", "json"]);
  const messages = logged.stderr.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as object]));
  expect(JSON.stringify(messages)).toContain(JSON.stringify(hostileName).slice(1, -1));
});

it("an error that the service sends is one line, escaped", async () => {
  const server = await httpServer((response) => {
    response.writeHead(401, { "content-type": "application/json" }).end(JSON.stringify({ detail: hostileName }));
  });
  const { code, stderr } = await recount(["export", "--lake", path("none")], { RECOUNT_BASE_URL: server.url });
  await server.close();
  expect(code).toBe(4);
  expect(stderr).not.toMatch(control);
  expect(stderr.trim().split("\n")).toHaveLength(1);
});

it("an internal error shows its message in one line, then its stack", () => {
  const lines: string[] = [];
  const write = vi.spyOn(process.stderr, "write").mockImplementation((line) => lines.push(String(line)) > 0);
  const code = reportFailure(new TypeError(hostileName));
  write.mockRestore();
  expect(code).toBe(5);
  expect(lines[1]).toBe(`TypeError: ${visible(hostileName)}\n`);
  expect(lines.length).toBeGreaterThan(3);
  for (const line of lines.slice(2)) expect(line).toMatch(/^ +at /);
});
