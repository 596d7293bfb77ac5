import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Identifiers of the published schemas. Nobody has an address for them yet, so that each has a
 * number of its own.
 */
const ids = {
  pipeline: "urn:uuid:fb66ec50-34f6-4b06-99f5-6fd501664032",
  mapping: "urn:uuid:c087c472-a3e1-4d93-94f0-78df17ed2309",
} as const;

type Schema = Record<string, unknown>;

export function schemaText(name: keyof typeof ids, schema: object): string {
  const $schema = "https://json-schema.org/draft/2020-12/schema";
  return `${JSON.stringify({ $schema, $id: ids[name], ...schema }, null, 2)}\n`;
}

/** What a table of the docs says of its keys: "`elo.k`, `start`" are elo.k and elo.start. */
function* keysIn(page: string, under = ""): Generator<[string, string]> {
  const text = readFileSync(join(import.meta.dirname, "../../docs", page), "utf8");
  for (const [, names = "", rest = ""] of text.matchAll(/^\| (`[^|]+`) \| (.*) \|$/gm)) {
    const keys = [...names.matchAll(/`\.?([^`]+)`/g)].map(([, key = ""]) => key);
    const group = keys[0]!.replace(/[^.]*$/, "");
    const said = rest.replace(/\[([^\]]*)\]\([^)]*\)|`/g, "$1").split(" | ");
    for (const key of keys)
      yield [
        under + (key.startsWith(group) ? key : group + key),
        under === "" ? said[0]! : `${keys.join(", ")}: default ${said.join("; others: ")}`,
      ];
  }
}

/** A pipeline file's schema for editors: each key is described, and each value may be a variable. */
export function forEditors(schema: object): object {
  const said = new Map([
    ...keysIn("reference/pipelines.md"),
    ...keysIn("explanation/metrics.md", "conventions."),
  ]);
  /** Of a key without a row, that of the map in which it is. */
  const meaningOf = (path: string): string => {
    const map = path.replace(/\.?\w+$/, "");
    const found = [path, `${map}.<kind>`, `${map}.<list>`].find((key) => said.has(key));
    return said.get(found ?? "") ?? meaningOf(map);
  };
  const walk = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((one) => walk(one, path));
    if (typeof value !== "object" || value === null) return value;
    const { description, ...own } = value as Schema;
    const described = description === undefined ? {} : { description };
    if (own.enum || ["string", "number", "integer", "boolean"].includes(own.type as string))
      return { anyOf: [own, { $ref: "#/$defs/variable" }], ...described };
    const inner = Object.entries(own).map(([key, one]) => [
      key,
      key !== "properties"
        ? walk(one, path)
        : Object.fromEntries(
            Object.entries(one as Schema).map(([name, property]) => {
              const at = path === "" ? name : `${path}.${name}`;
              const made = walk(property, at) as Schema;
              const keys = Object.keys(made.properties ?? {}).join(", ");
              if (!made.$ref) made.description ??= said.get(at) ?? (keys || meaningOf(at));
              return [name, made];
            }),
          ),
    ]);
    return { ...Object.fromEntries(inner), ...described };
  };
  const variable = { type: "string", pattern: "\\$\\{" };
  return { ...(walk(schema, "") as object), $defs: { variable } };
}
