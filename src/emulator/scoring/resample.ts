/** A small generator of the service's own (xorshift32), so that resampling here shares nothing with anyone's. */
function generator(seed: number): () => number {
  // The state must not be 0; the multiplication spreads seeds that lie close together.
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** The means of so many resamples of `values`, drawn with replacement; ascending. */
export function resampledMeans(values: readonly number[], samples: number, seed: number): number[] {
  const random = generator(seed);
  const means = Array.from({ length: samples }, () => {
    let sum = 0;
    for (let draw = 0; draw < values.length; draw += 1) sum += values[Math.floor(random() * values.length)] ?? 0;
    return sum / values.length;
  });
  return means.sort((a, b) => a - b);
}
