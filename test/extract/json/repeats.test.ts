import fc from "fast-check";
import { expect, it } from "vitest";
import { shapeOf } from "../../../src/extract/json/index.js";
import { createListScanner, type Scan } from "../../../src/extract/json/list-scanner.js";
import { runsOf } from "../../support/whole.js";

/** Scans a body that arrives in pieces of these sizes. */
function scan(body: string, sizes: readonly number[]): Scan {
  const scanner = createListScanner(shapeOf("ratings"));
  const bytes = Buffer.from(body);
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const piece = bytes.subarray(at, at + (sizes[i % sizes.length] ?? 1));
    scanner.space(piece.length).set(piece);
    scanner.pushed(piece.length);
    at += piece.length;
  }
  return scanner.finish();
}

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
  .map(([name, value, before, after]) => ({ name, text: `"${name}"${before}:${after}${value}${before}` }));
const record = fc
  .uniqueArray(field, { maxLength: 6, selector: ({ name }) => name })
  .map((fields) => `{${fields.map(({ text }) => text).join(",")}}`);
/** Elements that mostly repeat earlier ones, wholly or in part. */
const elements = fc
  .array(record, { minLength: 1, maxLength: 4 })
  .chain((few) => fc.array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...few) }, record), { minLength: 1 }));

it("judges each element as if it came alone and at once, whatever repeats and wherever the pieces end", () => {
  fc.assert(
    fc.property(elements, fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1 }), (all, sizes) => {
      const body = `[${all.join(",")}]`;
      const alone = all.map((one) => scan(`[${one}]`, [body.length]));
      const doubtful = alone.flatMap(({ conforms }, i) => (conforms ? [] : [i]));
      const found = scan(body, sizes);
      expect(found.conforms).toBe(doubtful.length < all.length);
      if (!found.conforms) return;
      expect(found.doubtful.map(({ from, to }) => body.slice(from + 1, to))).toEqual(doubtful.map((i) => all[i]));
      expect(found.rows.ratings).toBe(all.length - doubtful.length);
      const moods = alone.filter(({ unknown }) => unknown.ratings?.some(({ name }) => name === "mood")).length;
      expect(found.unknown.ratings?.[0]?.count ?? 0).toBe(moods);
      const ids = all
        .filter((_, i) => !doubtful.includes(i))
        .map((one) => Number(/"slate_id"\s*:\s*(-?\d+)/.exec(one)?.[1]));
      expect(found.ordered).toEqual(ids.every((id, i) => id >= (ids[i - 1] ?? -Infinity)) ? ["ratings"] : []);
    }),
    {
      numRuns: runsOf(1500),
      seed: 11,
      examples: [[['{"slate_id":12346,"score":01}', '{"slate_id":12346,"score":1}', '{"slate_id":12345}'], [99]]],
    },
  );
});
