import type { Random } from "../../platform/index.js";

/** Standard normal numbers by Box and Muller's method. */
export function normalDraws(random: Random): () => number {
  let spare = NaN;
  return () => {
    if (!Number.isNaN(spare)) {
      const drawn = spare;
      spare = NaN;
      return drawn;
    }
    const radius = Math.sqrt(-2 * Math.log(1 - random()));
    const angle = 2 * Math.PI * random();
    spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  };
}

/** Lower factor L with L L' = A of a symmetric positive semidefinite A: columns without variance of their own are zero. */
export function semiFactor(matrix: Float64Array, size: number): Float64Array {
  const factor = new Float64Array(size * size);
  for (let j = 0; j < size; j++) {
    let own = matrix[j * size + j]!;
    for (let k = 0; k < j; k++) own -= factor[j * size + k]! ** 2;
    if (!(own > 1e-10 * matrix[j * size + j]!)) continue;
    const root = Math.sqrt(own);
    factor[j * size + j] = root;
    for (let i = j + 1; i < size; i++) {
      let shared = matrix[i * size + j]!;
      for (let k = 0; k < j; k++) shared -= factor[i * size + k]! * factor[j * size + k]!;
      factor[i * size + j] = shared / root;
    }
  }
  return factor;
}
