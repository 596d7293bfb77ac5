import type { Scenario } from "../../evaluate/scenario.js";
import { parameter, type Identified } from "./parameter.js";
import { simplestIn } from "../../target/index.js";
import { keeping, type Values } from "./values.js";
import { priorOf, priors, type Point } from "./quality-reach.js";
import { fourOfFive } from "./trim.js";

/** Fits that one search takes, about: the grid, the steps and the simple numbers in the end. */
export const qualityFits = 50;

const newtonSteps = 12;

interface At {
  readonly point: Point;
  readonly rest: Float64Array;
  readonly squares: number;
}

/** alpha and beta of the prior of each rater's quality: Gauss-Newton in two dimensions, both 1 or more. */
export function identifyQuality(all: Values, scenario: Scenario, starts = priors): Identified[] {
  const nearest = starts
    .map((point) => leftBy(all, point, all.rough(priorOf(scenario, point)).model))
    .reduce((best, a) => (a.squares < best.squares ? a : best));
  const start = at(all, nearest.point);
  const kept = fourOfFive(start.rest);
  const whole = descend(all, start);
  const found = follows(whole) ? whole : descend(keeping(all, kept), at(keeping(all, kept), start.point));
  return follows(found) ? simple(found).map(identified) : [];

  function at(values: Values, point: Point): At {
    return leftBy(values, point, values.model(priorOf(scenario, point)));
  }

  function leftBy(values: Values, point: Point, model: Float64Array): At {
    const rest = values.published.map((y, i) => y - (model[i] as number));
    return { point, rest, squares: rest.reduce((sum, r) => sum + r * r, 0) };
  }

  function descend(values: Values, from: At): { best: At; values: Values; slopes: Slopes } {
    let best = from;
    let slopes = slopesAt(values, best);
    for (let step = 0; step < newtonSteps; step++) {
      const change = newtonStep(slopes, best.rest);
      const next = [1, 0.25, 0.06]
        .map((factor): Point => [
          Math.max(1, best.point[0] + factor * change[0]),
          Math.max(1, best.point[1] + factor * change[1]),
        ])
        .map((point) => () => at(values, point))
        .reduce<At | null>((found, tried) => found ?? better(tried(), best), null);
      if (next === null) break;
      best = next;
      slopes = slopesAt(values, best);
    }
    return { best, values, slopes };
  }

  function slopesAt(values: Values, { point: [alpha, beta], rest }: At): Slopes {
    const along = (point: Point, step: number): Float64Array =>
      at(values, point).rest.map((r, i) => ((rest[i] as number) - r) / step);
    return [along([alpha * (1 + 1e-5), beta], alpha * 1e-5), along([alpha, beta * (1 + 1e-5)], beta * 1e-5)];
  }

  function follows({ best, values }: { best: At; values: Values }): boolean {
    return best.rest.every((r, i) => Math.abs(r) <= 2 * (values.halfWidth[i] as number));
  }

  /** Simple numbers for the one, and for the other what then comes closest. */
  function simple({ best, values, slopes }: { best: At; values: Values; slopes: Slopes }): Ranges[] {
    const free = ([0, 1] as const).map((one) => radiusOf(values, withoutOther(slopes, one)));
    const alone = slopes.map((slope) => radiusOf(values, slope));
    const ranges = best.point.map((v, one): [number, number] => [
      Math.max(1, v - (free[one] as number)),
      v + (free[one] as number),
    ]);
    const points = ([0, 1] as const).flatMap((one) =>
      [2, 1, 0.25, 0].map((share): Point => {
        const first = near(best.point[one], share * (free[one] as number));
        const drift =
          -(dot(slopes[0], slopes[1]) / dot(slopes[1 - one] as Float64Array, slopes[1 - one] as Float64Array)) *
          (first - best.point[one]);
        const second = near(best.point[one === 0 ? 1 : 0] + drift, Math.max(share, 0.25) * (alone[1 - one] as number));
        return one === 0 ? [first, second] : [second, first];
      }),
    );
    const distinct = [...new Map(points.map((point) => [point.join(), point])).values()];
    return distinct.map((point) => ({ point, ranges: ranges as [[number, number], [number, number]] }));
  }

  function identified({ point, ranges: [alphas, betas] }: Ranges): Identified {
    return {
      scenario: priorOf(scenario, point),
      parameters: [parameter("alpha", point[0], ...alphas), parameter("beta", point[1], ...betas)],
    };
  }
}

type Slopes = readonly [Float64Array, Float64Array];

interface Ranges {
  readonly point: Point;
  readonly ranges: readonly [[number, number], [number, number]];
}

const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, v, i) => sum + v * (b[i] as number), 0);

const better = (next: At, best: At): At | null => (next.squares < best.squares ? next : null);

const near = (value: number, radius: number): number => Math.max(1, simplestIn(value - radius, value + radius));

/** How far a parameter may be off before a number is missed. */
function radiusOf({ halfWidth }: Values, slope: Float64Array): number {
  return slope.reduce((least, s, i) => Math.min(least, (halfWidth[i] as number) / Math.abs(s)), Infinity);
}

/** What of one slope the other parameter cannot make up for. */
function withoutOther(slopes: Slopes, one: 0 | 1): Float64Array {
  const [own, other] = one === 0 ? slopes : [slopes[1], slopes[0]];
  const share = dot(own, other) / dot(other, other);
  return own.map((s, i) => s - share * (other[i] as number));
}

/** The step that lessens the squares most where the slopes tell the truth. */
function newtonStep([a, b]: Slopes, rest: Float64Array): Point {
  const [aa, ab, bb, ar, br] = [dot(a, a), dot(a, b), dot(b, b), dot(a, rest), dot(b, rest)];
  const determinant = aa * bb - ab * ab;
  return determinant > 0 ? [(bb * ar - ab * br) / determinant, (aa * br - ab * ar) / determinant] : [0, 0];
}
