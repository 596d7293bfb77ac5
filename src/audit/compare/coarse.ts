/** Agreement that shows nothing, because the published decimals tell too few values apart. */
import { isCount, mainField, type Kind, type Table } from "../../metrics/index.js";
import { counted } from "../../platform/index.js";
import { type ComparedNumber, tableNumber } from "../result.js";
import { precisionOfResult, type PublishedGroup } from "../read/cells.js";
import { equalAt, unrounded, type Precision } from "../read/precision.js";
import type { Target } from "./target.js";

/** With fewer distinguishable values a wrong number is often rounded to the right one. */
const fewValues = 10;

const fewestRounded = 2;

/**
 * Beside unrounded numbers, a field with few decimals is rounded only if most of its numbers are.
 * Otherwise (a median) each number is exact.
 */
export function atPrecisionOfResult(
  group: PublishedGroup,
  kind: Kind,
  values: Table,
): PublishedGroup {
  const real = Object.entries(group.precision).filter(([field]) => !isCount(kind, field));
  if (!real.some(([, { decimals, single }]) => decimals === null && single === undefined))
    return group;
  const isRounded = (wanted: string, precision: Precision): boolean => {
    let rounded = 0;
    let exact = 0;
    for (const { item, field, published } of group.cells) {
      const value = field === wanted ? tableNumber(values, item, field) : NaN;
      if (Number.isNaN(value)) continue;
      if (equalAt(published.value, value, unrounded)) exact++;
      else if (equalAt(published.value, value, precision)) rounded++;
    }
    return rounded === 0 || (rounded >= fewestRounded && rounded > exact);
  };
  const vanishing = real.filter(([field, own]) => own.decimals !== null && !isRounded(field, own));
  if (vanishing.length === 0) return group;
  const precision = Object.fromEntries(vanishing.map(([field]) => [field, unrounded]));
  return { ...group, precision: { ...group.precision, ...precision } };
}

/** Of ratings: any two are on some scale. */
export const tooFew = "too few numbers to tell the unit";

export function withCoarse(
  numbers: readonly ComparedNumber[],
  { group, kind }: Target,
  areTooFew: boolean,
): ComparedNumber[] {
  const { distinguishable = Infinity } = precisionOfResult(group) ?? {};
  const isCoarse = distinguishable < fewValues && !isCount(kind, mainField(kind));
  const whole = `the published decimals distinguish fewer than ${fewValues} values`;
  const ofAll = areTooFew ? tooFew : isCoarse ? whole : undefined;
  const beside = ofAll === undefined ? coarserThanOthers(numbers, group, kind) : null;
  return numbers.map((number) => {
    if (number.nearness !== "equal" || isCount(kind, number.field)) return number;
    const coarse = ofAll ?? beside?.get(number);
    return coarse === undefined ? number : { ...number, coarse };
  });
}

const mostDecimals = 9;

/**
 * Numbers that agree only as rounded beside finer ones, which tells nothing: a lower middle score
 * of 30.0 is no rounded median of 30.05. Exempt is a field most of whose numbers must be rounded.
 */
function coarserThanOthers(
  numbers: readonly ComparedNumber[],
  { precision }: PublishedGroup,
  kind: Kind,
): ReadonlyMap<ComparedNumber, string> {
  const real = Object.entries(precision).filter(([field]) => !isCount(kind, field));
  const [finest = unrounded] = real
    .map(([, own]) => own)
    .toSorted((a, b) => a.halfWidth - b.halfWidth);
  const others = finest.decimals === null ? "are not rounded" : `have ${finest.decimals}`;
  const isShown = (value: number): boolean =>
    equalAt(Number(value.toFixed(finest.decimals ?? mostDecimals)), value, unrounded);
  const coarse = new Map<ComparedNumber, string>();
  for (const [field, { decimals, halfWidth }] of real) {
    if (decimals === null || halfWidth <= finest.halfWidth) continue;
    const agreeing = numbers.filter((own) => own.field === field && own.nearness === "equal");
    const rounded = agreeing.filter(
      ({ published, recomputed }) => !equalAt(published!, recomputed!, finest),
    );
    const endless = rounded.filter(({ recomputed }) => !isShown(recomputed!));
    if (endless.length >= fewestRounded && endless.length > agreeing.length - rounded.length)
      continue;
    const explanation =
      `equal only as rounded to ${counted(decimals, "decimal")}, and other numbers of the ` +
      `result ${others}`;
    for (const number of rounded) coarse.set(number, explanation);
  }
  return coarse;
}
