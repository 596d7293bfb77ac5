/** What stands between a model and the published numbers besides the parameter itself. */
export type Nuisance = "none" | "shift" | "affine";

/** published ≈ shift + scale · model(x). */
export interface Solution {
  readonly x: number;
  /** How far x may be off before a published number is missed, as the slope at the solution says. */
  readonly radius: number;
  readonly shift: number;
  readonly scale: number;
  readonly residual: number;
  /** What is left of each published number. */
  readonly rest: Float64Array;
}

export interface Problem {
  readonly published: Float64Array;
  readonly halfWidth: Float64Array;
  readonly model: (x: number) => Float64Array;
  readonly grid: readonly number[];
  readonly nuisance: Nuisance;
}

interface Projected {
  readonly rest: Float64Array;
  readonly shift: number;
  readonly scale: number;
  readonly squares: number;
}

const mean = (values: Float64Array): number => values.reduce((sum, v) => sum + v, 0) / values.length;

/** Least squares of the nuisance, and what it leaves. */
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
  const rest = published.map((y, i) => y - shift - scale * (model[i] as number));
  return { rest, shift, scale, squares: rest.reduce((sum, r) => sum + r * r, 0) };
}

const newtonSteps = 12;

/** Gauss-Newton from the best points of the grid. Null where the model gives nothing finite. */
export function solve({ published, halfWidth, model, grid, nuisance }: Problem): Solution | null {
  const start = grid
    .map((x) => ({ x, ...project(published, model(x), nuisance) }))
    .filter((p) => Number.isFinite(p.squares));
  const minima = start
    .filter(
      (p, i) => p.squares <= (start[i - 1]?.squares ?? Infinity) && p.squares <= (start[i + 1]?.squares ?? Infinity),
    )
    .sort((a, b) => a.squares - b.squares)
    .slice(0, 2);
  let best: Solution | null = null;
  for (const minimum of minima) {
    let x = minimum.x;
    let at: Projected = minimum;
    let slope = slopeAt(x, at);
    for (let step = 0; step < newtonSteps; step++) {
      const square = slope.reduce((sum, s) => sum + s * s, 0);
      const change = square > 0 ? -slope.reduce((sum, s, i) => sum + s * (at.rest[i] as number), 0) / square : 0;
      if (!Number.isFinite(change) || Math.abs(change) <= 1e-14 * Math.abs(x)) break;
      const next = tryStep(x, change, at.squares);
      if (next === null) break;
      x = next.x;
      at = next.at;
      slope = slopeAt(x, at);
    }
    const radius = slope.reduce((least, s, i) => Math.min(least, (halfWidth[i] as number) / Math.abs(s)), Infinity);
    if (best === null || at.squares < best.residual)
      best = { x, radius, shift: at.shift, scale: at.scale, residual: at.squares, rest: at.rest };
  }
  return best;

  function slopeAt(x: number, at: Projected): Float64Array {
    const step = Math.max(1e-6, Math.abs(x) * 1e-6);
    const moved = project(published, model(x + step), nuisance);
    return moved.rest.map((r, i) => (r - (at.rest[i] as number)) / step);
  }

  function tryStep(x: number, change: number, squares: number): { x: number; at: Projected } | null {
    for (let factor = 1; factor > 1e-3; factor /= 4) {
      const next = x + factor * change;
      if (next <= 0) continue;
      const at = project(published, model(next), nuisance);
      if (at.squares < squares) return { x: next, at };
    }
    return null;
  }
}
