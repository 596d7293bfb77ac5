/** Random numbers of known distributions, and the factor that correlates them. */
import type { Random } from "../../platform/index.js";

/** Standard normal numbers (Box and Muller 1958). */
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

/** From here on the cube of a normal number is as good (Wilson and Hilferty 1931). */
const manyDegrees = 30;

export function chiSquaredDraws(df: number, normal: () => number): () => number {
  if (df >= manyDegrees) {
    const variance = 2 / (9 * df);
    return () => df * (1 - variance + Math.sqrt(variance) * normal()) ** 3;
  }
  return () => {
    let sum = 0;
    for (let k = 0; k < df; k++) sum += normal() ** 2;
    return sum;
  };
}

/** Lower L, L L' = A; columns without own variance are zero. */
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
