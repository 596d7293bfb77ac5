import type { Random } from "../../platform/index.js";
import type { Rater } from "../state.js";
import { between, gaussian, logistic, pick, whole } from "./draws.js";
import type { Condition, SimulatedStimulus, Task } from "./task.js";

/** A simulated rater: who they are and how they answer. */
export interface SimulatedRater {
  record: Rater;
  /** Factor on true differences; above 1 for raters who perceive more than most. */
  acuity: number;
  /** Added to every rating on a scale, in tenths of the scale. */
  bias: number;
  /** Share of slates answered at random. */
  inattention: number;
}

const colours = "amber ash cobalt copper coral fern ivory jade lilac ochre pearl plum sand teal".split(" ");
const animals = "badger crane dunlin finch hare heron ibex lynx marten otter plover stoat tern vole".split(" ");
const devices = ["headphones", "headphones", "headphones", "loudspeakers", "in-ear"];

export function simulatedRater(random: Random, id: number, inattentiveShare: number): SimulatedRater {
  const careless = random() < inattentiveShare;
  const alias = `${pick(random, colours)}-${pick(random, animals)}-${id}`;
  return {
    record: { id: String(id), user: { alias }, meta: { device: pick(random, devices) } },
    acuity: Math.exp(0.25 * gaussian(random)),
    bias: 0.6 * gaussian(random),
    inattention: careless ? between(random, 0.6, 1) : between(random, 0, 0.03),
  };
}

/** Raters in a pool, by kind of pool; the other kinds are unlimited. */
export const poolSizes: Readonly<Record<number, number>> = { 100: 12, 600: 30 };

export interface Answer {
  stimulus: SimulatedStimulus;
  dimension: string;
  score: number | null;
  meta: Record<string, unknown>;
}

const strength = (condition: Condition, dimension: string): number =>
  condition.strength[dimension] ?? condition.strength[""] ?? 0;

const clamp = (low: number, value: number, high: number): number => Math.min(Math.max(value, low), high);

/** A rater's answers to the stimuli of a slate: one score for each stimulus and dimension. */
export function answersTo(
  random: Random,
  task: Task,
  rater: SimulatedRater,
  shown: readonly SimulatedStimulus[],
  training: boolean,
): Answer[] {
  const isInattentive = random() < rater.inattention;

  function preference(dimension: string): Answer[] {
    const [a, b] = shown;
    if (a === undefined || b === undefined) return [];
    const real = (strength(a.condition, dimension) - strength(b.condition, dimension)) * rater.acuity;
    const felt = (isInattentive ? 0 : real * (training ? 1.6 : 1)) + logistic(random);
    const size = task.answer === "degree" && Math.abs(felt) > 1.5 ? 2 : 1;
    const margin = Math.abs(felt) < task.tie_width ? 0 : Math.sign(felt) * size;
    return [a, b].map((stimulus, side) => ({
      stimulus,
      dimension,
      score: (side === 0 ? margin : -margin) || 0,
      meta: training && real !== 0 ? { expectedScores: (side === 0) === real > 0 ? [1, null] : [null, -1] } : {},
    }));
  }

  function judgement(stimulus: SimulatedStimulus, dimension: string): Pick<Answer, "score" | "meta"> {
    const level = strength(stimulus.condition, dimension) * rater.acuity + 0.1 * rater.bias;
    switch (task.family) {
      case "mushra": {
        const isReference = stimulus.condition.role === "reference";
        const perceived = isReference ? 99 + 2.2 * gaussian(random) : 50 + 14 * level + 8 * gaussian(random);
        const score = Math.round(clamp(0, isInattentive ? 100 * random() : perceived, 100));
        return { score, meta: isReference ? { expectedScores: [90, null] } : {} };
      }
      case "acr": {
        const [low, high] = task.scale;
        const middle = (low + high) / 2;
        const score = isInattentive
          ? whole(random, low, high)
          : clamp(low, Math.round(middle + level + 0.75 * gaussian(random)), high);
        const expectedScores = level > 0 ? [middle, high] : [low, middle];
        return { score: score || 0, meta: training ? { expectedScores } : {} };
      }
      case "binary": {
        const approved = isInattentive ? random() < 0.5 : level + logistic(random) > 0;
        return { score: approved ? 1 : 0, meta: training ? { isCorrect: approved === level > 0 } : {} };
      }
      default:
        return { score: null, meta: { answer: pick(random, task.choices.length > 0 ? task.choices : ["yes", "no"]) } };
    }
  }

  return task.dimensions.flatMap((dimension) =>
    task.family === "pairwise"
      ? preference(dimension)
      : shown.map((stimulus) => ({ stimulus, dimension, ...judgement(stimulus, dimension) })),
  );
}

const isBound = (value: unknown): value is number | null => value === null || typeof value === "number";

/**
 * The computed `is_correct` of a rating (docs/explanation/metrics.md): the boolean flag in `meta.isCorrect` wins,
 * else whether the score lies inside the inclusive `meta.expectedScores`, else null.
 */
export function isCorrect(score: number | null, meta: unknown): boolean | null {
  if (typeof meta !== "object" || meta === null) return null;
  if ("isCorrect" in meta && typeof meta.isCorrect === "boolean") return meta.isCorrect;
  if (score === null || !("expectedScores" in meta) || !Array.isArray(meta.expectedScores)) return null;
  const bounds: unknown[] = meta.expectedScores;
  const [low, high] = bounds;
  if (bounds.length !== 2 || !isBound(low) || !isBound(high)) return null;
  if (low === null && high === null) return null;
  if (low !== null && score < low) return false;
  if (high !== null && score > high) return false;
  return true;
}
