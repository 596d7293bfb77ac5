import { writeFileSync } from "node:fs";
import { it } from "vitest";
import { expectEscaped, hostileName, hostileProject } from "../support/hostile/names.js";
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
  [
    "explain of a name that does not exist",
    ["explain", hostileName + "x", "elo", "--lake", lake],
    4,
  ],
  ["query with such a column", ["query", `select 1 as "${hostileName}"`, "--lake", lake], 0],
  ["diff", ["diff", "--lake", lake], 0],
];
it.each(isWhole ? [...commandLines, ...slowOnes] : commandLines)(
  "%s shows a hostile name in its line, escaped",
  async (_, args, code) => {
    expectEscaped(await recount(args), code);
  },
);
