import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { expectEscaped, hostileName, hostileProject } from "../support/hostile/names.js";

const { recount, path } = await hostileProject();
const lake = path("lake");

const pipeline = () => {
  const file = path("p.yaml");
  writeFileSync(file, "conventions: { elo: { k: 31 } }\nlake: other\n");
  return file;
};

const commandLines: [string, () => string[], number][] = [
  ["export", () => ["export", "--lake", lake, "-v"], 0],
  ["export with a JSON log", () => ["export", "--lake", lake, "--log-format", "json"], 0],
  ["run", () => ["run", pipeline(), "--lake", lake], 0],
  ["audit", () => ["audit", "--lake", lake, "--pipeline", pipeline()], 0],
  ["explain", () => ["explain", "exp1", "elo", "--lake", lake, "--pipeline", pipeline()], 0],
  ["explain of a name that does not exist", () => ["explain", hostileName + "x", "elo", "--lake", lake], 4],
  ["query", () => ["query", "select name from experiments", "--lake", lake], 0],
  ["query with such a column", () => ["query", `select 1 as "${hostileName}"`, "--lake", lake], 0],
  ["query that quotes it", () => ["query", `select "${hostileName}" from ratings`, "--lake", lake], 4],
  ["call", () => ["call", "getExperiment", "-p", "experiment_id=exp1"], 0],
  ["diff", () => ["diff", "--lake", lake], 0],
];
it.each(commandLines)("%s shows a hostile name in its line, escaped", async (_, args, code) => {
  expectEscaped(await recount(args()), code);
});

it("shows the escaped name itself, as JSON where the output is JSON", async () => {
  const { stdout } = await recount(["query", "select name from experiments", "--lake", lake]);
  expect(stdout).toContain("Tiny\\nrecount: all is well\\r\\u001b[2J\\u001b[32m\\u0007\\u007f\\u009b1m\\u202e\\u2066");
  const called = await recount(["call", "getExperiment", "-p", "experiment_id=exp1"]);
  expect(JSON.parse(called.stdout)).toMatchObject({ name: hostileName });
  const logged = await recount(["export", "--lake", lake, "--log-format", "json"]);
  const messages = logged.stderr.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as object]));
  expect(JSON.stringify(messages)).toContain(JSON.stringify(hostileName).slice(1, -1));
});
