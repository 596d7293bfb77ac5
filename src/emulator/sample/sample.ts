import { join } from "node:path";
import { parse } from "yaml";
import { fsp, packageFile, type Random, seededRandom, UsageError } from "../../platform/index.js";
import type { EmulatorOptions } from "../options.js";
import { type PublishingRule, publishingRules } from "../publishing/rules.js";
import { identifier, seedOf } from "../simulation/draws.js";
import { simulatedRater, type SimulatedRater } from "../simulation/raters.js";
import { inSeconds, nothingShown, simulateSession, type Strategy } from "../simulation/sessions.js";
import { type Condition, type Task, taskOf } from "../simulation/task.js";
import {
  type Experiment,
  launchEvent,
  newExperiment,
  newJob,
  type Project,
  type StimulusFile,
} from "../state/state.js";
import type { StateChange } from "../state/store.js";
import { caseChanges, readCaseFile } from "./case-file.js";
import { syntheticExperiment, syntheticJobOf } from "./synthetic.js";

/** A simulated job as data/sample states it. */
interface JobDefinition {
  pool: number;
  sessions: number;
  comparisons: number;
  training: number;
  strategy: Strategy;
  launched: string | null;
  days: number;
}

type ExperimentText = "id" | "name" | "type" | "language" | "title" | "question" | "description" | "introduction";

/** A simulated experiment as data/sample states it, with what the simulated raters read as its `config`. */
interface ExperimentDefinition extends Pick<Experiment, ExperimentText> {
  created: string;
  sources: string[];
  conditions: (Omit<Condition, "strength"> & { strength: number | Record<string, number> })[];
  raters: { count: number; first: number; inattentive: number };
  leaving: number;
  jobs: JobDefinition[];
  publishing?: PublishingRule[];
}

const folder = packageFile("data/sample");

const read = async (name: string): Promise<unknown> => parse(await fsp.readFile(join(folder, name), "utf8"));

/** The initial state as changes: the project, the sample and case files. @throws UsageError. */
export async function initialChanges({
  sample,
  load = [],
  syntheticRatings: ratings,
}: Pick<EmulatorOptions, "sample" | "load" | "syntheticRatings">): Promise<StateChange[]> {
  const { foundation, extras } = (await read("project.yaml")) as Record<"foundation" | "extras", StateChange[]>;
  const own = foundation.find((change) => change.set === "project")?.value;
  const [anyone] = own?.pools ?? [];
  if (own === undefined || anyone === undefined) throw new RangeError("data/sample: no project with rater pools");
  const { id: project, pools } = own;
  const changes = [...foundation];
  if (sample ?? load.length === 0) changes.push(...(await sampleChanges(project, pools)), ...extras);
  const seen = new Set(changes.flatMap((change) => (change.set === "experiment" ? [change.value.id] : [])));
  for (const path of load) {
    const file = await readCaseFile(path);
    const { id } = file.experiment;
    if (seen.has(id))
      throw new UsageError(
        `${path}: experiment.id ${JSON.stringify(id)} is already served; give each case file a different one.`,
      );
    seen.add(id);
    changes.push(...caseChanges(file, project, anyone.pool));
  }
  if (ratings !== undefined) {
    const value = syntheticExperiment(ratings);
    changes.push({ set: "experiment", project, value, synthetic: { ratings } });
    changes.push({ set: "job", project, value: syntheticJobOf(value, anyone.pool) });
  }
  return changes;
}

/** What happened in the experiments of the sample: the same on every machine. */
async function sampleChanges(project: string, pools: Project["pools"]): Promise<StateChange[]> {
  let slate = 410_000;
  let stimulus = 8_000;
  const context = { project, pools, nextSlateId: () => (slate += 1), nextStimulusId: () => (stimulus += 1) };
  const files = (await fsp.readdir(folder)).filter((name) => name.endsWith(".yaml") && name !== "project.yaml").sort();
  const studies: StateChange[] = [];
  for (const name of files) {
    const experiment = (await read(name)) as ExperimentDefinition;
    const publishing = publishingRules(experiment.publishing ?? [], `data/sample/${name}: publishing`);
    studies.push(...experimentChanges({ ...experiment, publishing }, context));
  }
  const jobs = studies.flatMap((change) => (change.set === "job" ? [change.value] : []));
  const launches = jobs.filter((job) => job.date_launched !== null);
  return [
    ...studies,
    ...launches
      .map((job) => launchEvent(`Bill${job.id}`, project, job))
      .sort((a, b) => (a.date_created < b.date_created ? -1 : 1))
      .map((value): StateChange => ({ set: "billing", project, value })),
  ];
}

