// Simulated raters: who they are, what they are asked, and how they answer.
import { type Random, seededRandom } from "../../platform/index.js";
import { type Rater, configFields, type StimulusFile } from "../state.js";
import { between, gaussian, logistic, pick, whole, seedOf } from "./draws.js";

export interface SimulatedRater {
  record: Rater;
  /** Factor on true differences. */
  acuity: number;
  /** Added to every rating on a scale, in tenths of the scale. */
  bias: number;
  /** Share of slates answered at random. */
  inattention: number;
}

const colours =
  "amber ash cobalt copper coral fern ivory jade lilac ochre pearl plum sand teal".split(" ");
const animals =
  "badger crane dunlin finch hare heron ibex lynx marten otter plover stoat tern vole".split(" ");
const devices = ["headphones", "headphones", "headphones", "loudspeakers", "in-ear"];

export function simulatedRater(
  random: Random,
  id: number,
  inattentiveShare: number,
): SimulatedRater {
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

interface Answer {
  stimulus: SimulatedStimulus;
  dimension: string;
  score: number | null;
  meta: Record<string, unknown>;
}

const strength = (condition: Condition, dimension: string): number =>
  condition.strength[dimension] ?? condition.strength[""] ?? 0;

const clamp = (low: number, value: number, high: number): number =>
  Math.min(Math.max(value, low), high);

/** One score for each stimulus and dimension. */
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
    const real =
      (strength(a.condition, dimension) - strength(b.condition, dimension)) * rater.acuity;
    const felt = (isInattentive ? 0 : real * (training ? 1.6 : 1)) + logistic(random);
    const size = task.answer === "degree" && Math.abs(felt) > 1.5 ? 2 : 1;
    const margin = Math.abs(felt) < task.tie_width ? 0 : Math.sign(felt) * size;
    return [a, b].map((stimulus, side) => ({
      stimulus,
      dimension,
      score: (side === 0 ? margin : -margin) || 0,
      meta:
        training && real !== 0
          ? { expectedScores: (side === 0) === real > 0 ? [1, null] : [null, -1] }
          : {},
    }));
  }

  function judgement(
    stimulus: SimulatedStimulus,
    dimension: string,
  ): Pick<Answer, "score" | "meta"> {
    const level = strength(stimulus.condition, dimension) * rater.acuity + 0.1 * rater.bias;
    switch (task.family) {
      case "mushra": {
        const isReference = stimulus.condition.role === "reference";
        const perceived = isReference
          ? 99 + 2.2 * gaussian(random)
          : 50 + 14 * level + 8 * gaussian(random);
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
        return {
          score: approved ? 1 : 0,
          meta: training ? { isCorrect: approved === level > 0 } : {},
        };
      }
      default:
        return {
          score: null,
          meta: { answer: pick(random, task.choices.length > 0 ? task.choices : ["yes", "no"]) },
        };
    }
  }

  return task.dimensions.flatMap((dimension) =>
    task.family === "pairwise"
      ? preference(dimension)
      : shown.map((stimulus) => ({ stimulus, dimension, ...judgement(stimulus, dimension) })),
  );
}

const isBound = (value: unknown): value is number | null =>
  value === null || typeof value === "number";

/**
 * docs/explanation/metrics.md: `meta.isCorrect` wins, else whether the score lies inside the
 * inclusive `meta.expectedScores`, else null.
 */
export function isCorrect(score: number | null, meta: unknown): boolean | null {
  if (typeof meta !== "object" || meta === null) return null;
  if ("isCorrect" in meta && typeof meta.isCorrect === "boolean") return meta.isCorrect;
  if (score === null || !("expectedScores" in meta) || !Array.isArray(meta.expectedScores))
    return null;
  const bounds: unknown[] = meta.expectedScores;
  const [low, high] = bounds;
  if (bounds.length !== 2 || !isBound(low) || !isBound(high)) return null;
  if (low === null && high === null) return null;
  return score >= (low ?? -Infinity) && score <= (high ?? Infinity);
}

export type Family = "pairwise" | "mushra" | "acr" | "binary" | "survey";

/** `strength`: by dimension, in logits above the average condition. */
export interface Condition {
  name: string;
  strength: Record<string, number>;
  role?: "reference" | "anchor";
}

export interface SimulatedStimulus extends Pick<StimulusFile, "id" | "name" | "source"> {
  condition: Condition;
}

export interface Task {
  family: Family;
  dimensions: string[];
  conditions: Condition[];
  stimuli: SimulatedStimulus[];
  /** Half-width, in logits, inside which a pairwise answer is a tie. */
  tie_width: number;
  /** Pairwise answers: only the winner, or from -2 to 2. */
  answer: "sign" | "degree";
  /** Ends of the categories of an absolute rating. */
  scale: readonly [number, number];
  /** Of a survey. */
  choices: string[];
}

/** `pairwise_image` and the like; unknown types are answered like a survey. */
export function experimentFamily(type: string): Family {
  if (type.startsWith("pairwise")) return "pairwise";
  if (type.startsWith("mushra")) return "mushra";
  if (type.includes("acr")) return "acr";
  return type.startsWith("binary") ? "binary" : "survey";
}

/** Five categories from 1 to 5; for questions with several statements from -2 to 2. */
const scaleOf = (type: string): readonly [number, number] =>
  type.startsWith("multi_acr") ? [-2, 2] : [1, 5];

const textsIn = (value: unknown): string[] | null =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string")
    ? value
    : null;

/**
 * `config` may state `dimensions`, `choices`, `answer`, `tie_width`, `scale` (two whole numbers)
 * and `strengths` (condition to logits, or to logits by dimension); others follow from the name.
 */
export function taskOf(
  type: string,
  config: Readonly<Record<string, unknown>>,
  files: readonly StimulusFile[],
): Task {
  const { scale } = config;
  const dimensions = textsIn(config.dimensions) ?? [""];
  const stated = configFields(config.strengths);
  const conditions = new Map<string, Condition>();
  for (const { condition, is_reference } of files)
    if (!conditions.has(condition)) {
      const strength = Object.fromEntries(
        dimensions.map((dimension) => [
          dimension,
          strengthOf(condition, dimension, is_reference, stated),
        ]),
      );
      conditions.set(condition, {
        name: condition,
        strength,
        ...(is_reference ? { role: "reference" as const } : {}),
      });
    }
  return {
    family: experimentFamily(type),
    dimensions,
    conditions: [...conditions.values()],
    stimuli: files.flatMap(({ id, name, source, condition }) => {
      const own = conditions.get(condition);
      return own === undefined ? [] : [{ id, name, source, condition: own }];
    }),
    tie_width: typeof config.tie_width === "number" ? config.tie_width : 0.3,
    answer: config.answer === "degree" ? "degree" : "sign",
    scale:
      Array.isArray(scale) && scale.length === 2 && scale.every((end) => Number.isInteger(end))
        ? (scale as [number, number])
        : scaleOf(type),
    choices: textsIn(config.choices) ?? [],
  };
}

function strengthOf(
  condition: string,
  dimension: string,
  isReference: boolean,
  stated: Readonly<Record<string, unknown>>,
): number {
  const own = Object.hasOwn(stated, condition) ? stated[condition] : undefined;
  const said = typeof own === "object" ? configFields(own)[dimension] : own;
  if (typeof said === "number") return said;
  if (isReference) return 2.5;
  return 0.8 * gaussian(seededRandom(seedOf(`${condition} ${dimension}`)));
}
