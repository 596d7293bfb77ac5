/** What the differences of a field have in common, in words. */
interface DifferingNumber {
  readonly published: number | null;
  readonly recomputed: number | null;
}

const enough = 4;

/** A clause on one field's numbers, in their order; null without a pattern. */
export function patternOf(numbers: readonly DifferingNumber[]): string | null {
  const pairs = numbers.flatMap(({ published, recomputed }) =>
    published === null || recomputed === null
      ? []
      : [{ published, recomputed, by: published - recomputed }],
  );
  if (pairs.length !== 1 && pairs.length < enough) return null;
  const decimals = Math.max(...pairs.map(({ published }) => commonDecimals(published)));
  const unit = 10 ** -decimals;
  const shown = (by: number): string =>
    `${by < 0 ? "−" : "+"}${Number(Math.abs(by).toFixed(Math.min(decimals, 4)))}`;
  const values = distinct(
    pairs.map(({ by }) => by),
    unit,
  );
  if (values.length === 1)
    return `${pairs.length === 1 ? "the" : "every"} difference is ${shown(values[0]!)}`;
  const ratios = distinct(
    pairs.map(({ published, recomputed }) => published / recomputed),
    unit / Math.min(...pairs.map(({ recomputed }) => Math.abs(recomputed))),
  );
  if (ratios.length === 1 && Number.isFinite(ratios[0]))
    return `every number is ${ratios[0]!.toPrecision(4)} times the recomputed one`;
  return null;
}

/** Published decimals; 15 if not rounded. */
export const commonDecimals = (value: number): number =>
  Math.min(15, /\.(\d+)/.exec(String(value))?.[1]?.length ?? 0);

/** Values further than `unit` from each other, ascending. */
function distinct(values: readonly number[], unit: number): number[] {
  const found: number[] = [];
  const noise = 1e-9 * Math.max(...values.map(Math.abs));
  for (const value of values.toSorted((a, b) => a - b))
    if (found.length === 0 || !(value - found.at(-1)! <= unit + noise)) found.push(value);
  return found;
}
