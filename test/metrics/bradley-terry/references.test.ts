import { expect, test } from "vitest";
import { bradleyTerry } from "../../../src/metrics/bradley-terry/bradley-terry.js";
import { defaultConventions } from "../../../src/metrics/conventions.js";
import { pairs } from "../../support/pair-counts.js";

const convention = { ...defaultConventions.bradley_terry, rater_samples: 0 };

test("Wikipedia's example: worths and sandwich errors", () => {
  const fit = bradleyTerry(
    pairs(4, [
      [0, 1, 2, 3],
      [0, 3, 1, 4],
      [1, 2, 5, 3],
      [2, 3, 1, 3],
    ]),
    convention,
  );
  expect(fit.converged).toBe(true);
  // Eight published decimals.
  [0.63983482, 1.0433144, 0.6598102, 2.27037663].forEach((worth, i) =>
    expect(Math.exp(fit.value[i]!)).toBeCloseTo(worth, 7),
  );
  [0.54434316, 0.48465491, 0.52817332, 0.62396996].forEach((error, i) =>
    expect(fit.standardError[i]).toBeCloseTo(error, 7),
  );
});

test("statisticians' citations (Stigler 1994) relative to Biometrika", () => {
  // Biometrika, Communications in Statistics, JASA, JRSS-B; citations received from one another.
  const fit = bradleyTerry(
    pairs(4, [
      [0, 1, 730, 33],
      [0, 2, 498, 320],
      [0, 3, 221, 284],
      [1, 2, 68, 813],
      [1, 3, 17, 276],
      [2, 3, 142, 325],
    ]),
    convention,
  );
  // Five published decimals.
  [-2.94907, -0.47957, 0.26895].forEach((value, i) =>
    expect(fit.value[i + 1]! - fit.value[0]!).toBeCloseTo(value, 5),
  );
});
