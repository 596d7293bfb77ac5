import { seededRandom } from "../../platform/index.js";
import { seedOf } from "../identifiers.js";
import { gaussian } from "../simulation/draws.js";
import { familyOf, scaleOf, type Condition, type Task } from "../simulation/task.js";
import { fieldsOf } from "../state/records.js";
import type { Project, Study } from "../state/state.js";

const texts = (value: unknown): string[] | null =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string") ? value : null;

/**
 * The task of simulated raters in an experiment that was created through the interface. `config` may state
 * `dimensions`, `choices`, `answer`, `tie_width`, `scale` (two whole numbers) and `strengths` (condition to logits); a
 * strength that it does not state is derived from the condition's name.
 */
export function taskOf(project: Project, { experiment }: Study, datasetIds: readonly string[]): Task {
  const { type } = experiment;
  const config = fieldsOf(experiment.config);
  const { scale } = config;
  const dimensions = texts(config.dimensions) ?? [""];
  const files = datasetIds.flatMap((id) => project.datasets.get(id)?.stimuli ?? []);
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
  const said = Object.hasOwn(stated, condition) ? stated[condition] : undefined;
  if (typeof said === "number") return said;
  if (isReference) return 2.5;
  return 0.8 * gaussian(seededRandom(seedOf(`${condition} ${dimension}`)));
}
