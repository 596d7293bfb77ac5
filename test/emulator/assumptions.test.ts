import { join } from "node:path";
import { expect, test } from "vitest";
import { apiVersions, openapi, operation, operationNames } from "../../src/contract/index.js";
import { readText } from "../../src/platform/files.js";
import { root } from "../support/root.js";

const lines = async (path: string) =>
  (await readText(join(root, path))).split("\n").filter((line) => line !== "");
const cellsOf = (line: string) =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());

async function rows(): Promise<string[][]> {
  const table = (await lines("docs/reference/emulator.md")).filter((line) =>
    /^\| .*\| (specified|assumed)[^|]*\|/.test(line),
  );
  return table.map(cellsOf);
}

test("the table of assumptions covers everything that the interface does not show", async () => {
  const statements = (await rows()).map(([statement]) => statement);
  const open = (await lines("docs/reference/service-api.md"))
    .filter((line) => line.includes("not shown"))
    .map((line) => line.replace(/^- /, ""));
  expect(open.length).toBeGreaterThan(30);
  expect(open.filter((line) => !statements.includes(line))).toEqual([]);
});

type Json = Record<string, unknown>;
interface Document {
  paths: Record<
    string,
    Record<string, Json & { operationId: string; parameters: { name: string; schema: Json }[] }>
  >;
  components: { schemas: Record<string, Json & { properties: Record<string, Json> }> };
}
const documents = apiVersions.map(
  (version) => JSON.parse(JSON.stringify(openapi(version))) as Document,
);
const marksOf = (node: Json) => (node["x-assumed"] ?? []) as string[];

function* marks(where: string, node: unknown): Generator<[said: string, where: string]> {
  if (typeof node !== "object" || node === null) return;
  // A record's required fields are all that are not optional in its schema; only those of bodies are listed.
  const isBare = (word: string) =>
    !(word in node) || word === "type" || (word === "required" && /^rec/.test(where));
  const own = marksOf(node as Json).map((word) =>
    isBare(word) ? word : `${word} ${JSON.stringify((node as Json)[word]).replaceAll(",", ", ")}`,
  );
  if (own.length > 0) yield [`\`${own.join("`, `")}\``, where];
  for (const [key, child] of Object.entries(node))
    yield* marks(["properties", "items"].includes(key) ? where : `${where}.${key}`, child);
}

test("the table of assumed fields, rules and defaults is what the OpenAPI document marks", async () => {
  const found = new Map<string, Set<string>>();
  for (const { paths, components } of documents) {
    const all = Object.entries(components.schemas).flatMap(([name, schema]) => [
      ...marks(name, schema),
    ]);
    for (const entry of Object.values(paths).flatMap((methods) => Object.values(methods)))
      for (const { name, schema } of entry.parameters) all.push(...marks(`query.${name}`, schema));
    for (const [said, where] of all)
      found.set(said, (found.get(said) ?? new Set<string>()).add(`\`${where}\``));
  }
  const expected = [...found].map(([said, places]) => [said, [...places].sort().join(", ")]).sort();
  const text = await lines("docs/reference/emulator.md");
  const start = text.findIndex((line) => line.startsWith("| Assumed "));
  const table = text.slice(start + 2).slice(0, expected.length + 1);
  const end = table.findIndex((line) => !line.startsWith("| "));
  expect(table.slice(0, end).map(cellsOf).sort()).toEqual(expected);
});

test("the OpenAPI document offers basic and cookie only where no role is needed, and marks that as assumed", () => {
  for (const { paths } of documents)
    for (const name of operationNames) {
      const { path, method, roles } = operation(name);
      const entry = paths[path]?.[method.toLowerCase()];
      if (entry === undefined) continue;
      expect(entry.security, name).toEqual(roles === undefined ? undefined : [{ ApiKeyAuth: [] }]);
      expect(marksOf(entry).includes("security"), name).toBe(roles === undefined);
    }
});
