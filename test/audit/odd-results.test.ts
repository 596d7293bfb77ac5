import { expect, it } from "vitest";
import type { Fault } from "../../src/emulator/index.js";
import { auditedTables, testProject } from "../support/project.js";

const project = await testProject();
const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

it.each([
  ["the kind constructor", { kind: "other", field: "kind", text: '"constructor"' }],
  ["the kind toString", { kind: "other", field: "kind", text: '"toString"' }],
  ["the kind __proto__", { kind: "other", field: "kind", text: '"__proto__"' }],
  ["options 5,000 levels deep", { kind: "other", field: "options", text: deep(5000) }],
  ["scores 5,000 levels deep", { kind: "other", field: "scores", text: deep(5000) }],
] satisfies [string, Fault][])("results with %s end neither an audit nor a report", async (_, fault) => {
  const { recount, service, path } = project;
  const lake = path(fault.text.slice(0, 9).replaceAll(/\W/g, "x") + fault.field);
  service.faults.set([{ operation: "listResults", fault }]);
  const tables = auditedTables.flatMap((table) => ["--table", table]);
  expect(await recount(["export", "--lake", lake, ...tables])).toMatchObject({ code: 0 });
  service.faults.set([]);
  const wanted = fault.field === "options" ? 0 : 2;
  expect(await recount(["audit", "--lake", lake])).toMatchObject({ code: wanted });
  const { code, stderr } = await recount(["report", "--lake", lake, "-o", `${lake}.html`]);
  expect({ code, stderr }).toEqual({ code: wanted, stderr: "" });
});
