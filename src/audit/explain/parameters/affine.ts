import { patched, type Rescaling, type Scenario } from "../../evaluate/scenario.js";
import { parameter, type Identified, type Parameter } from "./parameter.js";
import { oneDigitWithin, simplestWithin } from "../../target/index.js";
import { slopesOf } from "./slopes.js";
import { mostOutliers } from "./trim.js";
import { agreedRange, agreedShift, keeping, shiftRange, type Range, type Values } from "./values.js";

/** Fewest numbers from which a scale and a shift are found: one more than there are parameters. */
const enough = 3;
/** Pairs of a scale and a shift that are tried, those that are said in the fewest bits. */
const mostPairs = 4;

/**
 * Whether the numbers determine a scale. Those that differ by a unit of their last decimal at most allow one of nearly 0,
 * by two one of which the largest is three times the least: almost anything is brought there.
 */
const isDetermined = ([low, high]: Range): boolean => low > 0 && high < 3 * low;

/**
 * published = shift + scale · computed, in closed form: a shift alone, a scale alone, or both, the scale possibly
 * turned round. `withScale` false where a convention already says what the scale is.
 */
export function identifyAffine(values: Values, scenario: Scenario, withScale: boolean): Identified[] {
  if (scenario.rescaled !== null || values.published.length < 2) return [];
  const found = [shiftAlone(values, scenario)];
  if (withScale) {
    for (const turn of [1, -1]) {
      const turned = patched(scenario, { rescaled: { scale: turn, shift: 0 } });
      const model = values.model(turned);
      found.push(...scaleAlone(values, model, turn), ...both(values, model, turn));
    }
  }
  return found
    .filter((f) => f !== null)
    .filter((f) => shows(f.rescaled))
    .map(({ rescaled, parameters }) => ({ scenario: patched(scenario, { rescaled }), parameters }));

  /** A map that moves most numbers by less than a unit of the last decimal is how they were rounded, not a scale. */
  function shows({ scale, shift }: Rescaling): boolean {
    const plain = values.model(scenario);
    const turned = values.model(patched(scenario, { rescaled: { scale, shift } }));
    const moved = turned.filter((v, i) => Math.abs(v - (plain[i] as number)) > 2 * (values.halfWidth[i] as number));
    return moved.length > turned.length / 2;
  }
}

interface Found {
  readonly rescaled: Rescaling;
  readonly parameters: readonly Parameter[];
}

/** Points counted from another number make a whole shift; a fraction is what some shifted ratings leave in a mean. */
function shiftAlone(values: Values, scenario: Scenario): Found | null {
  const {
    range: [low, high],
    agree,
  } = agreedShift(values.published, values.model(scenario), values.halfWidth);
  if (values.published.length - agree > mostOutliers(values.published.length)) return null;
  const shift = Math.round((low + high) / 2);
  return shift === 0 || !(low <= shift && shift <= high)
    ? null
    : { rescaled: { scale: 1, shift }, parameters: [parameter("shift", shift, low, high)] };
}

function scaleAlone({ published, halfWidth }: Values, model: Float64Array, turn: number): Found[] {
  const ranges = Array.from(published, (y, i): Range => {
    const own = model[i] as number;
    const half = halfWidth[i] as number;
    return own > 0 ? [(y - half) / own, (y + half) / own] : [(y + half) / own, (y - half) / own];
  }).filter(([low, high]) => Number.isFinite(low) && Number.isFinite(high));
  const {
    range: [low, high],
    agree,
  } = agreedRange(ranges);
  if (ranges.length - agree > mostOutliers(ranges.length) || !isDetermined([low, high])) return [];
  return simplestWithin(low, high)
    .map((size) => turn * size)
    .filter((scale) => scale * turn > 0 && scale !== 1)
    .map((scale) => ({
      rescaled: { scale, shift: 0 },
      parameters: [parameter("scale", scale, turn * low, turn * high)],
    }));
}

function both(values: Values, model: Float64Array, turn: number): Found[] {
  if (values.published.length < enough) return [];
  const {
    range: [low, high],
    kept,
  } = slopesOf(values, model);
  if (!isDetermined([low, high])) return [];
  if (turn > 0 && low <= 1 && high >= 1) return []; // then it is a shift alone
  const shifts = shiftsOver(
    keeping(values, kept),
    Float64Array.from(kept, (i) => model[i] as number),
    [low, high],
  );
  const found = [...new Set([...simplestWithin(low, high), ...oneDigitWithin(low, high)])].flatMap((size): Found[] => {
    const scale = turn * size;
    const [from, to] = shiftRange(
      values.published,
      model.map((m) => size * m),
      values.halfWidth,
    );
    const shift = simplestWithin(from, to)[0] ?? 0;
    if (shift === 0) return [];
    const scales = parameter("scale", scale, turn * low, turn * high);
    return [{ rescaled: { scale, shift }, parameters: [scales, parameter("shift", shift, ...shifts)] }];
  });
  return found.sort((a, b) => bitsOf(a) - bitsOf(b)).slice(0, mostPairs);
}

const bitsOf = ({ parameters }: Found): number => parameters.reduce((sum, { bits }) => sum + bits, 0);

/** Every shift that goes with some slope of a range: the ends are convex in the slope, so that thirds close in on them. */
function shiftsOver({ published, halfWidth }: Values, model: Float64Array, [low, high]: Range): Range {
  const least = (slope: number): number =>
    published.reduce(
      (most, y, i) => Math.max(most, y - (halfWidth[i] as number) - slope * (model[i] as number)),
      -Infinity,
    );
  const most = (slope: number): number =>
    published.reduce(
      (end, y, i) => Math.min(end, y + (halfWidth[i] as number) - slope * (model[i] as number)),
      Infinity,
    );
  return [lowest(least, low, high), -lowest((slope) => -most(slope), low, high)];
}

/** The least value of a convex function, to the width of a double or nearly. */
function lowest(of: (x: number) => number, low: number, high: number): number {
  for (let step = 0; step < 80; step++) {
    const third = (high - low) / 3;
    if (of(low + third) <= of(high - third)) high -= third;
    else low += third;
  }
  return of((low + high) / 2);
}
