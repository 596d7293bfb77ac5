/** Published means whose ratings the snapshot does not hold, and that cannot be means at all. */
import { mainField, type Kind } from "../../metrics/index.js";
import { numberOf, type ComparedNumber } from "../result.js";
import type { Target } from "./target.js";
import { halfWidthAt, unrounded } from "../read/precision.js";

const meansOfWholes: ReadonlySet<string> = new Set<Kind>([
  "mean",
  "stats",
  "percent_chosen",
  "percent_approved",
]);

/** Above the rounding error of a sum, below what a published digit moves. */
const sumNoise = 1e-9;

/** Means and shares that no sum of whole answers gives (GRIM: Brown and Heathers 2017). */
export function impossibleMeans({ group, kind }: Pick<Target, "group" | "kind">): ComparedNumber[] {
  if (!meansOfWholes.has(kind)) return [];
  const main = mainField(kind);
  const cellsOf = (name: string) => group.cells.filter(({ field }) => field === name);
  const counts = new Map(cellsOf("n").map(({ item, published }) => [item, published.value]));
  const means = cellsOf(main);
  const isPercentage =
    kind.startsWith("percent") && means.some(({ published }) => Math.abs(published.value) > 1);
  return means.flatMap(({ item, field, published: { value: published } }) => {
    const n = counts.get(item) ?? 0;
    const answers = isPercentage ? n / 100 : n;
    const sum = published * answers;
    const room = halfWidthAt(group.precision[main] ?? unrounded, published) * answers;
    const isSum = Math.abs(sum - Math.round(sum)) <= room + sumNoise * Math.max(1, Math.abs(sum));
    if (!Number.isInteger(n) || n < 1 || isSum) return [];
    const impossible = `no sum of ${n} whole answers gives it`;
    return [numberOf(group, { item, field, published, impossible })];
  });
}
