import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { TransientFailure } from "../../src/client/index.js";
import { createSessionPool } from "../../src/extract/part.js";
import { countElements } from "../../src/extract/elements.js";
import { folderOfTests } from "../support/folder.js";
import { list, rating } from "../support/hostile/service.js";
import { readTwice, scanOf } from "../support/scan-body.js";

const dir = folderOfTests("recount-damaged");
const sessions = createSessionPool(dir);
afterAll(() => sessions.close());

type Damage = (body: Buffer) => Buffer;

const at = fc.double({ min: 0, max: 1, noNaN: true });
const place = (body: Buffer, share: number) => Math.floor(share * body.length);
const inserted = fc.oneof(
  fc
    .constantFrom(0x5b, 0x5d, 0x7b, 0x7d, 0x2c, 0x3a, 0x22, 0x5c, 0x27, 0x20, 0x09, 0x0d, 0x0a)
    .map((one) => Buffer.of(one)),
  fc
    .constantFrom(0x30, 0x2d, 0x2e, 0x65, 0x2f, 0x00, 0x01, 0x1e, 0x1f, 0x7f)
    .map((one) => Buffer.of(one)),
  fc
    .constantFrom(
      "ff",
      "c3",
      "c080",
      "eda080",
      "efbbbf",
      "f09f9880",
      "5c7564383030",
      "2c2c",
      "6e756c6c",
    )
    .map((hex) => Buffer.from(hex, "hex")),
);
const damage: fc.Arbitrary<Damage> = fc.oneof(
  fc.tuple(at, inserted).map(([share, bytes]): Damage => (body) => {
    const i = place(body, share);
    return Buffer.concat([body.subarray(0, i), bytes, body.subarray(i)]);
  }),
  fc.tuple(at, fc.nat(7)).map(([share, bit]): Damage => (body) => {
    const changed = Buffer.from(body);
    const i = place(body, share);
    if (i < changed.length) changed[i] = (changed[i] ?? 0) ^ (1 << bit);
    return changed;
  }),
  fc.tuple(at, fc.integer({ min: 1, max: 30 })).map(([share, length]): Damage => (body) => {
    const i = place(body, share);
    return Buffer.concat([body.subarray(0, i), body.subarray(i + length)]);
  }),
  fc.tuple(at, at, fc.nat(60)).map(([from, to, length]): Damage => (body) => {
    const [i, j] = [place(body, from), place(body, to)];
    return Buffer.concat([body.subarray(0, i), body.subarray(j, j + length), body.subarray(i)]);
  }),
);

const element = fc.constantFrom(
  rating(1),
  rating(2, { meta: '{"a":[1,{"b":"}]"}]}', stimulus: '"\\"\\\\,"' }),
  rating(3, { score: "-0.5", is_correct: "true" }, ',"mood":[1, 2]'),
);

it("lose no element, whatever bytes change, and both readers agree", async () => {
  const outcomes = { typed: 0, quarantined: 0, refused: 0 };
  const file = join(dir, "body.json");
  const property = fc.asyncProperty(
    fc.array(element, { minLength: 1, maxLength: 4 }),
    fc.array(damage, { minLength: 1, maxLength: 3 }),
    async (elements, damages) => {
      const body = damages.reduce((bytes, change) => change(bytes), list(...elements));
      writeFileSync(file, body);
      const scan = scanOf(body, "ratings", 64);
      const count = await countElements(file).catch((error: unknown) => error);
      if (count instanceof TransientFailure || !/^[ \t\r\n]*\[/.test(body.toString("latin1"))) {
        outcomes.refused++;
        expect(scan).toBeUndefined();
        return;
      }
      const { exact, fast } = await sessions.use((warehouse) =>
        readTwice({ warehouse, dir }, body, "ratings", { sizes: 64 }),
      );
      expect(exact.made.rows + exact.made.quarantined).toBe(count);
      expect(fast.made).toEqual(exact.made);
      if (fast.reader === "typed") outcomes.typed++;
      if (exact.made.quarantined > 0) outcomes.quarantined++;
    },
  );
  await fc.assert(property, { numRuns: 1000 });
  for (const times of Object.values(outcomes)) expect(times).toBeGreaterThan(0);
});
