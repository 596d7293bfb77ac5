import { bayesianEloKernel } from "./bayesian-elo.js";
import { criticalValuesKernel } from "./critical-values.js";
import { eloKernel } from "./elo.js";
import type { Kernel } from "./kernel.js";

/** The kernels that a model's header may name. */
export const kernels: Readonly<Record<string, Kernel>> = {
  elo: eloKernel,
  bayesian_elo: bayesianEloKernel,
  critical_values: criticalValuesKernel,
};
