/** The values at `indices`. */
export const pick = (values: Float64Array, indices: readonly number[]): Float64Array =>
  Float64Array.from(indices, (i) => values[i] as number);

export const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, v, i) => sum + v * (b[i] as number), 0);

/** published - shift - scale · model. */
export const residuals = (published: Float64Array, model: Float64Array, shift = 0, scale = 1): Float64Array =>
  published.map((y, i) => y - shift - scale * (model[i] as number));

/** True if each residual is at most twice the rounding of its number: then one curve gives them all. */
export const areRounding = (rest: Float64Array, halfWidth: Float64Array): boolean =>
  rest.every((r, i) => Math.abs(r) <= 2 * (halfWidth[i] as number));

/** By how much a parameter may be off before a number is missed, given how the numbers change with it. */
export const radiusOf = (slope: Float64Array, halfWidth: Float64Array): number =>
  slope.reduce((least, s, i) => Math.min(least, (halfWidth[i] as number) / Math.abs(s)), Infinity);
