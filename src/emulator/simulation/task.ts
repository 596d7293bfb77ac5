import { seededRandom } from "../../platform/index.js";
import { fieldsOf, type StimulusFile } from "../state.js";
import { gaussian, seedOf } from "./draws.js";

/** The families of experiment that the simulated raters can answer. */
export type Family = "pairwise" | "mushra" | "acr" | "binary" | "survey";

/** How strong a condition truly is, per dimension, in logits above the average condition. */
export interface Condition {
  name: string;
  strength: Record<string, number>;
  role?: "reference" | "anchor";
}

export interface SimulatedStimulus {
  id: number;
  name: string;
  source: string;
  condition: Condition;
}

/** The simulator's view of an experiment: the question and the true strengths. */
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
  /** Possible answers in a survey. */
  choices: string[];
}

/** `pairwise_image` and the like; unknown types are answered like a survey. */
export function familyOf(type: string): Family {
  if (type.startsWith("pairwise")) return "pairwise";
  if (type.startsWith("mushra")) return "mushra";
  if (type.includes("acr")) return "acr";
  return type.startsWith("binary") ? "binary" : "survey";
}

/** Five categories from 1 to 5; for questions with several statements from -2 to 2. */
const scaleOf = (type: string): readonly [number, number] => (type.startsWith("multi_acr") ? [-2, 2] : [1, 5]);

const texts = (value: unknown): string[] | null =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string") ? value : null;

/**
 * The task of simulated raters who see `files`. `config` may state `dimensions`, `choices`, `answer`, `tie_width`, `scale`
 * (two whole numbers) and `strengths` (condition to logits, or to logits by dimension); a strength that it does not state
 * is derived from the condition's name.
 */
export function taskOf(type: string, config: Readonly<Record<string, unknown>>, files: readonly StimulusFile[]): Task {
  const { scale } = config;
  const dimensions = texts(config.dimensions) ?? [""];
  const stated = fieldsOf(config.strengths);
  const conditions = new Map<string, Condition>();
  for (const { condition, is_reference } of files)
    if (!conditions.has(condition)) {
      const strength = Object.fromEntries(
        dimensions.map((dimension) => [dimension, strengthOf(condition, dimension, is_reference, stated)]),
      );
      conditions.set(condition, { name: condition, strength, ...(is_reference ? { role: "reference" as const } : {}) });
    }
  return {
    family: familyOf(type),
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
    choices: texts(config.choices) ?? [],
  };
}

function strengthOf(
  condition: string,
  dimension: string,
  isReference: boolean,
  stated: Readonly<Record<string, unknown>>,
): number {
  const own = Object.hasOwn(stated, condition) ? stated[condition] : undefined;
  const said = typeof own === "object" ? fieldsOf(own)[dimension] : own;
  if (typeof said === "number") return said;
  if (isReference) return 2.5;
  return 0.8 * gaussian(seededRandom(seedOf(`${condition} ${dimension}`)));
}
