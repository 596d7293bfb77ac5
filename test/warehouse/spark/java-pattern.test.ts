import { expect, it } from "vitest";
import { javaPattern } from "../../../src/warehouse/spark/spark-text.js";

it.each([
  ["^[^/]+/(.+)$", String.raw`(?d)^[^/]+/(.+)\z`],
  [String.raw`^(?P<item>[\w.-]{1,8})\s*`, String.raw`(?d)^(?<item>[\w.-]{1,8})[\t\n\f\r ]*`],
  [String.raw`(a|b)\.wav\$?`, String.raw`(?d)(a|b)\.wav\$?`],
  ["(?:x+?)(y{2,})", "(?d)(?:x+?)(y{2,})"],
])("a pattern that Java reads alike is written for it: %s", (pattern, java) => {
  expect(javaPattern(pattern)).toBe(java);
});

it.each([
  "(?i)a(b)",
  String.raw`\b(a)`,
  String.raw`\pL(a)`,
  "[[:alpha:]](a)",
  "[a&&b](a)",
  String.raw`[\S](a)`,
  "a{(b)",
])("a pattern that Java may read differently is refused: %s", (pattern) => {
  expect(() => javaPattern(pattern)).toThrow(/^conventions\.item_pattern: Spark may read /);
});
