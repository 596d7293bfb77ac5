import { Ajv } from "ajv";
import { expect, test } from "vitest";
import {
  conventionsInputSchema,
  conventionsSchema,
  conventionsWith,
  defaultConventions,
} from "../../src/metrics/conventions.js";

const ajv = new Ajv({ strict: false, allErrors: true });

test("the defaults are a complete set of conventions", () => {
  expect(ajv.validate(conventionsSchema, defaultConventions)).toBe(true);
});

test("a partial group keeps the defaults of its other fields", () => {
  const conventions = conventionsWith({ training: "include", elo: { k: 16 } });
  expect(conventions).toEqual({
    ...defaultConventions,
    training: "include",
    elo: { ...defaultConventions.elo, k: 16 },
  });
});

test("rater quality replaces null as a whole", () => {
  const quality = { alpha: 10, beta: 2 };
  expect(conventionsWith({ bayesian_elo: { rater_quality: quality } }).bayesian_elo.rater_quality).toEqual(quality);
});

test.each([
  [{}, true],
  [{ elo: { k: 16 } }, true],
  [{ elo: { k: 0 } }, false],
  [{ elo: { kay: 16 } }, false],
  [{ trainings: "include" }, false],
  [{ percent_scale: 50 }, false],
  [{ bayesian_elo: { rater_quality: { alpha: 10 } } }, false],
])("input %j is accepted: %s", (input, accepted) => {
  expect(ajv.validate(conventionsInputSchema, input)).toBe(accepted);
});
