import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Type as typebox } from "typebox";
import { expect, it } from "vitest";
import { Type } from "../../src/platform/index.js";

/** A schema of each builder, with and without options. */
function schemas(make: typeof Type) {
  const options = { description: "One", "x-assumed": ["field"] };
  const fields = {
    text: make.String({ minLength: 1, ...options }),
    flag: make.Optional(make.Boolean()),
    count: make.Optional(make.Integer({ minimum: 0 })),
    score: make.Number(options),
    list: make.Array(make.String(), { maxItems: 3 }),
  };
  const record = make.Object(fields, { additionalProperties: false });
  return [
    ...Object.values(fields),
    record,
    make.Object({}),
    make.Object({ flag: make.Optional(record), all: make.Partial(record) }, options),
    make.Partial(record, options),
    make.Enum(["a", "b"]),
    make.Enum(["a", "b"], options),
    ...[make.Literal("a"), make.Literal(90, options), make.Literal(true)],
    make.Union([make.String(), make.Null()]),
    make.Optional(make.Union([make.String(), make.Null(options)], options)),
    make.Record(make.String(), make.Integer()),
    make.Record(make.String(), make.Integer(), options),
    make.Unknown(),
    make.Unknown(options),
    make.Unsafe<string>({ type: "string", enum: ["a"] }),
    make.Object({ one: make.Optional(make.Unsafe<number>({ type: "integer" })) }),
  ];
}

it("builds the same JSON Schemas as typebox, in the same order", () => {
  const [own, theirs] = [schemas(Type), schemas(typebox)];
  expect(own.map((one) => JSON.stringify(one))).toEqual(theirs.map((one) => JSON.stringify(one)));
  expect(own.map((one) => Type.IsObject(one))).toEqual(theirs.map((one) => typebox.IsObject(one)));
});

it("leaves a schema that becomes optional as it is", () => {
  const name = Type.String();
  Type.Object({ name: Type.Optional(name) });
  expect(Type.Object({ name })).toEqual({
    type: "object",
    required: ["name"],
    properties: { name: { type: "string" } },
  });
});

it("is what the sources use: only types come from typebox", () => {
  const src = join(import.meta.dirname, "../../src");
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const loads = files.filter((file) =>
    /^import (?!type ).* from "typebox";/m.test(readFileSync(join(src, file), "utf8")),
  );
  expect(loads).toEqual([]);
});
