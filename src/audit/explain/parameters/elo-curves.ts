import type { Conventions, Kind } from "../../../metrics/index.js";
import type { Scenario, ScenarioPatch } from "../../evaluate/index.js";
import { type Hypothesis, scorings } from "../hypotheses/index.js";
import type { Curve } from "./curves.js";
import type { Level } from "./level.js";

const eloPatch = (elo: Partial<Conventions["elo"]>): ScenarioPatch => ({ conventions: { elo } });
const bayesianPatch = (bayesian_elo: Partial<Conventions["bayesian_elo"]>): ScenarioPatch => ({
  conventions: { bayesian_elo },
});

const unitsOf = (kind: Kind): readonly Hypothesis[] =>
  scorings.filter(({ axis, kinds }) => axis === "unit" && kinds.includes(kind));

export const eloK: Curve = {
  name: "k",
  of: (s) => s.conventions.elo.k,
  set: (k) => eloPatch({ k }),
  grid: [1, 2, 4, 6, 8, 11, 16, 20, 24, 28, 32, 36, 40, 50, 64, 90, 128, 256],
  level: { name: "start", of: (s) => s.conventions.elo.start, set: (start) => eloPatch({ start }) },
  unit: { of: (s) => s.conventions.elo.scale, set: (scale) => eloPatch({ scale }), named: unitsOf("elo") },
  inUnits: true,
};

export const eloTie: Curve = {
  ...eloK,
  name: "tie_value",
  of: (s) => s.conventions.elo.tie_value,
  set: (tie_value) => eloPatch({ tie_value }),
  grid: [0.05, 0.25, 0.4, 0.6, 0.75, 0.95],
  inUnits: false,
  named: scorings.filter((h) => h.axis === "tie_value"),
};

export const bayesianShape: Curve = {
  name: "shape",
  of: (s) => s.conventions.bayesian_elo.shape,
  set: (shape) => bayesianPatch({ shape }),
  grid: [1.1, 1.5, 2, 3, 4, 6, 8, 11, 16, 25, 50, 100],
  level: { name: "anchor", of: (s) => s.conventions.bayesian_elo.anchor, set: (anchor) => bayesianPatch({ anchor }) },
  unit: {
    of: (s) => s.conventions.bayesian_elo.scale,
    set: (scale) => bayesianPatch({ scale }),
    named: unitsOf("bayesian_elo"),
  },
  inUnits: false,
};

/** What shifts all numbers of a kind; kinds without it are no ratings, and have an offset and a scale instead. */
export const levels: Readonly<Partial<Record<Kind, Level>>> = { elo: eloK.level, bayesian_elo: bayesianShape.level };

/** The points of a curve. */
export type SampledCurve = Pick<Curve, "grid" | "set">;

/** Thresholds of an early-stopped fit; from one to the next it moves by less than the first. */
const stops: SampledCurve = {
  grid: [30, 10, 3, 1, 0.3, 0.1, 0.03, 0.01],
  set: (stop_elo) => bayesianPatch({ stop_elo, start: "cold" }),
};

/** K at fewer points: long replays of a small K take most of the time. */
const kWithinReach: SampledCurve = { ...eloK, grid: eloK.grid.filter((k) => ![1, 4, 8].includes(k)) };

/** The curves along which a scenario's parameters are searched; none if each of their points costs too much. */
export function curvesOf(kind: Kind, { conventions: { bayesian_elo: bayesian } }: Scenario): readonly SampledCurve[] {
  if (kind === "elo") return [kWithinReach, eloTie];
  const isCheap = bayesian.rater_quality === null && bayesian.start === "cold";
  if (kind !== "bayesian_elo" || !isCheap) return [];
  return bayesian.ties === "davidson" ? [bayesianShape] : [bayesianShape, stops];
}
