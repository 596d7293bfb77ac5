// The initial state: the sample project of data/sample and the case files.
import { join } from "node:path";
import { parse } from "yaml";
import { records } from "../../contract/index.js";
import {
  fsp,
  packageFile,
  type Random,
  schemaCheck,
  seededRandom,
  UsageError,
  messageOf,
  groupsOf,
} from "../../platform/index.js";
import type { EmulatorOptions } from "../emulator.js";
import { type PublishingRule, publishingRules } from "../publishing/rules.js";
import { randomId, seedOf } from "../simulation/draws.js";
import {
  simulatedRater,
  type SimulatedRater,
  type Condition,
  type Task,
  taskOf,
} from "../simulation/raters.js";
import { inSeconds, nothingShown, simulateSession, type Strategy } from "../simulation/sessions.js";
import {
  addSession,
  type Experiment,
  type ApiKey,
  launchEvent,
  newExperiment,
  newJob,
  newProject,
  newStudy,
  type Organization,
  type Project,
  putDataset,
  type Rubric,
  type State,
  type StimulusFile,
  type Study,
  type User,
  type Webhook,
  type RaterPool,
  type Rating,
  type RaterSession,
  type Slate,
} from "../state.js";

/** As data/sample states it. */
interface JobDefinition {
  pool: number;
  sessions: number;
  comparisons: number;
  training: number;
  strategy: Strategy;
  launched: string | null;
  days: number;
}

type ExperimentText =
  "id" | "name" | "type" | "language" | "title" | "question" | "description" | "introduction";

/** Also the `config` that simulated raters read. */
interface ExperimentDefinition extends Pick<Experiment, ExperimentText> {
  created: string;
  sources: string[];
  conditions: (Omit<Condition, "strength"> & { strength: number | Record<string, number> })[];
  raters: { count: number; first: number; inattentive: number };
  leaving: number;
  jobs: JobDefinition[];
  publishing?: PublishingRule[];
}

const sampleFolder = packageFile("data/sample");

const read = async (name: string): Promise<unknown> =>
  parse(await fsp.readFile(join(sampleFolder, name), "utf8"));

interface SampleProject {
  organizations: Organization[];
  projects: Parameters<typeof newProject>[0][];
  keys: ApiKey[];
  users: User[];
  extras: { rubrics: Rubric[]; webhook_secret: string; webhooks: Webhook[] };
}

/** @throws UsageError. */
export async function initialState({
  sample,
  load = [],
}: Pick<EmulatorOptions, "sample" | "load"> = {}): Promise<State> {
  const { organizations, projects, keys, users, extras } = (await read(
    "project.yaml",
  )) as SampleProject;
  const [project] = projects.map(newProject);
  const [anyone] = project?.pools ?? [];
  if (project === undefined || anyone === undefined)
    throw new RangeError("data/sample: no project with rater pools");
  const state: State = {
    organizations: new Map(organizations.map((one) => [one.id, one])),
    projects: new Map([project, ...projects.slice(1).map(newProject)].map((one) => [one.id, one])),
    keys: new Map(keys.map((one) => [one.key, one])),
    users: new Map(users.map((one) => [one.username, one])),
    tokens: new Map(),
    counters: { slate: 0, stimulus: 0 },
    revision: 0,
  };
  if (sample ?? load.length === 0) {
    await addSample(state, project);
    project.rubrics = new Map(extras.rubrics.map((one) => [one.id, one]));
    project.webhooks = new Map(extras.webhooks.map((one) => [one.id, one]));
    project.webhook_secret = extras.webhook_secret;
  }
  for (const path of load) {
    const file = await readCaseFile(path);
    const { id } = file.experiment;
    if (project.studies.has(id))
      throw new UsageError(
        `${path}: experiment.id ${JSON.stringify(id)} is already served; give each case ` +
          "file a different one.",
      );
    project.studies.set(id, caseStudy(state, file, anyone.pool));
  }
  return state;
}

/** The same on every machine. */
async function addSample(state: State, project: Project): Promise<void> {
  state.counters = { slate: 410_000, stimulus: 8_000 };
  const files = (await fsp.readdir(sampleFolder))
    .filter((name) => name.endsWith(".yaml") && name !== "project.yaml")
    .sort();
  for (const name of files) {
    const experiment = (await read(name)) as ExperimentDefinition;
    const publishing = publishingRules(
      experiment.publishing ?? [],
      `data/sample/${name}: publishing`,
    );
    addExperiment(state, project, { ...experiment, publishing });
  }
  const jobs = [...project.studies.values()].flatMap((study) => [...study.jobs.values()]);
  project.billing = jobs
    .filter((job) => job.date_launched !== null)
    .map((job) => launchEvent(`Bill${job.id}`, project.id, job))
    .sort((a, b) => (a.date_created < b.date_created ? -1 : 1));
}

