// A process of the built Recount that takes the locks of some projects: says "ready", waits for a line, prints what it
// got, and holds it until its input ends. It keeps no reference to a lock, and lets the collector run.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { lockProject } from "../../dist/lake/index.js";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

const [lake, ...projects] = process.argv.slice(2);
console.log("ready");
await new Promise((resolve) => process.stdin.once("data", resolve));
const held = [];
for (const project of projects) {
  const lock = await lockProject(lake, project).catch((error) => error.message);
  if (typeof lock === "object") held.push(project);
  else if (!lock.includes("is being written by another run")) held.push(lock);
  collectGarbage();
}
console.log(JSON.stringify(held));
process.stdin.once("end", () => process.exit());
