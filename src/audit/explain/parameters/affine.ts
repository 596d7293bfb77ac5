import { patched, type Rescaling, type Scenario } from "../../evaluate/index.js";
import { maxOutliers, oneDigitWithin, simplestWithin } from "../../target/index.js";
import { parameter, type Identified, type Parameter } from "./parameter.js";
import { slopesOf } from "./slopes.js";
import { agreedRange, agreedShift, keeping, type Range, type MainValues } from "./values.js";
import { pick } from "./vectors.js";

/** Fewest numbers from which a scale and a shift are found: one more than there are parameters. */
const minNumbers = 3;
/** Maximum number of pairs of a scale and a shift to try, the cheapest to state first. */
const maxPairs = 4;

/**
 * published = shift + scale · computed, in closed form: a shift alone, a scale alone, or both; the scale may be
 * reversed (negative). `withScale` false if a convention already states the scale.
 */
export function identifyAffine(values: MainValues, scenario: Scenario, withScale: boolean): Identified[] {
  if (scenario.rescaled !== null || scenario.relative !== null || values.published.length < 2) return [];
  const plain = values.model(scenario);
  const found = shiftAlone(values, plain);
  for (const sign of withScale ? [1, -1] : []) {
    const model = modelUnder({ scale: sign, shift: 0 });
    found.push(...scaleAlone(values, model, sign), ...both(values, model, sign));
  }
  return found
    .filter((f) => movesMost(f.rescaled))
    .map(({ rescaled, parameters }) => ({ scenario: patched(scenario, { rescaled }), parameters }));

  function modelUnder(rescaled: Rescaling): Float64Array {
    return values.model(patched(scenario, { rescaled }));
  }

  /** A map that moves most numbers by less than a unit of the last decimal is rounding, not a scale. */
  function movesMost({ scale, shift }: Rescaling): boolean {
    const model = modelUnder({ scale, shift });
    const moved = model.filter((v, i) => Math.abs(v - (plain[i] as number)) > 2 * (values.halfWidth[i] as number));
    return moved.length > model.length / 2;
  }
}

interface Found {
  readonly rescaled: Rescaling;
  readonly parameters: readonly Parameter[];
}

/** Points counted from another number make a whole shift; a fraction comes from wrongly shifted ratings. */
function shiftAlone({ published, halfWidth }: MainValues, model: Float64Array): Found[] {
  const { range, agree } = agreedShift(published, model, halfWidth);
  if (published.length - agree > maxOutliers(published.length)) return [];
  const [low, high] = range;
  const shift = Math.round((low + high) / 2);
  if (shift === 0 || !(low <= shift && shift <= high)) return [];
  return [{ rescaled: { scale: 1, shift }, parameters: [parameter("shift", shift, low, high)] }];
}

function scaleAlone({ published, halfWidth }: MainValues, model: Float64Array, sign: number): Found[] {
  const ranges = Array.from(published, (y, i): Range => {
    const own = model[i] as number;
    const half = Math.sign(own) * (halfWidth[i] as number);
    return [(y - half) / own, (y + half) / own];
  }).filter(([low, high]) => Number.isFinite(low) && Number.isFinite(high));
  const { range, agree } = agreedRange(ranges);
  if (ranges.length - agree > maxOutliers(ranges.length)) return [];
  const [low, high] = range;
  return simplestWithin(low, high)
    .filter((size) => size > 0 && sign * size !== 1)
    .map((size) => ({
      rescaled: { scale: sign * size, shift: 0 },
      parameters: [parameter("scale", sign * size, sign * low, sign * high)],
    }));
}

function both(values: MainValues, model: Float64Array, sign: number): Found[] {
  if (values.published.length < minNumbers) return [];
  const { range, kept } = slopesOf(values, model);
  const [low, high] = range;
  if (!(low > 0)) return [];
  if (sign > 0 && low <= 1 && high >= 1) return []; // then it is a shift alone
  const shifts = shiftsOver(keeping(values, kept), pick(model, kept), range);
  const sizes = new Set([...simplestWithin(low, high), ...oneDigitWithin(low, high)]);
  const found = [...sizes].flatMap((size): Found[] => {
    const scaled = model.map((m) => size * m);
    const shift = simplestWithin(...agreedShift(values.published, scaled, values.halfWidth).range)[0] ?? 0;
    if (shift === 0) return [];
    const scale = parameter("scale", sign * size, sign * low, sign * high);
    return [{ rescaled: { scale: scale.value, shift }, parameters: [scale, parameter("shift", shift, ...shifts)] }];
  });
  return found.sort((a, b) => bitsOf(a) - bitsOf(b)).slice(0, maxPairs);
}

const bitsOf = ({ parameters }: Found): number => parameters.reduce((sum, { bits }) => sum + bits, 0);

/** Every shift that goes with some slope of a range; both ends are convex in the slope. */
function shiftsOver({ published, halfWidth }: MainValues, model: Float64Array, [low, high]: Range): Range {
  /** The shift that keeps every number above (side 1) or below (side -1) its line of this slope, times side. */
  const end = (slope: number, side: 1 | -1): number =>
    published.reduce(
      (most, y, i) => Math.max(most, side * (y - side * (halfWidth[i] as number) - slope * (model[i] as number))),
      -Infinity,
    );
  return [minimum((slope) => end(slope, 1), low, high), -minimum((slope) => end(slope, -1), low, high)];
}

/** The minimum of a convex function by ternary search, nearly to the precision of a double. */
function minimum(of: (x: number) => number, low: number, high: number): number {
  for (let step = 0; step < 80; step++) {
    const third = (high - low) / 3;
    if (of(low + third) <= of(high - third)) high -= third;
    else low += third;
  }
  return of((low + high) / 2);
}