function addExperiment(state: State, project: Project, definition: ExperimentDefinition): void {
  const { id, name, type, language, title, question, description, introduction, created, jobs } =
    definition;
  const random = seededRandom(seedOf(id));
  const stimuli = definition.sources.flatMap((source) =>
    definition.conditions.map(({ name: condition, role }): StimulusFile => {
      state.counters.stimulus += 1;
      const is_reference = role === "reference";
      return { id: state.counters.stimulus, source, condition, name: condition, is_reference };
    }),
  );
  const strengths = Object.fromEntries(
    definition.conditions.map((one) => [one.name, one.strength]),
  );
  const task = taskOf(type, { ...definition, strengths }, stimuli);
  const { count, first, inattentive } = definition.raters;
  const raters = Array.from({ length: count }, (_, i) =>
    simulatedRater(random, first + i, inattentive),
  );
  const media = `${id}Media`;
  const experiment = newExperiment({
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
    config: { dimensions: task.dimensions },
  });
  const study = newStudy(experiment, { publishing: definition.publishing ?? [] });
  project.studies.set(id, study);
  for (const job of jobs)
    addJob(state, project, study, { random, definition, planned: job, task, raters });
  const dates = [...study.jobs.values(), ...study.sessions.values()].map((one) => one.date_updated);
  experiment.date_updated = [created, ...dates].sort().at(-1) ?? created;
  putDataset(state, project, {
    id: media,
    name: `${name.split(/[,:]/)[0] ?? name} media`.slice(0, 64),
    filename: `${id.toLowerCase()}.zip`,
    status: "ready",
    errors: [],
    retention_days: -1,
    date_created: created,
    date_last_used: experiment.date_updated,
    is_deleted: false,
    stimuli,
    upload: null,
  });
}

const dayMs = 86_400_000;

interface PlannedJob {
  random: Random;
  definition: ExperimentDefinition;
  planned: JobDefinition;
  task: Task;
  raters: readonly SimulatedRater[];
}

function addJob(
  state: State,
  { pools }: Project,
  study: Study,
  { random, definition, planned, task, raters }: PlannedJob,
): void {
  const pool = pools.find(({ number }) => number === planned.pool)?.pool;
  if (pool === undefined) throw new RangeError(`data/sample: no rater pool ${planned.pool}`);
  const job = newJob({
    id: randomId(random),
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
  study.jobs.set(job.id, job);
  if (planned.launched === null) return;
  const launched = Date.parse(planned.launched);
  const starts = Array.from({ length: planned.sessions }, () =>
    Math.floor(random() * planned.days * dayMs),
  );
  const shown = nothingShown();
  const ends = starts
    .sort((a, b) => a - b)
    .map((start, turn) => {
      const rater = raters[(turn * 7 + Math.floor(random() * 3)) % raters.length];
      if (rater === undefined) throw new RangeError(`data/sample: ${definition.id} has no raters`);
      const { session, slates } = simulateSession(random, {
        job,
        task,
        rater,
        shown,
        strategy: planned.strategy,
        id: randomId(random, 10),
        startedAt: launched + start,
        leaving: definition.leaving,
        nextSlateId: () => (state.counters.slate += 1),
      });
      addSession(state, study, session, slates);
      return Date.parse(session.date_updated);
    });
  job.date_updated = inSeconds(Math.max(launched, ...ends));
}

interface CaseFile {
  experiment: { id: string; name: string; type: string; language?: string } & Record<
    string,
    unknown
  >;
  sessions: RaterSession[];
  slates: Slate[];
  ratings: Rating[];
}

const textType = { type: "string" };
const problem = schemaCheck(
  {
    type: "object",
    required: ["experiment", "sessions", "slates", "ratings"],
    properties: {
      experiment: {
        type: "object",
        required: ["id", "name", "type"],
        properties: {
          id: { ...textType, pattern: "^[a-zA-Z0-9]+$" },
          name: textType,
          type: textType,
          language: textType,
        },
      },
      sessions: { type: "array", items: records.session["0.8.3"] },
      slates: { type: "array", items: records.slate["0.8.3"] },
      ratings: { type: "array", items: records.rating["0.8.3"] },
    },
  },
  "the file",
);

/** @throws UsageError. */
async function readCaseFile(path: string): Promise<CaseFile> {
  const text = await fsp.readFile(path, "utf8").catch((error: unknown) => {
    throw new UsageError(`${path}: cannot be read (${messageOf(error)}).`);
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${path}: is not JSON (${messageOf(error)}).`);
  }
  const found = problem(value);
  if (found !== null) throw new UsageError(`${path}: ${found}.`);
  const file = value as CaseFile;
  const known = new Set(file.sessions.map(({ id }) => id));
  for (const list of ["slates", "ratings"] as const)
    file[list].forEach(({ session_id: session }, at) => {
      if (known.has(session)) return;
      const field = `${list}.${at}.session_id ${JSON.stringify(session)}`;
      throw new UsageError(`${path}: ${field} is not the id of a session in the file.`);
    });
  return file;
}

function caseStudy(state: State, file: CaseFile, pool: RaterPool): Study {
  const { experiment, sessions, slates, ratings } = file;
  const updated = sessions.map((session) => session.date_updated).sort();
  const [date_created = "2026-01-01T00:00:00Z"] = updated;
  const dates = { date_created, date_updated: updated.at(-1) ?? date_created };
  const textOf = (field: string): string =>
    typeof experiment[field] === "string" ? experiment[field] : "";
  const study = newStudy(
    newExperiment({
      id: experiment.id,
      name: experiment.name,
      type: experiment.type,
      language: experiment.language ?? "en",
      title: textOf("title"),
      question: textOf("question"),
      description: textOf("description"),
      introduction: textOf("introduction"),
      ...dates,
    }),
    { ratings },
  );
  for (const [id, own] of [...groupsOf(sessions, (session) => session.job_id)].sort(([a], [b]) =>
    a < b ? -1 : 1,
  ))
    study.jobs.set(
      id,
      newJob({
        id,
        experiment_id: experiment.id,
        num_sessions: own.length,
        max_repetitions: 1,
        rater_pool: pool,
        pool: 1,
        status: "completed",
        date_launched: date_created,
        ...dates,
      }),
    );
  const bySession = groupsOf(slates, (slate) => slate.session_id);
  for (const session of sessions)
    addSession(
      state,
      study,
      { ...session, experiment_id: experiment.id },
      bySession.get(session.id) ?? [],
    );
  return study;
}
