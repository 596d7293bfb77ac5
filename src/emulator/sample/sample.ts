import { join } from "node:path";
import { parse } from "yaml";
import { fsp, packageFile, type Random, seededRandom, UsageError } from "../../platform/index.js";
import type { EmulatorOptions } from "../options.js";
import { type PublishingRule, publishingRules } from "../publishing/rules.js";
import { identifier, seedOf } from "../simulation/draws.js";
import { simulatedRater, type SimulatedRater } from "../simulation/raters.js";
import { nothingShown, simulateSession, type Strategy } from "../simulation/sessions.js";
import { type Condition, type Task, taskOf } from "../simulation/task.js";
import { type Dataset, type Experiment, type Key, launchEvent, type Leaderboard, newExperiment, newJob, type RaterPool, type Rubric, type StimulusFile, type User, type Webhook } from "../state/state.js";
import type { StateChange } from "../state/store.js";
import { caseChanges, readCaseFile } from "./case-file.js";
import { syntheticExperiment, syntheticJobOf } from "./synthetic.js";

/** A simulated job as data/sample states it. */
export interface JobDefinition {
  pool: number;
  sessions: number;
  comparisons: number;
  training: number;
  strategy: Strategy;
  launched: string | null;
  days: number;
}

type ExperimentText = "id" | "name" | "type" | "language" | "title" | "question" | "description" | "introduction";

/** A simulated experiment as data/sample states it. */
export interface ExperimentDefinition extends Pick<Experiment, ExperimentText> {
  created: string;
  sources: string[];
  dimensions?: string[];
  conditions: (Omit<Condition, "strength"> & { strength: number | Record<string, number> })[];
  tie_width?: number;
  answer?: "sign" | "degree";
  choices?: string[];
  raters: { count: number; first: number; inattentive: number };
  leaving: number;
  jobs: JobDefinition[];
  publishing?: PublishingRule[];
}

type LeaderboardDefinition = Pick<Leaderboard, "id" | "name" | "description" | "kind"> & {
  experiment: string;
  dimension?: string;
};

export interface ProjectDefinition {
  organization: { id: string; billing_id: string };
  project: { id: string; name: string };
  other_project: { id: string; name: string };
  keys: (Pick<Key, "key" | "role"> & { project?: string; organization?: string })[];
  users: (Omit<User, "project_id"> & { project: string })[];
  pools: (RaterPool & { number: number })[];
  rubrics: (Omit<Rubric, "leaderboards" | "date_updated"> & { leaderboards: LeaderboardDefinition[] })[];
  webhooks: Pick<Webhook, "id" | "url" | "events" | "is_active" | "date_created">[];
  webhook_secret: string;
}

const folder = packageFile("data/sample");

const read = async (name: string): Promise<unknown> => parse(await fsp.readFile(join(folder, name), "utf8"));

export const projectDefinition = async (): Promise<ProjectDefinition> =>
  (await read("project.yaml")) as ProjectDefinition;

/** Every experiment of the sample, in the order of their file names. */
export async function experimentDefinitions(): Promise<ExperimentDefinition[]> {
  const files = (await fsp.readdir(folder)).filter((name) => name.endsWith(".yaml") && name !== "project.yaml").sort();
  return Promise.all(
    files.map(async (name) => {
      const definition = (await read(name)) as ExperimentDefinition;
      return {
        ...definition,
        publishing: publishingRules(definition.publishing ?? [], `data/sample/${name}: publishing`),
      };
    }),
  );
}

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

/** Projects, pools, keys and people, without any study. */
export function foundation({
  organization,
  project,
  other_project: other,
  keys,
  users,
  pools,
}: ProjectDefinition): StateChange[] {
  const numbered = pools.map(({ number, ...pool }) => ({ number, pool }));
  return [
    { set: "organization", value: organization },
    ...[project, other].map((one): StateChange => ({
      set: "project",
      value: { ...one, organization_id: organization.id, pools: numbered },
    })),
    ...keys.map((key): StateChange => ({
      set: "key",
      value: {
        key: key.key,
        role: key.role,
        project_id: key.project ?? null,
        organization_id: key.organization ?? null,
      },
    })),
    ...users.map(({ project: project_id, ...user }): StateChange => ({ set: "user", value: { ...user, project_id } })),
  ];
}

