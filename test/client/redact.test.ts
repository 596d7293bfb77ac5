import fc from "fast-check";
import { expect, it } from "vitest";
import { redactor } from "../../src/client/index.js";
import { mapTexts } from "../../src/platform/index.js";

const secrets = fc.string({
  minLength: 6,
  maxLength: 40,
  unit: fc.constantFrom(...('abcXYZ0189+/=%&" \\'.match(/./g) ?? [])),
});

it("redacts a secret in every form and place", () => {
  fc.assert(
    fc.property(
      secrets,
      fc.string({ maxLength: 9 }),
      fc.string({ maxLength: 9 }),
      (secret, before, after) => {
        const redact = redactor([secret]);
        const around = `${before}${secret}${after}`;
        const base64 = Buffer.from(around).toString("base64");
        expect(redact(around).includes(secret)).toBe(false);
        expect(redact(encodeURIComponent(`~${secret}~`))).not.toContain(encodeURIComponent(secret));
        expect(redact(JSON.stringify({ key: secret }))).toBe('{"key":"[redacted]"}');
        expect(redact(base64)).not.toBe(base64);
        expect(
          Buffer.from(redact(base64).replace("[redacted]", ""), "base64").includes(secret),
        ).toBe(false);
      },
    ),
    { numRuns: 300 },
  );
});

it("redacts a secret in any case, as hexadecimal digits and percent-encoded everywhere", () => {
  const key = "planted+Key/1";
  const redact = redactor([key]);
  const hex = Buffer.from(key).toString("hex");
  const percent = hex.replaceAll(/../g, "%$&");
  for (const form of [
    key.toUpperCase(),
    key.toLowerCase(),
    hex,
    hex.toUpperCase(),
    percent,
    percent.toUpperCase(),
  ])
    expect(redact(`a ${form} b`)).toBe("a [redacted] b");
  expect(redact(JSON.stringify({ key }).replaceAll("/", "\\/"))).toBe('{"key":"[redacted]"}');
});

it("leaves other text unchanged", () => {
  expect(redactor(["planted+key/1"])("Bearer planted+key/1, at 10:00")).toBe(
    "Bearer [redacted], at 10:00",
  );
  expect(redactor(["abc"])("abc")).toBe("abc");
});

it("redacts the values of data, and never the names of its fields", () => {
  const data = { rows: [{ mean: 1, note: "mean of rows" }], mean: "exact" };
  expect(mapTexts(data, redactor(["rows", "mean"]))).toEqual({
    ...{ rows: [{ mean: 1, note: "[redacted] of [redacted]" }], mean: "exact" },
  });
  expect(mapTexts(data, redactor(["absent"]))).toBe(data);
});
