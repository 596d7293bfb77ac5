import { expect, test } from "vitest";
import * as fc from "fast-check";
import { UsageError } from "../../src/platform/errors.js";
import { publishingRules } from "../../src/emulator/publishing/rules.js";
import {
  inSinglePrecision,
  relativeRows,
  rescaledRows,
  roundedRows,
  truncatedRows,
} from "../../src/emulator/publishing/results.js";
import { startEmulator } from "../../src/emulator/index.js";
import { ask, parsed } from "../support/http-client.js";
import { isWhole } from "../support/whole.js";

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

const row = (value: number) => [{ stimulus: "a", value, std: value, n: 7 }];

test("numbers are truncated, not rounded, and unchanged if there is nothing to truncate", () => {
  expect(truncatedRows(row(1.999), 2)).toEqual([{ stimulus: "a", value: 1.99, std: 1.99, n: 7 }]);
  expect(truncatedRows(row(-1.999), 2)[0]).toMatchObject({ value: -1.99 });
  expect(truncatedRows(row(-0.001), 2)[0]).toMatchObject({ value: -0 });
  for (const whole of [0.29, 1.1, 57.3, 1e-2])
    expect(truncatedRows(row(whole), 2)[0]).toMatchObject({ value: whole });
  fc.assert(
    fc.property(
      fc.double({ min: -5000, max: 5000, noNaN: true }),
      fc.integer({ min: 0, max: 6 }),
      (value, decimals) => {
        const cut = Number(truncatedRows(row(value), decimals)[0]?.value);
        // Towards zero, by less than a unit; 1e-9 of a unit for the error of the subtraction.
        expect(Math.abs(cut)).toBeLessThanOrEqual(Math.abs(value));
        expect(Math.abs(value - cut)).toBeLessThan((1 + 1e-9) * 10 ** -decimals);
        expect(Math.abs(Number(cut.toFixed(decimals)) - cut)).toBe(0);
      },
    ),
  );
  expect(roundedRows(row(1.999), 2)[0]).toMatchObject({ value: 2 });
});

test("numbers are rescaled, spreads only multiplied, counts unchanged", () => {
  expect(rescaledRows(row(50), { by: 0.5, plus: 3 })).toEqual([
    { stimulus: "a", value: 28, std: 25, n: 7 },
  ]);
  const interval = {
    stimulus: "a",
    std: 2,
    ci_low: 1,
    ci_high: 4,
    min: 0,
    q1: 2,
    q3: null,
    max: 5,
  };
  expect(rescaledRows([interval], { by: -1, plus: 6 })).toEqual([
    { stimulus: "a", std: 2, ci_low: 2, ci_high: 5, min: 1, q1: null, q3: 4, max: 6 },
  ]);
  expect(rescaledRows([{ stimulus: "a", value: null, n: 0 }], { plus: 3 })).toEqual([
    { stimulus: "a", value: null, n: 0 },
  ]);
});

test("numbers are relative to the highest or to one item's, as a difference or in percent", () => {
  const rows = [...row(50), { ...row(40)[0], stimulus: "b" }] as ReturnType<typeof row>;
  const valuesOf = (...args: Parameters<typeof relativeRows>) =>
    relativeRows(...args).map(({ value }) => value);
  expect(valuesOf(rows, { to: null, as: "difference" })).toEqual([0, -10]);
  expect(valuesOf(rows, { to: "b", as: "percent" })).toEqual([125, 100]);
  expect(valuesOf(rows, { to: "c", as: "percent" })).toEqual([50, 40]);
});

test("single precision keeps exactly 24 bits", () => {
  expect(inSinglePrecision(row(0.1))[0]).toMatchObject({ value: 0.10000000149011612, n: 7 });
  expect(inSinglePrecision(row(0.375))[0]).toMatchObject({ value: 0.375 });
});

test.runIf(isWhole)(
  "over HTTP: later rules override earlier ones, for the experiment and kinds that they name",
  async () => {
    const publishing = [
      { experiment: "Cafeteria", rescale: { by: 0.5 } },
      {
        experiment: "Cafeteria",
        kinds: ["mean" as const],
        decimals: 1,
        rounding: "truncate" as const,
      },
      {
        experiment: "Cafeteria",
        kinds: ["stats" as const],
        conventions: { stats: { interval: "bootstrap" as const, bootstrap_samples: 20 } },
      },
    ];
    const results = async (rules: typeof publishing) => {
      const service = await startEmulator({ publishing: rules });
      const answer = await ask(service, "experiments/Cafeteria/results/");
      await service.close();
      return parsed<
        { kind: string; scores: Record<string, number>[]; options: Record<string, unknown> }[]
      >(answer);
    };
    const [usual, other] = [await results([]), await results(publishing)];
    const pick = (list: typeof usual, kind: string) => list.find((result) => result.kind === kind);
    const before = pick(usual, "mean")?.scores[0]?.value ?? NaN;
    const after = pick(other, "mean")?.scores[0]?.value ?? NaN;
    expect(after).toBe(Math.trunc(before * 5) / 10);
    expect(pick(other, "stats")?.scores[0]?.std).toBe(
      (pick(usual, "stats")?.scores[0]?.std ?? NaN) * 0.5,
    );
    expect(pick(other, "stats")?.options).toMatchObject({
      interval: "bootstrap",
      bootstrap_samples: 20,
      seed: 1,
    });
    expect(pick(usual, "stats")?.options).not.toHaveProperty("seed");
  },
);
