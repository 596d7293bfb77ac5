import fc from "fast-check";
import { expect, it } from "vitest";
import { createListTokenizer } from "../../../src/extract/json/tokenizer.js";

/** Splits `body`, given in chunks of `size` bytes, into its elements, read leniently. */
function split(body: string, size: number): { state: string; count: number; elements: string[] } {
  const borders: number[] = [];
  let start = 0;
  const tokenizer = createListTokenizer({ onBorder: (_, at) => borders.push(start + at) });
  const bytes = Buffer.from(body);
  for (; start < bytes.length; start += size) {
    const chunk = bytes.subarray(start, start + size);
    tokenizer.space().set(chunk);
    tokenizer.pushed(chunk.length);
  }
  const elements = borders.slice(1).map((to, i) => bytes.subarray((borders[i] ?? 0) + 1, to).toString());
  return { state: tokenizer.state, count: tokenizer.elements, elements };
}

const element = fc.oneof(
  fc.json({ maxDepth: 3 }),
  fc.constantFrom('"\\""', '"\\\\"', '"a\nb"', '"\\\n]"', "1 x", '{"a":[}}'),
);

it("splits a list into the same elements at every chunk size", () => {
  fc.assert(
    fc.property(fc.array(element, { minLength: 1, maxLength: 5 }), fc.integer({ min: 1, max: 9 }), (elements, size) => {
      expect(split(`[${elements.join(",")}]\n`, size)).toEqual({ state: "ended", count: elements.length, elements });
    }),
    { numRuns: 300, seed: 3 },
  );
});
