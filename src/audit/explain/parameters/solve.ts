import { dot, radiusOf, residuals } from "./vectors.js";

/** What may separate a model from the numbers apart from the parameter: nothing, a shift, or a shift and a scale. */
export type Nuisance = "none" | "shift" | "affine";

/** published ≈ shift + scale · model(x). */
export interface Solution {
  readonly x: number;
  /** How far x may be off before a published number is missed, by the slope at the solution. */
  readonly radius: number;
  readonly shift: number;
  readonly scale: number;
  /** Residuals of the published numbers. */
  readonly rest: Float64Array;
}

interface FitProblem {
  readonly published: Float64Array;
  readonly halfWidth: Float64Array;
  readonly model: (x: number) => Float64Array;
  readonly grid: readonly number[];
  readonly nuisance: Nuisance;
}

interface Projected extends Pick<Solution, "rest" | "shift" | "scale"> {
  readonly squares: number;
}

/** A value of the parameter with what it leaves. */
interface ParameterStep extends Projected {
  readonly x: number;
}

const mean = (values: Float64Array): number => values.reduce((sum, v) => sum + v, 0) / values.length;

/** Fits the nuisance by least squares. */
export function project(published: Float64Array, model: Float64Array, nuisance: Nuisance): Projected {
  let shift = 0;
  let scale = 1;
  if (nuisance !== "none") {
    const centre = mean(model);
    const level = mean(published);
    if (nuisance === "affine") {
      let cross = 0;
      let square = 0;
      model.forEach((m, i) => {
        cross += (m - centre) * ((published[i] as number) - level);
        square += (m - centre) ** 2;
      });
      scale = square > 0 ? cross / square : 1;
    }
    shift = level - scale * centre;
  }
  const rest = residuals(published, model, shift, scale);
  return { rest, shift, scale, squares: dot(rest, rest) };
}

const newtonSteps = 12;

/** Gauss-Newton from the two best points of the grid. Null if the model is finite at none of them. */
export function solve({ published, halfWidth, model, grid, nuisance }: FitProblem): Solution | null {
  const at = (x: number): Projected => project(published, model(x), nuisance);
  const points = grid.map((x) => ({ x, ...at(x) })).filter((p) => Number.isFinite(p.squares));
  const squaresAt = (i: number): number => points[i]?.squares ?? Infinity;
  const minima = points
    .filter((p, i) => p.squares <= squaresAt(i - 1) && p.squares <= squaresAt(i + 1))
    .sort((a, b) => a.squares - b.squares)
    .slice(0, 2);
  const [first, second] = minima.map(descend);
  const best = second !== undefined && first !== undefined && second.squares < first.squares ? second : first;
  return best ?? null;

  function descend(from: ParameterStep): Solution & Projected {
    let best = from;
    let slope = slopeAt(best);
    for (let step = 0; step < newtonSteps; step++) {
      const square = dot(slope, slope);
      const change = square > 0 ? -dot(slope, best.rest) / square : 0;
      if (!Number.isFinite(change) || Math.abs(change) <= 1e-14 * Math.abs(best.x)) break;
      const next = better(best, change);
      if (next === null) break;
      best = next;
      slope = slopeAt(best);
    }
    return { ...best, radius: radiusOf(slope, halfWidth) };
  }

  function slopeAt({ x, rest }: ParameterStep): Float64Array {
    const step = Math.max(1e-6, Math.abs(x) * 1e-6);
    return at(x + step).rest.map((r, i) => (r - (rest[i] as number)) / step);
  }

  /** The point after the whole step or, failing that, after a fraction of it; null if none is better. */
  function better({ x, squares }: ParameterStep, change: number): ParameterStep | null {
    for (let factor = 1; factor > 1e-3; factor /= 4) {
      const next = x + factor * change;
      if (next <= 0) continue;
      const point = at(next);
      if (point.squares < squares) return { x: next, ...point };
    }
    return null;
  }
}
