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

  it.each(apiVersions)(
    "describes itself, its server and a tag of each operation, in %s",
    (version) => {
      const document = openapi(version) as {
        info: object;
        servers: [{ url: string; variables: Record<string, { default: string }> }];
        tags: { name: string; description: string }[];
        paths: Record<string, Record<string, { tags: string[] }>>;
      };
      expect(document.info).toHaveProperty("description");
      const [{ url, variables }] = document.servers;
      expect([...url.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)).toEqual(
        Object.keys(variables),
      );
      const used = Object.values(document.paths).flatMap((path) =>
        Object.values(path).map((one) => one.tags),
      );
      expect(used.filter((own) => own.length !== 1)).toEqual([]);
      expect(new Set(used.flat())).toEqual(new Set(document.tags.map(({ name }) => name)));
    },
  );

  it("holds every operation, and the other spelling of rater pools", () => {
    const paths = openapi().paths as Record<string, Record<string, { operationId: string }>>;
    for (const name of operationNames) {
      const { path, method } = operation(name);
      expect(paths[path]?.[method.toLowerCase()]?.operationId).toBe(name);
    }
    expect(paths["/projects/{project_id}/experiments/{experiment_id}/rater_pools/"]).toBeDefined();
  });
});
