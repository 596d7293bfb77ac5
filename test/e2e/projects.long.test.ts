import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { manyProjects, outputs } from "../support/many-projects.js";

const { file, path, read, recount, run, service, summary } = await manyProjects();

it("--project chooses one of them; the measurements of the others stay", async () => {
  await run("projects: [Listen42, Motion17]\n", ["-q"], { RECOUNT_API_KEY: "" });
  const { code, stderr } = await run(`projects: [Listen42, Motion17]\n${outputs}\n`, ["--project", "Motion17", "-q"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(summary().runs.map(({ project }) => project)).toEqual(["Motion17"]);
  expect(read("all.prom")).toMatch(/^recount_run_exit_code\{project="Listen42"\} 4$/m);
  const none = await run("projects: [Listen42]\n", ["--project", "Motion17"]);
  expect(none).toMatchObject({
    code: 4,
    stderr: expect.stringContaining("Motion17 is none of its projects: Listen42.") as string,
  });
  const variable = await run("projects: [Motion17]\n", ["-q"], { RECOUNT_PROJECT_ID: "Listen42" });
  expect(variable.code).toBe(0);
});

it("conventions of one project hold for its audit offline too, without the variables of other keys", async () => {
  await run("projects: [Listen42]\n", ["-q"]);
  const own =
    "projects: { Listen42: { conventions: { elo: { k: 16 } }, service: { key_file: '${NOT_SET}' } }, Motion17: }";
  writeFileSync(file, own);
  const audit = (...args: string[]) => recount(["audit", "--lake", path("lake"), "--project", "Listen42", ...args]);
  const plain = await audit();
  const other = await audit("--pipeline", file);
  expect(other.stdout).not.toBe(plain.stdout);
  expect(other.stdout).toContain("k=32");
});

it("the requests of all stay within one limit", async () => {
  service.faults.clearJournal();
  await run("projects: [Listen42, Motion17]\nexport: { concurrency: 1 }\n", ["-q"]);
  const order = service.faults.journal().map(({ path }) => /projects\/(\w+)/.exec(path)?.[1]);
  expect(order.indexOf("Motion17")).toBeGreaterThan(order.lastIndexOf("Listen42"));
});
