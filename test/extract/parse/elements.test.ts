import fc from "fast-check";
import { expect, it } from "vitest";
import { splitElements } from "../../../src/extract/elements.js";

function split(body: string, size: number): { count: number; elements: string[] } {
  const elements: string[] = [];
  const splitter = splitElements((element) => elements.push(element.toString()));
  const bytes = Buffer.from(body);
  for (let start = 0; start < bytes.length; start += size)
    splitter.push(bytes.subarray(start, start + size));
  return { count: splitter.finish(), elements };
}

const element = fc.oneof(
  fc.json({ maxDepth: 3 }),
  fc.constantFrom('"\\""', '"\\\\"', '"a\nb"', '"\\\n]"', "1 x", '{"a":[}}'),
);

it("splits a list into the same elements at every chunk size", () => {
  fc.assert(
    fc.property(
      fc.array(element, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 9 }),
      (elements, size) => {
        expect(split(`[${elements.join(",")}]\n`, size)).toEqual({
          count: elements.length,
          elements,
        });
      },
    ),
    { numRuns: 300, seed: 3 },
  );
});
