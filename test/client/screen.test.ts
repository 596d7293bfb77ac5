import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSearch } from "../../src/client/screen.js";
import { secretForms } from "../../src/client/secrets.js";
import { runsOf } from "../support/whole.js";

const secrets = fc.string({
  minLength: 8,
  maxLength: 40,
  unit: fc.constantFrom(...('abcXYZ0189+/=%&" \\-_'.match(/./g) ?? [])),
});
const plain = fc.string({
  maxLength: 300,
  unit: fc.constantFrom(...('abcXYZ0189+/=%&" {}:,'.match(/./g) ?? [])),
});

function through(secret: string, mask: boolean, body: Buffer, sizes: readonly number[]) {
  const screen = createSearch([secret]).screen(mask);
  const out: Buffer[] = [];
  let at = 0;
  for (let i = 0; at < body.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    out.push(Buffer.from(screen.pass(Buffer.from(body.subarray(at, at + size)))));
    at += size;
  }
  out.push(screen.end());
  return { text: Buffer.concat(out).toString("latin1"), found: screen.found };
}

const sizes = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 5 });

describe("a body with a secret", () => {
  it("in any form, case and division into pieces: it is found, and masked without a change of length", () => {
    fc.assert(
      fc.property(
        secrets,
        plain,
        plain,
        sizes,
        fc.nat(),
        fc.boolean(),
        (secret, before, after, split, which, upper) => {
          const forms = secretForms(secret);
          const form = forms[which % forms.length] ?? secret;
          const body = Buffer.from(`${before} ${upper ? form.toUpperCase() : form} ${after}`);
          const seen = through(secret, false, body, split);
          expect(seen.text).toBe(body.toString("latin1"));
          expect(seen.found).toBeGreaterThanOrEqual(1);
          const masked = through(secret, true, body, split);
          expect(masked.text).toHaveLength(body.length);
          expect(masked.text.toLowerCase()).not.toContain(form.toLowerCase());
          expect(through(secret, false, Buffer.from(masked.text, "latin1"), split).found).toBe(0);
        },
      ),
      { numRuns: runsOf(500) },
    );
  });

  it("keeps JSON valid: an escape is not part of the secret, and digits are masked by digits", () => {
    const masked = (secret: string, text: string) =>
      through(secret, true, Buffer.from(text), [9]).text;
    expect(masked("nabcdefgh", '{"a":"x\\nabcdefgh"}')).toBe('{"a":"x\\nabcdefgh"}');
    expect(masked("nabcdefgh", '{"a":"x\\\\nabcdefgh"}')).toBe('{"a":"x\\\\*********"}');
    expect(masked("12345678", '{"a":12345678}')).toBe('{"a":11111111}');
  });
});