/** The whole sample project as a list of changes: the same on every machine. */
export async function sampleChanges(): Promise<StateChange[]> {
  const definition = await projectDefinition();
  const project = definition.project.id;
  let slate = 410_000;
  let stimulus = 8_000;
  const context = {
    project,
    pools: new Map(definition.pools.map(({ number, ...pool }) => [number, pool])),
    nextSlateId: () => (slate += 1),
    nextStimulusId: () => (stimulus += 1),
  };
  const studies = (await experimentDefinitions()).flatMap((experiment) => experimentChanges(experiment, context));
  return [
    ...foundation(definition),
    ...studies,
    ...rubricChanges(definition),
    ...webhookChanges(definition),
    ...billingChanges(project, studies),
  ];
}

function rubricChanges({ project, rubrics }: ProjectDefinition): StateChange[] {
  return rubrics.map((rubric): StateChange => ({
    set: "rubric",
    project: project.id,
    value: {
      ...rubric,
      date_updated: rubric.date_created,
      leaderboards: rubric.leaderboards.map(({ experiment, dimension, ...board }) => ({
        ...board,
        experiment_id: experiment,
        dimension: dimension ?? (board.kind === "mean" ? "quality" : ""),
        date_updated: rubric.date_created,
      })),
    },
  }));
}

function webhookChanges({ project, webhooks, webhook_secret }: ProjectDefinition): StateChange[] {
  return [
    { set: "secret", project: project.id, value: webhook_secret },
    ...webhooks.map((hook): StateChange => ({
      set: "webhook",
      project: project.id,
      value: { ...hook, description: "", date_updated: hook.date_created },
    })),
  ];
}

/** One event for every launched job. */
function billingChanges(project: string, studies: readonly StateChange[]): StateChange[] {
  const jobs = studies.flatMap((change) =>
    change.set === "job" && change.value.date_launched !== null ? [change.value] : [],
  );
  return jobs
    .map((job) => launchEvent(`Bill${job.id}`, project, job))
    .sort((a, b) => (a.date_created < b.date_created ? -1 : 1))
    .map((value): StateChange => ({ set: "billing", project, value }));
}

/** The initial state as changes: the project, the sample and case files. @throws UsageError. */
export async function initialChanges({
  sample,
  load = [],
  syntheticRatings: ratings,
}: Pick<EmulatorOptions, "sample" | "load" | "syntheticRatings">): Promise<StateChange[]> {
  const definition = await projectDefinition();
  const changes = (sample ?? load.length === 0) ? await sampleChanges() : foundation(definition);
  const seen = new Set(changes.flatMap((change) => (change.set === "experiment" ? [change.value.id] : [])));
  const [first] = definition.pools;
  if (first === undefined) throw new RangeError("data/sample: no rater pools");
  const { id, kind, name, label } = first;
  for (const path of load) {
    const file = await readCaseFile(path);
    const { id: experiment } = file.experiment;
    if (seen.has(experiment))
      throw new UsageError(
        `${path}: experiment.id ${JSON.stringify(experiment)} is already served; give each case file a different one.`,
      );
    seen.add(experiment);
    changes.push(...caseChanges(file, definition.project.id, { id, kind, name, label }));
  }
  if (ratings !== undefined) {
    const project = definition.project.id;
    const value = syntheticExperiment(ratings);
    changes.push({ set: "experiment", project, value, synthetic: { ratings } });
    changes.push({ set: "job", project, value: syntheticJobOf(value, { id, kind, name, label }) });
  }
  return changes;
}
