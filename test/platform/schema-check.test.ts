import { readdirSync, readFileSync } from "node:fs";
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { mappingSchema } from "../../src/import/schema.js";
import { pipelineSchema } from "../../src/pipeline/schema.js";
import { everyNth } from "../support/whole.js";
import { schemaErrors, schemaProblem, type SchemaError } from "../../src/platform/index.js";

const others = [null, "", "x y", "${A}", 5, -1, 1.5, true, [], ["x", "x"], {}, { zz: 1 }];

function* changed(value: unknown): Generator {
  yield value;
  for (const other of others) yield other;
  if (typeof value !== "object" || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    for (const one of changed(part))
      yield Array.isArray(value)
        ? value.with(Number(key), one)
        : { ...value, [key]: one, ...(one === true && { [`${key}x`]: 1 }) };
    if (!Array.isArray(value))
      yield Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
  }
}

const presets = readdirSync("data/presets").map(
  (file) => parse(readFileSync(`data/presets/${file}`, "utf8")) as object,
);
const pipelines = [
  {
    service: { url: "https://x", project: "p1", api_key: "k" },
    lake: "lake",
    tolerances: { elo: { absolute: 1, relative: 0 } },
    accept: [{ experiment: "e", kind: "elo", convention: "a=b", reason: "r" }],
    projects: [{ project: "a1", lake: "x" }],
  },
];

it.each([
  ["mappings", mappingSchema, presets],
  ["pipelines", pipelineSchema, pipelines],
] as [string, object, object[]][])(
  "judges %s as Ajv does, in the same words",
  (_, schema, values) => {
    const options = { allErrors: true, strict: false, strictNumbers: true, verbose: true } as const;
    const validate = new Ajv2020({ ...options, validateSchema: false }).compile(schema);
    const asOurs = (whole: unknown, { instancePath, ...error }: ErrorObject): SchemaError => {
      let part = whole;
      const path = instancePath
        .split("/")
        .slice(1)
        .map((step) => {
          const key = Array.isArray(part) ? Number(step) : step;
          part = (part as Record<string, unknown>)[key];
          return key;
        });
      const { keyword, parentSchema: own = {}, params } = error;
      const key = (params.additionalProperty ?? params.missingProperty) as string | undefined;
      return { keyword, path, schema: own as SchemaError["schema"], value: part, key };
    };
    const says = (errors: readonly SchemaError[]) =>
      errors.length === 0 ? null : schemaProblem(errors, "it");
    const all = values.flatMap((one) => [...changed(one)]);
    for (const value of everyNth(all, 5)) {
      const theirs = validate(value)
        ? []
        : (validate.errors ?? []).map((one) => asOurs(value, one));
      expect(says(schemaErrors(schema, value)), JSON.stringify(value)).toEqual(says(theirs));
    }
  },
  60_000,
);
