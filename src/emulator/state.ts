// What the emulator keeps: records in their 0.8.3 shapes, and how they are made.
import type { RecordOf } from "../contract/index.js";
import type { PublishingRule } from "./publishing/rules.js";

export type Rating = RecordOf<"rating">;
export type Slate = RecordOf<"slate">;
export type Rater = RecordOf<"rater">;
export type RaterSession = RecordOf<"session">;
export type RaterPool = RecordOf<"rater_pool">;

export interface Job extends Omit<RecordOf<"job_detail">, "status" | "config"> {
  /** In job bodies and the 0.7.5 shape. */
  pool: number;
  status: "draft" | "launched" | "completed";
  config: Record<string, unknown>;
}

/** None when it is not an object. */
export const configFields = (config: unknown): Readonly<Record<string, unknown>> =>
  typeof config === "object" && config !== null ? (config as Record<string, unknown>) : {};

type Role = "member" | "billing_manager" | "owner";

export interface ApiKey {
  key: string;
  role: Role;
  project_id: string | null;
  organization_id: string | null;
}

/** For the basic and cookie schemes. */
export interface User {
  username: string;
  password: string;
  session_id: string;
  role: Role;
  project_id: string;
}

export interface StimulusFile {
  id: number;
  source: string;
  condition: string;
  name: string;
  is_reference: boolean;
}

export interface Dataset extends Required<Omit<RecordOf<"dataset_detail">, "num_stimuli">> {
  errors: string[];
  stimuli: StimulusFile[];
  /** Null once used. */
  upload: { signature: string; expires_at: string } | null;
}

type Described = Omit<
  RecordOf<"experiment_detail">,
  "datasets" | "training_datasets" | "jobs" | "language"
>;

/** Its `config` is kept as sent. */
export interface Experiment extends Required<Described> {
  language: string;
  dataset_ids: string[];
  training_dataset_ids: string[];
  /** Sent in 0.7.5 instead of a type. */
  version: number;
}

export interface Study {
  experiment: Experiment;
  jobs: Map<string, Job>;
  sessions: Map<string, RaterSession>;
  slates: Slate[];
  /** A case file's own list of ratings; null: the ratings inside the slates. */
  ratings: Rating[] | null;
  publishing: PublishingRule[];
}

export interface Leaderboard extends Omit<RecordOf<"leaderboard_detail">, "scores"> {
  experiment_id: string;
}

export interface Rubric extends Omit<RecordOf<"rubric">, "leaderboards"> {
  leaderboards: Leaderboard[];
}

export type Webhook = Omit<RecordOf<"webhook">, "secret">;
export type BillingEvent = RecordOf<"organization_billing_event">;

export interface Project {
  id: string;
  name: string;
  organization_id: string;
  pools: { number: number; pool: RaterPool }[];
  webhook_secret: string | null;
  datasets: Map<string, Dataset>;
  studies: Map<string, Study>;
  rubrics: Map<string, Rubric>;
  webhooks: Map<string, Webhook>;
  billing: BillingEvent[];
}

export interface Organization {
  id: string;
  billing_id: string;
}

export interface State {
  organizations: Map<string, Organization>;
  projects: Map<string, Project>;
  keys: Map<string, ApiKey>;
  users: Map<string, User>;
  tokens: Map<string, { job_id: string; expires_at: string }>;
  /** The largest number given out. */
  counters: { slate: number; stimulus: number };
  /** For ETags. */
  revision: number;
}

export const newProject = (
  known: Pick<Project, "id" | "name" | "organization_id" | "pools">,
): Project => ({
  ...known,
  webhook_secret: null,
  datasets: new Map(),
  studies: new Map(),
  rubrics: new Map(),
  webhooks: new Map(),
  billing: [],
});

export const newStudy = (
  experiment: Experiment,
  known: Partial<Pick<Study, "ratings" | "publishing">> = {},
): Study => ({
  experiment,
  jobs: new Map(),
  sessions: new Map(),
  slates: [],
  ratings: null,
  publishing: [],
  ...known,
});

export function addSession(
  { counters }: Pick<State, "counters">,
  study: Study,
  session: RaterSession,
  slates: readonly Slate[],
): void {
  study.sessions.set(session.id, session);
  for (const slate of slates) {
    study.slates.push(slate);
    counters.slate = Math.max(counters.slate, slate.id);
  }
}

export function putDataset(
  { counters }: Pick<State, "counters">,
  { datasets }: Project,
  dataset: Dataset,
): void {
  for (const { id } of dataset.stimuli) counters.stimulus = Math.max(counters.stimulus, id);
  datasets.set(dataset.id, dataset);
}

export const newExperiment = (
  known: Pick<Experiment, "id" | "name" | "type" | "date_created"> & Partial<Experiment>,
): Experiment => ({
  language: "en",
  title: "",
  question: "",
  description: "",
  introduction: "",
  version: 1,
  config: {},
  dataset_ids: [],
  training_dataset_ids: [],
  date_updated: known.date_created,
  ...known,
});

/** A draft unless `known` says otherwise. */
export const newJob = (
  known: Pick<
    Job,
    "id" | "experiment_id" | "num_sessions" | "date_created" | "rater_pool" | "pool"
  > &
    Partial<Job>,
): Job => ({
  num_comparisons: 0,
  num_training: 0,
  max_repetitions: 0,
  min_rest_time: 0,
  config: {},
  status: "draft",
  date_updated: known.date_created,
  date_launched: null,
  ...known,
});

/** In euro, by kind of rater pool. */
const prices: Record<number, number> = { 0: 0, 100: 0, 400: 1.15, 500: 0.2, 600: 4.8, 700: 1.15 };

export const costOf = (job: Job, sessions: number): number =>
  Math.round(100 * sessions * (prices[job.rater_pool.kind] ?? 0)) / 100;

export const launchEvent = (id: string, project_id: string, job: Job): BillingEvent => ({
  id,
  kind: "job.launched",
  date_created: job.date_launched ?? job.date_created,
  amount: costOf(job, job.num_sessions),
  currency: "EUR",
  description: `${job.num_sessions} sessions, ${job.rater_pool.label.toLowerCase()}`,
  project_id,
  experiment_id: job.experiment_id,
  job_id: job.id,
});
