import fc from "fast-check";
import type { LakeRow } from "./spark-lake.js";

const whitespace = fc.constantFrom("", "", " ", "\n\t");
const number = fc.oneof(
  fc.integer({ min: -5, max: 5 }).map(String),
  fc.constantFrom(
    "-0",
    "-0.0",
    "0.0",
    "1E2",
    "1e-3",
    "-2.5",
    "3.0",
    "0.1",
    "1e22",
    "123456789012345678901234567890",
  ),
  fc.constantFrom(
    "9223372036854775807",
    "-9223372036854775808",
    "-9223372036854775809",
    "18446744073709551616",
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
);
const string = fc.oneof(
  fc.constantFrom(
    '"true"',
    '"false"',
    '"null"',
    '"1"',
    '"[1,2]"',
    '""',
    '"\\u0041"',
    '"\\\\"',
    '"\\""',
    '"a\\/b\\n"',
  ),
  fc.string({ unit: "grapheme" }).map((value) => JSON.stringify(value.replaceAll("\0", ""))),
);
const scalar = fc.oneof(fc.constantFrom("true", "false", "null"), number, string);
const list = (of: fc.Arbitrary<string>) =>
  fc
    .tuple(whitespace, fc.array(of, { maxLength: 3 }))
    .map(([space, items]) => `[${items.join(`,${space}`)}]`);
const key = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('"isCorrect"', '"expectedScores"') },
  fc.constantFrom(
    '"\\u0069sCorrect"',
    '"iscorrect"',
    '"isCorrect "',
    '"isCorrect.a"',
    '"a"',
    '""',
    '"\\""',
    '"*"',
  ),
);
const object = (of: fc.Arbitrary<string>) =>
  fc
    .tuple(whitespace, fc.array(fc.tuple(key, of), { maxLength: 4 }))
    .map(
      ([space, entries]) =>
        `{${entries.map((entry) => entry.join(`${space}:${space}`)).join(`${space},`)}}`,
    );

const value = fc.oneof(scalar, list(number), list(fc.oneof(scalar, list(number))), object(scalar));

/** JSON texts of any shape, most of them with a flag or bounds, keys repeated too. */
export const meta = fc.oneof({ weight: 9, arbitrary: object(value) }, value, fc.constant(null));

const name = fc.oneof(
  fc.constantFrom(
    "a",
    "a/b",
    "A/b",
    "a\nb",
    "a\n",
    "ß",
    "ss",
    "ı",
    "",
    " ",
    "a ",
    "é",
    "é",
    "𝄞",
    "👩‍👩‍👧",
  ),
  fc.string({ unit: "grapheme", maxLength: 4 }).map((text) => text.replaceAll("\0", "")),
);

const score = fc.oneof(
  fc.constantFrom(
    1,
    2,
    3,
    -1,
    0.1,
    null,
    "-0.0",
    "inf",
    "-inf",
    "nan",
    "5e-324",
    "1.7976931348623157e308",
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }),
);

const instant = fc.constantFrom(
  null,
  "1969-12-31T23:59:59.999999Z",
  "1970-01-01T00:00:00Z",
  "2024-02-29T23:59:59.000001Z",
  "2024-02-29T23:59:59.000001Z",
  "9999-12-31T00:00:00Z",
);

export interface OddRating extends LakeRow {
  readonly score: string | number | null;
  readonly stimulus: string;
  readonly meta: string | null;
}

export const rating: fc.Arbitrary<OddRating> = fc.record({ score, stimulus: name, meta });
export const slate = fc.record({ first: rating, second: rating, updated: instant });

/** Regular expressions of the syntax that both engines share, and some beyond it. */
const atom = fc.constantFrom(
  ...[
    "a",
    "b",
    "ß",
    "/",
    "-",
    ".",
    "\\.",
    "\\d",
    "\\w",
    "\\W",
    "\\s",
    "\\S",
    "\\D",
    "[a-c]",
    "[^/]",
    "[\\w-]",
    "[^\\n]",
  ],
  ...[
    "\\n",
    "\\t",
    "é",
    "𝄞",
    "\\$",
    "[.]",
    "(?:ab)",
    "(?:a|/)",
    "[]a]",
    "[a\\]]",
    "\\x41",
    "\\b",
    "[[:alpha:]]",
  ],
);
const repeated = fc
  .tuple(atom, fc.constantFrom("", "", "", "*", "+", "?", "*?", "+?", "{2}", "{1,2}"))
  .map((of) => of.join(""));
const sequence = fc.array(repeated, { minLength: 1, maxLength: 3 }).map((of) => of.join(""));
export const pattern = fc
  .tuple(
    fc.constantFrom("", "^"),
    sequence,
    fc.constantFrom("(", "(?P<item>"),
    sequence,
    fc.constantFrom("", "$"),
  )
  .map(([start, before, open, inside, end]) => `${start}${before}${open}${inside})${end}`);
export const subject = fc.oneof(
  name,
  fc.string({
    unit: fc.constantFrom("a", "b", "/", "-", ".", "ß", "é", "𝄞", " ", "\n", "\t", "\r", "1", "A"),
    maxLength: 8,
  }),
);
