/** values[index] += amount. */
export function addTo(values: Float64Array, index: number, amount: number): void {
  values[index] = (values[index] as number) + amount;
}

export function dot(x: Float64Array, y: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += (x[i] as number) * (y[i] as number);
  return sum;
}
