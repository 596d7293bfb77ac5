/** The kernels by name. */
import { packs } from "../packs.js";
import { bayesianEloKernel } from "./bayesian-elo/kernel.js";
import { bradleyTerryKernel } from "./bradley-terry/kernel.js";
import { eloKernel } from "./elo/kernel.js";
import type { Kernel } from "./kernel.js";
import { bootstrapKernel, criticalValuesKernel } from "./stats/kernel.js";

/** By the name in a model's header. */
export type Kernels = Readonly<Record<string, Kernel>>;

const own: Kernels = {
  elo: eloKernel,
  bayesian_elo: bayesianEloKernel,
  bradley_terry: bradleyTerryKernel,
  bootstrap: bootstrapKernel,
  critical_values: criticalValuesKernel,
};

export async function allKernels(): Promise<Kernels> {
  const brought = await Promise.all(packs.map(async ({ kernels }) => (await kernels?.())?.kernels));
  return Object.assign({}, own, ...brought) as Kernels;
}
