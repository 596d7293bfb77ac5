// A process that takes the locks of some projects: says "ready", waits for a line, prints what it got, and holds it until
// its input ends. It keeps no reference to a lock, and lets the collector run.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { lockProject } from "../../src/lake/index.js";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const [lake = "", ...projects] = process.argv.slice(2);
console.log("ready");
await new Promise((resolve) => process.stdin.once("data", resolve));
const held: string[] = [];
for (const project of projects) {
  const problem = await lockProject(lake, project).then(
    () => null,
    (error: unknown) => String(error),
  );
  if (problem === null) held.push(project);
  else if (!problem.includes("is being written by another run")) held.push(problem);
  collectGarbage();
}
console.log(JSON.stringify(held));
process.stdin.once("end", () => process.exit());
