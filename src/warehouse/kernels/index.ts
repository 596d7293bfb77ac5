import { bayesianEloKernel } from "./bayesian-elo.js";
import { bootstrapKernel } from "./bootstrap.js";
import { bradleyTerryKernel } from "./bradley-terry.js";
import { criticalValuesKernel } from "./critical-values.js";
import { eloKernel } from "./elo.js";
import type { Kernel, KernelOutput } from "./kernel.js";

export { sourcesQuery } from "./groups.js";
export { runKernel } from "./run-kernel.js";
export type { Kernel, KernelOutput };

/** The kernels that a model's header may name. */
export const kernels: Readonly<Record<string, Kernel>> = {
  elo: eloKernel,
  bayesian_elo: bayesianEloKernel,
  bradley_terry: bradleyTerryKernel,
  bootstrap: bootstrapKernel,
  critical_values: criticalValuesKernel,
};