interface SampleContext {
  project: string;
  pools: Project["pools"];
  nextSlateId: () => number;
  nextStimulusId: () => number;
}

/** Everything that happened in one simulated experiment, as changes of the state. */
function experimentChanges(definition: ExperimentDefinition, context: SampleContext): StateChange[] {
  const { id, name, type, language, title, question, description, introduction, created, jobs } = definition;
  const { project } = context;
  const random = seededRandom(seedOf(id));
  const stimuli = definition.sources.flatMap((source) =>
    definition.conditions.map(({ name: condition, role }): StimulusFile => {
      const is_reference = role === "reference";
      return { id: context.nextStimulusId(), source, condition, name: condition, is_reference };
    }),
  );
  const strengths = Object.fromEntries(definition.conditions.map((one) => [one.name, one.strength]));
  const task = taskOf(type, { ...definition, strengths }, stimuli);
  const { count, first, inattentive } = definition.raters;
  const raters = Array.from({ length: count }, (_, i) => simulatedRater(random, first + i, inattentive));
  const answered = jobs.flatMap((job) => jobChanges(random, definition, job, task, raters, context));
  const dates = answered.map(({ value }) => value.date_updated);
  const updated = [created, ...dates].sort().at(-1) ?? created;
  const media = `${id}Media`;
  return [
    {
      set: "dataset",
      project,
      value: {
        id: media,
        name: `${name.split(/[,:]/)[0] ?? name} media`.slice(0, 64),
        filename: `${id.toLowerCase()}.zip`,
        status: "ready",
        errors: [],
        retention_days: -1,
        date_created: created,
        date_last_used: updated,
        is_deleted: false,
        stimuli,
        upload: null,
      },
    },
    {
      set: "experiment",
      project,
      value: newExperiment({
        id,
        name,
        type,
        language,
        title,
        question,
        description,
        introduction,
        dataset_ids: [media],
        training_dataset_ids: jobs.some((job) => job.training > 0) ? [media] : [],
        date_created: created,
        date_updated: updated,
        config: { dimensions: task.dimensions },
      }),
      publishing: definition.publishing ?? [],
    },
    ...answered,
  ];
}

const day = 86_400_000;

type JobChange = Extract<StateChange, { set: "job" | "session" }>;

function jobChanges(
  random: Random,
  definition: ExperimentDefinition,
  planned: JobDefinition,
  task: Task,
  raters: readonly SimulatedRater[],
  { project, pools, nextSlateId }: SampleContext,
): JobChange[] {
  const pool = pools.find(({ number }) => number === planned.pool)?.pool;
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
  const starts = Array.from({ length: planned.sessions }, () => Math.floor(random() * planned.days * day));
  const shown = nothingShown();
  const sessions = starts
    .sort((a, b) => a - b)
    .map((start, turn): JobChange => {
      const rater = raters[(turn * 7 + Math.floor(random() * 3)) % raters.length];
      if (rater === undefined) throw new RangeError(`data/sample: ${definition.id} has no raters`);
      const { session, slates } = simulateSession(random, {
        job,
        task,
        rater,
        shown,
        strategy: planned.strategy,
        id: identifier(random, 10),
        startedAt: launched + start,
        leaving: definition.leaving,
        nextSlateId,
      });
      return { set: "session", project, value: session, slates };
    });
  job.date_updated = inSeconds(Math.max(launched, ...sessions.map(({ value }) => Date.parse(value.date_updated))));
  return [{ set: "job", project, value: job }, ...sessions];
}
