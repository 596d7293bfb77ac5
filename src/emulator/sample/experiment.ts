import { seededRandom, type Random } from "../../platform/index.js";
import { identifier, seedOf } from "../identifiers.js";
import { simulatedRater, type SimulatedRater } from "../simulation/rater.js";
import { nothingShown } from "../simulation/selection.js";
import { simulateSession } from "../simulation/session.js";
import { taskOf, type Task } from "../simulation/task.js";
import type { StateChange } from "../state/change.js";
import { newExperiment, newJob } from "../state/defaults.js";
import type { RaterPool } from "../state/records.js";
import type { Dataset, StimulusFile } from "../state/state.js";
import type { ExperimentDefinition, JobDefinition } from "./definition.js";

interface SampleContext {
  project: string;
  pools: ReadonlyMap<number, RaterPool>;
  nextSlateId: () => number;
  nextStimulusId: () => number;
}

const day = 86_400_000;
const iso = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** Everything that happened in one simulated experiment, as changes of the state. */
export function experimentChanges(definition: ExperimentDefinition, context: SampleContext): StateChange[] {
  const random = seededRandom(seedOf(definition.id));
  const { project } = context;
  const stimuli = stimuliOf(definition, context);
  const strengths = Object.fromEntries(definition.conditions.map((one) => [one.name, one.strength]));
  const task = taskOf(definition.type, { ...definition, strengths }, stimuli);
  const raters = Array.from({ length: definition.raters.count }, (_, i) =>
    simulatedRater(random, definition.raters.first + i, definition.raters.inattentive),
  );
  const answered = definition.jobs.map((job) => jobChanges(random, definition, job, task, raters, context));
  const dates = answered
    .flat()
    .map((change) =>
      "value" in change && typeof change.value === "object" && "date_updated" in change.value
        ? change.value.date_updated
        : "",
    );
  const updated = [definition.created, ...dates].sort().at(-1) ?? definition.created;
  const dataset = datasetOf(definition, stimuli, updated);
  const { id, name, type, language, title, question, description, introduction } = definition;
  return [
    { set: "dataset", project, value: dataset },
    {
      set: "experiment",
      project,
      value: newExperiment({
        ...{ id, name, type, language, title, question, description, introduction },
        dataset_ids: [dataset.id],
        training_dataset_ids: definition.jobs.some((job) => job.training > 0) ? [dataset.id] : [],
        date_created: definition.created,
        date_updated: updated,
        config: { dimensions: task.dimensions },
      }),
      publishing: definition.publishing ?? [],
    },
    ...answered.flat(),
  ];
}

/** Every condition of every source. */
const stimuliOf = ({ sources, conditions }: ExperimentDefinition, { nextStimulusId }: SampleContext): StimulusFile[] =>
  sources.flatMap((source) =>
    conditions.map(({ name, role }) => {
      const is_reference = role === "reference";
      return { id: nextStimulusId(), source, condition: name, name, is_reference };
    }),
  );

function datasetOf(definition: ExperimentDefinition, stimuli: StimulusFile[], updated: string): Dataset {
  return {
    id: `${definition.id}Media`,
    name: `${definition.name.split(/[,:]/)[0] ?? definition.name} media`.slice(0, 64),
    filename: `${definition.id.toLowerCase()}.zip`,
    status: "ready",
    errors: [],
    retention_days: -1,
    date_created: definition.created,
    date_last_used: updated,
    is_deleted: false,
    stimuli,
    upload: null,
  };
}

function jobChanges(
  random: Random,
  definition: ExperimentDefinition,
  planned: JobDefinition,
  task: Task,
  raters: readonly SimulatedRater[],
  { project, pools, nextSlateId }: SampleContext,
): StateChange[] {
  const pool = pools.get(planned.pool);
  if (pool === undefined) throw new RangeError(`data/sample: no rater pool ${planned.pool}`);
  const job = newJob({
    id: identifier(random),
    experiment_id: definition.id,
    num_sessions: planned.sessions,
    num_comparisons: planned.comparisons,
    num_training: planned.training,
    date_created: definition.created,
    date_updated: planned.launched ?? definition.created,
    date_launched: planned.launched,
    rater_pool: pool,
    pool: planned.pool,
    status: planned.launched === null ? "draft" : "completed",
    config: { strategy: planned.strategy },
    max_repetitions: Math.max(1, Math.ceil(planned.sessions / Math.max(1, raters.length)) + 1),
    min_rest_time: 60,
  });
  if (planned.launched === null) return [{ set: "job", project, value: job }];
  const launched = Date.parse(planned.launched);
  const starts = Array.from(
    { length: planned.sessions },
    () => launched + Math.floor(random() * planned.days * day),
  ).sort((a, b) => a - b);
  const shown = nothingShown();
  const sessions = starts.map((start, turn): Extract<StateChange, { set: "session" }> => {
    const rater = raters[(turn * 7 + Math.floor(random() * 3)) % raters.length];
    if (rater === undefined) throw new RangeError(`data/sample: ${definition.id} has no raters`);
    const { session, slates } = simulateSession(random, {
      ...{ job, task, rater, shown, nextSlateId, leaving: definition.leaving },
      strategy: planned.strategy,
      id: identifier(random, 10),
      startedAt: new Date(start),
    });
    return { set: "session", project, value: session, slates };
  });
  job.date_updated = iso(Math.max(launched, ...sessions.map(({ value }) => Date.parse(value.date_updated))));
  return [{ set: "job", project, value: job }, ...sessions];
}
