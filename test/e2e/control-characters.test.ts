import { expect, it, vi } from "vitest";
import { reportFailure } from "../../src/commands/failure.js";
import { visible } from "../../src/platform/index.js";
import { control, expectEscaped, hostileName, hostileProject } from "../support/hostile/names.js";
import { httpServer } from "../support/raw-server.js";

const { recount, path } = await hostileProject();
const lake = path("lake");

it.each<[string, string[], number]>([
  ["export", ["export", "--lake", lake, "-v"], 0],
  ["query", ["query", "select name from experiments", "--lake", lake], 0],
  ["query that quotes it", ["query", `select "${hostileName}" from ratings`, "--lake", lake], 4],
  ["call", ["call", "getExperiment", "-p", "experiment_id=exp1"], 0],
])("%s shows a hostile name in its line, escaped", async (_, args, code) => {
  expectEscaped(await recount(args), code);
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
