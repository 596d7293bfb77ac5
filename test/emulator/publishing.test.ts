import { expect, test } from "vitest";
import { UsageError } from "../../src/platform/errors.js";
import { publishingRules } from "../../src/emulator/publishing/rules.js";
import { startEmulator } from "../../src/emulator/index.js";

const refused: [rules: unknown, message: RegExp][] = [
  [{}, /the list of rules must be a list, .*, not \{\}/],
  [[{ kind: ["elo"] }], /unknown key entry 1, kind\. Did you mean kinds\?/],
  [
    [{}, { conventions: { training: "all" } }],
    /entry 2, conventions\.training must be one of exclude, include, only, not "all"/,
  ],
  [
    [{ conventions: { bayesian_elo: { rater_quality: { alpha: 10 } } } }],
    /entry 1, conventions\.bayesian_elo\.rater_quality needs beta, for example beta: /,
  ],
];

test.each(refused)("refuses %j", async (rules, message) => {
  expect(() => publishingRules(rules)).toThrow(UsageError);
  expect(() => publishingRules(rules)).toThrow(message);
  await expect(startEmulator({ publishing: rules as [] })).rejects.toThrow(message);
});
