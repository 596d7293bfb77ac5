/**
 * The free numbers of an explanation: a line through the published numbers, as a scale and a shift.
 */
import { metricKind, type Kind } from "../../metrics/index.js";
import { locations, patched, type Scenario, type ScenarioPatch } from "../evaluate/scenario.js";
import type { Evaluator } from "../evaluate/evaluator.js";
import {
  bitsOfDecimal,
  simplestIn,
  simplestWithin,
  centreOf,
  maxOutliers,
  modelOf,
  type Target,
} from "../target.js";
import { truncation, type Hypothesis } from "./hypotheses.js";

/** A free number that the audit derives from the published ones. */
export interface Parameter {
  readonly name: string;
  readonly value: number;
  /** The published precision allows any value from `low` to `high`. */
  readonly low: number;
  readonly high: number;
  /** Bits to state the value. */
  readonly bits: number;
  /** The line that it belongs to. */
  readonly set: ScenarioPatch;
}

/** A scenario with the parameters found for it. */
export interface FoundParameters {
  readonly scenario: Scenario;
  readonly parameters: readonly Parameter[];
}

/** Bits to state a usual value. */
const usualBits = 3;

/**
 * Whether a value is a convention (`inUse` of the kind), not one that only these numbers suggest.
 */
export const isInUse = (kind: Kind, { name, value }: Pick<Parameter, "name" | "value">): boolean =>
  metricKind(kind).inUse?.[name]?.includes(value) === true;

/** What moves all numbers of a kind by the same amount. */
interface Level {
  readonly name: string;
  readonly of: (scenario: Scenario) => number;
  readonly set: (value: number, scale: number) => ScenarioPatch;
}

const ratingLevels: Partial<Record<Kind, Level>> = {
  elo: {
    name: "start",
    of: ({ conventions }) => conventions.elo.start,
    set: (start) => ({ conventions: { elo: { start } } }),
  },
  bayesian_elo: {
    name: "anchor",
    of: ({ conventions }) => conventions.bayesian_elo.anchor,
    set: (anchor) => ({ conventions: { bayesian_elo: { anchor } } }),
  },
};

/** Whether the ratings of a kind have a level of their own. */
export const hasLevel = (kind: Kind): boolean => ratingLevels[kind] !== undefined;

/** Maps numbers after they were computed. Only such a line has a scale. */
const shift: Level = {
  name: "shift",
  of: () => 0,
  set: (by, scale) => ({ rescaled: { scale, shift: by } }),
};

/** The parameters that may be fitted to the numbers of a kind. */
export const parameterNames = (kind: Kind): string[] => [
  ...(ratingLevels[kind] === undefined ? [] : [ratingLevels[kind].name]),
  "scale",
  "shift",
];

/** The published numbers on the metric's own scale. */
interface Located {
  readonly kind: Kind;
  /** The middle of what each number may have been before it was rounded. */
  readonly published: Float64Array;
  readonly halfWidth: Float64Array;
  /** The same numbers recomputed under a scenario. */
  readonly model: (scenario: Scenario) => Float64Array;
}

function locatedIn(target: Target, evaluator: Evaluator, scenario: Scenario): Located {
  const { kind, cells, halfWidth } = target;
  const all = (s: Scenario): Float64Array => modelOf(target, evaluator.table(kind, s, false));
  const present = all(scenario);
  const used = cells.flatMap(({ field }, i) =>
    field in locations && Number.isFinite(present[i]) ? [i] : [],
  );
  const pick = (values: Float64Array): Float64Array => Float64Array.from(used, (i) => values[i]!);
  const published = Float64Array.from(used, (i) =>
    centreOf(target, cells[i]!, scenario.rounding, present[i]!),
  );
  return { kind, published, halfWidth: pick(halfWidth), model: (s) => pick(all(s)) };
}

/** Fewest numbers that show a level, and a scale as well. */
const enough = { level: 2, scale: 3 };

/**
 * Every line under which a scenario may give the published numbers. Numbers are fitted to the
 * conventions that are given; under a `combination` of others, only a line of usual values counts.
 */
export function identify(
  target: Target,
  evaluator: Evaluator,
  scenario: Scenario,
  combination: readonly Hypothesis[],
): FoundParameters[] {
  const { kind } = target;
  const has = (...axes: string[]): boolean => combination.some((h) => axes.includes(h.axis));
  const isFree = combination.every(({ axis }) => axis === "rounding" || axis === "scale");
  const isMapped = scenario.rescaled !== null || scenario.relative !== null || has("rounding");
  const level = ratingLevels[kind];
  // Counts are on no scale.
  if (!truncation.kinds.includes(kind)) return [];
  const located = locatedIn(target, evaluator, scenario);
  const count = located.published.length;
  if (count < enough.level) return [];
  const found = level === undefined ? [] : lineOf(located, scenario, level, ownScale);
  // Ratings have a level of their own; on another scale they are mapped as other numbers are.
  if (!isMapped && (level === undefined || isFree)) {
    const hasScale = count >= enough.scale && !has("scale", "denominator");
    const scales = hasScale ? [1, -1].flatMap((sign) => scalesOf(located, scenario, sign)) : [];
    const lines = level === undefined ? [ownScale, ...scales] : scales;
    found.push(...lines.flatMap((scale) => lineOf(located, scenario, shift, scale)));
  }
  return found.filter(({ parameters }) => isFree || parameters.every((p) => isInUse(kind, p)));
}

