import { expect, it } from "vitest";
import { auditedTables, testProject } from "../support/project.js";

const { recount, service, path } = await testProject();
const deep = "[".repeat(5000) + "]".repeat(5000);

const odd: readonly [title: string, field: string, text: string][] = [
  ["the kind constructor", "kind", '"constructor"'],
  ["the kind toString", "kind", '"toString"'],
  ["options 5,000 levels deep", "options", deep],
  ["the kind __proto__", "kind", '"__proto__"'],
  ["scores 5,000 levels deep", "scores", deep],
];

it.each(odd)("results with %s end neither an audit nor a report", async (title, field, text) => {
  const lake = path(title);
  service.faults.set([{ operation: "listResults", fault: { kind: "other", field, text } }]);
  const tables = auditedTables.flatMap((table) => ["--table", table]);
  expect(await recount(["export", "--lake", lake, ...tables])).toMatchObject({ code: 0 });
  service.faults.set([]);
  const wanted = field === "options" ? 0 : 2;
  expect(await recount(["audit", "--lake", lake])).toMatchObject({ code: wanted });
  const { code, stderr } = await recount(["report", "--lake", lake, "-o", `${lake}.html`]);
  expect({ code, stderr }).toEqual({ code: wanted, stderr: "" });
});
