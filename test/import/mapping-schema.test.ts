import { expect, it } from "vitest";
import { mappingSchema } from "../../src/import/schema.js";
import { schemaText } from "../support/describe-schema.js";

it("publishes the schema of mappings as docs/reference/mapping.schema.json (`npm run docs` updates it)", async () => {
  const text = schemaText("mapping", mappingSchema);
  await expect(text).toMatchFileSnapshot("../../docs/reference/mapping.schema.json");
});