/** A scale, and the ends of what it may be. */
type Scale = readonly [value: number, ends: readonly number[]];

const ownScale: Scale = [1, []];

/**
 * The simplest scales that the numbers agree on, without a shift and with any; a negative one is
 * reversed.
 */
function scalesOf(located: Located, scenario: Scenario, sign: number): Scale[] {
  const model = located.model(patched(scenario, shift.set(0, sign)));
  return [ratiosOf(located, model), slopesOf(located, model)].flatMap(([low, high]) => {
    if (!(low > 0) || (sign > 0 && low <= 1 && high >= 1)) return [];
    return simplestWithin(low, high).map((size): Scale => [sign * size, [sign * low, sign * high]]);
  });
}

/** The line of a scale, with the level that it needs; none if it gives or moves few numbers. */
function lineOf(
  located: Located,
  scenario: Scenario,
  level: Level,
  scale: Scale,
): FoundParameters[] {
  const { kind, published, halfWidth, model } = located;
  const [size, ends] = scale;
  const own = level.of(scenario);
  const shiftsAt = (one: number): Agreement =>
    shiftsOf(located, model(patched(scenario, level.set(own, one))));
  const { range, agree } = shiftsAt(size);
  if (published.length - agree > maxOutliers(published.length)) return [];
  const value = valueIn(range);
  const set = level.set(value, size);
  const line = patched(scenario, set);
  const plain = model(scenario);
  const moved = model(line).filter((v, i) => Math.abs(v - plain[i]!) > 2 * halfWidth[i]!);
  // A line that moves most numbers by less than a unit of the last decimal is rounding.
  if (moved.length <= plain.length / 2) return [];
  const reached = [range, ...ends.map((end) => shiftsAt(end).range)].flat().map((by) => own + by);
  const parameters = [
    ...(scale === ownScale ? [] : [parameter("scale", size, ends)]),
    ...(value === own ? [] : [parameter(level.name, value, reached)]),
  ];
  return [{ scenario: line, parameters }];

  /**
   * The simplest level of a range of shifts. A shift alone is whole: a fraction comes from wrong
   * ratings.
   */
  function valueIn([low, high]: Range): number {
    if (low <= 0 && high >= 0) return own;
    if (level !== shift || scale !== ownScale) return simplestIn(own + low, own + high);
    const whole = Math.round((low + high) / 2);
    return low <= whole && whole <= high ? whole : own;
  }

  function parameter(name: string, of: number, among: readonly number[]): Parameter {
    const bits = isInUse(kind, { name, value: of }) ? usualBits : bitsOfDecimal(of);
    return {
      name,
      value: of,
      low: Math.min(of, ...among),
      high: Math.max(of, ...among),
      bits,
      set,
    };
  }
}

type Range = readonly [low: number, high: number];

/** A range on which `agree` ranges agree. */
interface Agreement {
  readonly range: Range;
  readonly agree: number;
}

/** What most of the ranges have in common, so that a wrong number does no harm. */
function agreementOf(ranges: readonly Range[]): Agreement {
  const edges = ranges.flatMap(([low, high]) => [
    { at: low, by: 1 },
    { at: high, by: -1 },
  ]);
  edges.sort((a, b) => a.at - b.at || b.by - a.by);
  let found: Agreement = { range: [NaN, NaN], agree: 0 };
  let open = 0;
  edges.forEach(({ at, by }, i) => {
    open += by;
    if (open > found.agree) found = { range: [at, edges[i + 1]!.at], agree: open };
  });
  return found;
}

const around = (middle: number, half: number): Range => [middle - half, middle + half];

/** The shifts of a model that reproduce the most numbers. */
const shiftsOf = ({ published, halfWidth }: Located, model: Float64Array): Agreement =>
  agreementOf(Array.from(published, (y, i) => around(y - model[i]!, halfWidth[i]!)));

/** The scales of a model that reproduce the most numbers without a shift. */
const ratiosOf = ({ published, halfWidth }: Located, model: Float64Array): Range =>
  agreementOf(
    Array.from(published, (y, i) =>
      around(y / model[i]!, halfWidth[i]! / Math.abs(model[i]!)),
    ).filter((range) => range.every(Number.isFinite)),
  ).range;

/** Most numbers that are compared in pairs: an even sample of more. */
const maxInPairs = 120;

/** The slopes that the most pairs of numbers allow, whatever the shift. */
function slopesOf({ published, halfWidth }: Located, model: Float64Array): Range {
  const stride = Math.ceil(published.length / maxInPairs);
  const ranges: Range[] = [];
  for (let i = 0; i < published.length; i += stride) {
    for (let j = 0; j < i; j += stride) {
      const run = model[i]! - model[j]!;
      if (run === 0) continue;
      ranges.push(
        around(
          (published[i]! - published[j]!) / run,
          (halfWidth[i]! + halfWidth[j]!) / Math.abs(run),
        ),
      );
    }
  }
  return agreementOf(ranges).range;
}
