import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, it } from "vitest";
import { mappingSchema } from "../../src/import/schema.js";
import { schemaText } from "../support/describe-schema.js";

it("publishes the schema of mappings as docs/reference/mapping.schema.json (`npm run docs` updates it)", async () => {
  const text = schemaText("mapping", mappingSchema);
  await expect(text).toMatchFileSnapshot("../../docs/reference/mapping.schema.json");
  const validate = new Ajv2020({ strict: false }).compile(JSON.parse(text) as object);
  const study = { id: "s" };
  const files = { votes: "votes.csv" };
  const list = { from: "votes", rater: "who", left: "a", right: "b", slate: "id", order: "row" };
  const comparisons = { ...list, winner: { column: "won", values: { left: "a", right: "b" } } };
  expect(validate({ study, files, comparisons }), JSON.stringify(validate.errors)).toBe(true);
  expect(validate({ study, files, comparisons: { ...comparisons, rate: "who" } })).toBe(false);
});
