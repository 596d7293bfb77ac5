import type { Random } from "../../platform/index.js";
import { gaussian, logistic, pick, whole } from "./draws.js";
import type { SimulatedRater } from "./rater.js";
import type { Condition, Stimulus, Task } from "./task.js";

export interface Answer {
  stimulus: Stimulus;
  dimension: string;
  score: number | null;
  meta: Record<string, unknown>;
}

const strength = (condition: Condition, dimension: string): number =>
  condition.strength[dimension] ?? condition.strength[""] ?? 0;

const clamp = (low: number, value: number, high: number): number => Math.min(Math.max(value, low), high);

/** One rater's answer to the stimuli of a slate: one score per stimulus and dimension. */
export function answersTo(
  random: Random,
  task: Task,
  rater: SimulatedRater,
  shown: readonly Stimulus[],
  training: boolean,
): Answer[] {
  const absent = random() < rater.inattention;
  return task.dimensions.flatMap((dimension) =>
    task.family === "pairwise"
      ? preference(random, task, rater, shown, dimension, absent, training)
      : shown.map((stimulus) => judgement(random, task, rater, stimulus, dimension, absent, training)),
  );
}

function preference(
  random: Random,
  task: Task,
  rater: SimulatedRater,
  shown: readonly Stimulus[],
  dimension: string,
  absent: boolean,
  training: boolean,
): Answer[] {
  const [a, b] = shown;
  if (a === undefined || b === undefined) return [];
  const real = (strength(a.condition, dimension) - strength(b.condition, dimension)) * rater.acuity;
  const felt = (absent ? 0 : real * (training ? 1.6 : 1)) + logistic(random);
  const margin =
    Math.abs(felt) < task.tie_width ? 0 : Math.sign(felt) * (task.answer === "degree" && Math.abs(felt) > 1.5 ? 2 : 1);
  const expected = training && real !== 0;
  return [a, b].map((stimulus, side) => ({
    stimulus,
    dimension,
    score: (side === 0 ? margin : -margin) || 0,
    meta: expected ? { expectedScores: (side === 0) === real > 0 ? [1, null] : [null, -1] } : {},
  }));
}

function judgement(
  random: Random,
  task: Task,
  rater: SimulatedRater,
  stimulus: Stimulus,
  dimension: string,
  absent: boolean,
  training: boolean,
): Answer {
  const level = strength(stimulus.condition, dimension) * rater.acuity + 0.1 * rater.bias;
  const answer = (score: number | null, meta: Record<string, unknown> = {}): Answer => ({
    stimulus,
    dimension,
    score,
    meta,
  });
  switch (task.family) {
    case "mushra": {
      const isReference = stimulus.condition.role === "reference";
      const found = isReference ? 99 + 2.2 * gaussian(random) : 50 + 14 * level + 8 * gaussian(random);
      const score = Math.round(clamp(0, absent ? 100 * random() : found, 100));
      return answer(score, isReference ? { expectedScores: [90, null] } : {});
    }
    case "acr": {
      const [low, high] = task.scale;
      const middle = (low + high) / 2;
      const score = absent
        ? whole(random, low, high)
        : clamp(low, Math.round(middle + level + 0.75 * gaussian(random)), high);
      return answer(score || 0, training ? { expectedScores: level > 0 ? [middle, high] : [low, middle] } : {});
    }
    case "binary": {
      const approved = absent ? random() < 0.5 : level + logistic(random) > 0;
      return answer(approved ? 1 : 0, training ? { isCorrect: approved === level > 0 } : {});
    }
    default:
      return answer(null, { answer: pick(random, task.choices.length > 0 ? task.choices : ["yes", "no"]) });
  }
}
