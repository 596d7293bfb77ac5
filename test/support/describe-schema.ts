/**
 * Identifiers of the published schemas. Nobody has an address for them yet, so that each has a
 * number of its own.
 */
const ids = {
  pipeline: "urn:uuid:fb66ec50-34f6-4b06-99f5-6fd501664032",
  mapping: "urn:uuid:c087c472-a3e1-4d93-94f0-78df17ed2309",
} as const;

/** The text of a JSON Schema as docs/reference publishes it. */
export function schemaText(name: keyof typeof ids, schema: object): string {
  const $schema = "https://json-schema.org/draft/2020-12/schema";
  return `${JSON.stringify({ $schema, $id: ids[name], ...schema }, null, 2)}\n`;
}
