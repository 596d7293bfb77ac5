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
export const scaleOf = (type: string): readonly [number, number] => (type.startsWith("multi_acr") ? [-2, 2] : [1, 5]);
