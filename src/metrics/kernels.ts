import { bayesianEloKernel } from "./bayesian-elo/kernel.js";
import { bradleyTerryKernel } from "./bradley-terry/kernel.js";
import { eloKernel } from "./elo/kernel.js";
import type { Kernel } from "./kernel.js";
import { agreementKernel } from "./statistics/agreement.js";
import { comparisonEffectKernel } from "./statistics/comparison-effect.js";
import { meanDifferencesKernel, worthDifferencesKernel } from "./statistics/differences.js";
import { pairFitKernel } from "./statistics/fit.js";
import { raterModelKernel } from "./statistics/rater-model.js";
import { pairRobustnessKernel, scoreRobustnessKernel } from "./statistics/robustness.js";
import { bootstrapKernel, criticalValuesKernel } from "./stats/kernel.js";

/** The file with the code of the kernels; of sources, this one. */
export const kernelsFile = import.meta.filename;

/** The kernels that a model's header may name. */
export const kernels: Readonly<Record<string, Kernel>> = {
  elo: eloKernel,
  bayesian_elo: bayesianEloKernel,
  bradley_terry: bradleyTerryKernel,
  bootstrap: bootstrapKernel,
  critical_values: criticalValuesKernel,
  worth_differences: worthDifferencesKernel,
  agreement: agreementKernel,
  pair_fit: pairFitKernel,
  rater_model: raterModelKernel,
  pair_robustness: pairRobustnessKernel,
  score_robustness: scoreRobustnessKernel,
  mean_differences: meanDifferencesKernel,
  comparison_effect: comparisonEffectKernel,
};
