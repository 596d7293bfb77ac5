/** values[index] += amount. */
export function addTo(values: Float64Array | Int32Array, index: number, amount: number): void {
  values[index] = (values[index] as number) + amount;
}

export function dot(x: Float64Array, y: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += (x[i] as number) * (y[i] as number);
  return sum;
}

/** Equal neighbours in a column: `from` up to but not including `to`. */
export interface Run {
  readonly from: number;
  readonly to: number;
}

export function runsOf(values: ArrayLike<number>): Run[] {
  const runs: Run[] = [];
  for (let from = 0; from < values.length;) {
    let to = from + 1;
    while (to < values.length && values[to] === values[from]) to++;
    runs.push({ from, to });
    from = to;
  }
  return runs;
}
