import { bayesianEloKernel } from "./bayesian-elo.js";
import { bootstrapKernel } from "./bootstrap.js";
import { bradleyTerryKernel } from "./bradley-terry.js";
import { criticalValuesKernel } from "./critical-values.js";
import { eloHistoryKernel } from "./elo-history.js";
import { eloKernel } from "./elo.js";
import type { Kernel } from "./kernel.js";

export type { Kernel };

/** The kernels that a model's header may name. */
export const kernels: Readonly<Record<string, Kernel>> = {
  elo: eloKernel,
  elo_history: eloHistoryKernel,
  bayesian_elo: bayesianEloKernel,
  bradley_terry: bradleyTerryKernel,
  bootstrap: bootstrapKernel,
  critical_values: criticalValuesKernel,
};
