import fc from "fast-check";
import { expect, it } from "vitest";
import { scanOf } from "../../support/scan-body.js";
import { runsOf } from "../../support/whole.js";

const values = {
  score: ["1", "12", "-1.5", "null", "1234567890123456", "01", "true"],
  slate_id: ["1", "12", "12345", "-3", '"x"'],
  session_id: ['""', '"abcdefgh"', '"abcdefghi"', '"a\\u0000bcdefg"', '"say \\"so\\" again"', "7"],
  is_training: ["true", "false", "fals"],
  meta: ["{}", '{"a":[1,{"b":"]}"}]}', "123456", "1234567", '"text"', "nul"],
  mood: ['"calm"', '"calmer"', "[1,2]", "1.0"],
};
const blank = fc.constantFrom("", "", "", " ", "\n  ");
const field = fc
  .constantFrom(...(Object.keys(values) as (keyof typeof values)[]))
  .chain((name) => fc.tuple(fc.constant(name), fc.constantFrom(...values[name]), blank, blank))
  .map(([name, value, before, after]) => ({
    name,
    text: `"${name}"${before}:${after}${value}${before}`,
  }));
const record = fc
  .uniqueArray(field, { maxLength: 6, selector: ({ name }) => name })
  .map((fields) => `{${fields.map(({ text }) => text).join(",")}}`);
/** Elements that mostly repeat earlier ones, wholly or in part. */
const elements = fc
  .array(record, { minLength: 1, maxLength: 4 })
  .chain((few) =>
    fc.array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...few) }, record), { minLength: 1 }),
  );

it("judges each element as if it came alone and at once, whatever repeats and wherever the pieces end", () => {
  let fitting = 0;
  fc.assert(
    fc.property(
      elements,
      fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1 }),
      (all, sizes) => {
        const alone = all.map((one) => scanOf(`[${one}]`, "ratings", one.length + 2));
        const found = scanOf(`[${all.join(",")}]`, "ratings", sizes);
        expect(found === undefined).toBe(alone.includes(undefined));
        if (found === undefined) return;
        fitting++;
        const moods = alone.filter((one) =>
          one?.unknown.ratings?.some(({ name }) => name === "mood"),
        ).length;
        expect(found.elements).toBe(all.length);
        expect(found.unknown.ratings?.[0]?.count ?? 0).toBe(moods);
        const ids = all.map((one) => Number(/"slate_id"\s*:\s*(-?\d+)/.exec(one)?.[1]));
        expect(found.ordered).toEqual(
          ids.every((id, i) => id >= (ids[i - 1] ?? -Infinity)) ? ["ratings"] : [],
        );
      },
    ),
    { numRuns: runsOf(1500), seed: 11 },
  );
  expect(fitting).toBeGreaterThan(runsOf(1500) / 10);
});
