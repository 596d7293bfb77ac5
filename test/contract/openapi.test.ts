import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { openapi } from "../../src/contract/openapi.js";
import { apiVersions, operation, operationNames } from "../../src/contract/index.js";

const copy = (value: unknown) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>;

describe("openapi", () => {
  it.each(apiVersions)("is a valid OpenAPI 3.1 document for %s", async (version) => {
    const result = await new Validator().validate(copy(openapi(version)));
    expect(result).toMatchObject({ valid: true });
  });

  it("holds every operation, and the other spelling of rater pools", () => {
    const paths = openapi().paths as Record<string, Record<string, { operationId: string }>>;
    for (const name of operationNames) {
      const { path, method } = operation(name);
      expect(paths[path]?.[method.toLowerCase()]?.operationId).toBe(name);
    }
    expect(paths["/projects/{project_id}/experiments/{experiment_id}/rater_pools/"]).toBeDefined();
  });
});
