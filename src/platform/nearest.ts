/** The edit distance of two words: letters inserted, removed, replaced, or swapped with their neighbour. */
function distance(a: string, b: string): number {
  let [before, last]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (last?.[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? (before?.[j - 2] ?? 0) + 1 : Infinity;
      row.push(Math.min((last?.[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, changed, swapped));
    }
    [before, last] = [last, row];
  }
  return last?.[b.length] ?? 0;
}

/** ` Did you mean X?` with the nearest of the known names, or nothing if none is near: at most a third of its letters differ. */
export function didYouMean(mistyped: string, known: readonly string[]): string {
  const near = known
    .map((name) => ({ name, steps: distance(mistyped.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, steps }) => steps <= Math.max(1, Math.ceil(name.length / 3)))
    .sort((x, y) => x.steps - y.steps);
  return near[0] === undefined ? "" : ` Did you mean ${near[0].name}?`;
}
