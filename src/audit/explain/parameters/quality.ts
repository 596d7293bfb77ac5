import { patched, type Scenario } from "../../evaluate/index.js";
import { simplestIn } from "../../target/index.js";
import {
  parameter,
  type FoundParameters,
  fourFifths,
  keeping,
  type MainValues,
  areRounding,
  dot,
  pick,
  radiusOf,
  residuals,
} from "./values.js";

/** Fits that one search takes, about: the grid, the steps and the simple numbers at the end. */
export const qualityFits = 50;

/** A prior of the raters' quality. */
type QualityPrior = readonly [alpha: number, beta: number];

/** Priors from which a search starts. */
const priors: readonly QualityPrior[] = [
  [10, 2],
  [5, 1],
  [2, 2],
  [20, 2],
  [1, 1],
];

/** Those whose fits take tens of rounds, not thousands as they do if a quality may reach 1. */
export const quickPriors: readonly QualityPrior[] = [
  [10, 2],
  [2, 2],
  [20, 2],
];

/** The factor by which a fit with quality must be closer than the one without. */
const nearer = 0.8;
const newtonSteps = 12;

const priorOf = (scenario: Scenario, prior: QualityPrior | null): Scenario => {
  const quality = prior === null ? null : { alpha: prior[0], beta: prior[1] };
  return patched(scenario, { conventions: { bayesian_elo: { rater_quality: quality } } });
};

/** Whether a search may succeed: four fifths of the numbers are nearer to fits with quality than to the one without. */
export function isQualityNear(values: MainValues, scenario: Scenario): boolean {
  const distance = (prior: QualityPrior | null): number => {
    const rest = residuals(values.published, values.model(priorOf(scenario, prior)));
    const kept = pick(rest, fourFifths(rest));
    return Math.sqrt(dot(kept, kept));
  };
  const without = distance(null);
  return quickPriors.some((prior) => distance(prior) < nearer * without);
}

/** A prior with the residuals that it leaves. */
interface Fitted {
  readonly point: QualityPrior;
  readonly rest: Float64Array;
  readonly squares: number;
}

type Slopes = readonly [alpha: Float64Array, beta: Float64Array];

interface Minimum {
  readonly best: Fitted;
  readonly values: MainValues;
  readonly slopes: Slopes;
}

/** alpha and beta of the prior of each rater's quality: Gauss-Newton in two dimensions, both 1 or more. */
export function identifyQuality(all: MainValues, scenario: Scenario, starts = priors): FoundParameters[] {
  const start = starts.map((point) => at(all, point)).reduce((best, a) => (a.squares < best.squares ? a : best));
  const kept = keeping(all, fourFifths(start.rest));
  const whole = descend(all, start);
  const found = follows(whole) ? whole : descend(kept, at(kept, start.point));
  if (!follows(found)) return [];
  const [alphas, betas] = rangesOf(found);
  return simplePoints(found).map(([alpha, beta]) => ({
    scenario: priorOf(scenario, [alpha, beta]),
    parameters: [parameter("alpha", alpha, ...alphas), parameter("beta", beta, ...betas)],
  }));

  function at(values: MainValues, point: QualityPrior): Fitted {
    const rest = residuals(values.published, values.model(priorOf(scenario, point)));
    return { point, rest, squares: dot(rest, rest) };
  }

  function descend(values: MainValues, from: Fitted): Minimum {
    let best = from;
    let slopes = slopesAt(values, best);
    for (let step = 0; step < newtonSteps; step++) {
      const next = better(values, best, newtonStep(slopes, best.rest));
      if (next === null) break;
      best = next;
      slopes = slopesAt(values, best);
    }
    return { best, values, slopes };
  }

  /** The point after the whole step or, failing that, after a fraction of it; null if none is better. */
  function better(
    values: MainValues,
    { point: [alpha, beta], squares }: Fitted,
    [byAlpha, byBeta]: QualityPrior,
  ): Fitted | null {
    for (const factor of [1, 0.25, 0.06]) {
      const next = at(values, [Math.max(1, alpha + factor * byAlpha), Math.max(1, beta + factor * byBeta)]);
      if (next.squares < squares) return next;
    }
    return null;
  }

  function slopesAt(values: MainValues, { point: [alpha, beta], rest }: Fitted): Slopes {
    const along = (point: QualityPrior, step: number): Float64Array =>
      at(values, point).rest.map((r, i) => (rest[i]! - r) / step);
    return [along([alpha * (1 + 1e-5), beta], alpha * 1e-5), along([alpha, beta * (1 + 1e-5)], beta * 1e-5)];
  }
}

const follows = ({ best, values }: Minimum): boolean => areRounding(best.rest, values.halfWidth);

const axes = [0, 1] as const;
const otherAxis = (axis: 0 | 1): 0 | 1 => (axis === 0 ? 1 : 0);

/** How far each parameter may be off while the other makes up for it. */
const freeRadii = ({ values, slopes }: Minimum): number[] =>
  axes.map((axis) => radiusOf(withoutOther(slopes, axis), values.halfWidth));

function rangesOf(found: Minimum): [[low: number, high: number], [low: number, high: number]] {
  const [alpha = 0, beta = 0] = freeRadii(found);
  const [a, b] = found.best.point;
  return [
    [Math.max(1, a - alpha), a + alpha],
    [Math.max(1, b - beta), b + beta],
  ];
}

/** Simple numbers for one parameter, and for the other what then comes closest. */
function simplePoints(found: Minimum): QualityPrior[] {
  const { best, values, slopes } = found;
  const free = freeRadii(found);
  const points = axes.flatMap((axis) =>
    [2, 1, 0.25, 0].map((share): QualityPrior => {
      const other = otherAxis(axis);
      const first = near(best.point[axis], share * free[axis]!);
      const drift = -(dot(slopes[0], slopes[1]) / dot(slopes[other], slopes[other])) * (first - best.point[axis]);
      const alone = radiusOf(slopes[other], values.halfWidth);
      const second = near(best.point[other] + drift, Math.max(share, 0.25) * alone);
      return axis === 0 ? [first, second] : [second, first];
    }),
  );
  return [...new Map(points.map((point) => [point.join(), point])).values()];
}

const near = (value: number, radius: number): number => Math.max(1, simplestIn(value - radius, value + radius));

/** The part of one slope that the other parameter cannot make up for. */
function withoutOther(slopes: Slopes, axis: 0 | 1): Float64Array {
  const own = slopes[axis];
  const other = slopes[otherAxis(axis)];
  return residuals(own, other, 0, dot(own, other) / dot(other, other));
}

/** The step to the smallest squares if the slopes were constant. */
function newtonStep([a, b]: Slopes, rest: Float64Array): QualityPrior {
  const aa = dot(a, a);
  const ab = dot(a, b);
  const bb = dot(b, b);
  const ar = dot(a, rest);
  const br = dot(b, rest);
  const determinant = aa * bb - ab * ab;
  return determinant > 0 ? [(bb * ar - ab * br) / determinant, (aa * br - ab * ar) / determinant] : [0, 0];
}
