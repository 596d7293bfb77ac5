/** The kernels that models of `sql/statistics/` name. */
import type { Kernels } from "../../metrics/index.js";
import { agreementKernel } from "./agreement.js";
import { meanDifferencesKernel, worthDifferencesKernel } from "./differences.js";
import { pairFitKernel } from "./fit.js";
import { pairRobustnessKernel, scoreRobustnessKernel } from "./robustness.js";
import { sideBiasKernel } from "./side.js";

export const kernels: Kernels = {
  worth_differences: worthDifferencesKernel,
  agreement: agreementKernel,
  pair_fit: pairFitKernel,
  pair_robustness: pairRobustnessKernel,
  score_robustness: scoreRobustnessKernel,
  mean_differences: meanDifferencesKernel,
  side_bias: sideBiasKernel,
};
