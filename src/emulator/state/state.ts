import type { RecordOf } from "../../contract/index.js";
import type { PublishingRule } from "../publishing/rules.js";
import type { Job, Rater, RaterPool, Rating, Session, Slate } from "./records.js";

export type Role = "member" | "billing_manager" | "owner";

/** A key of a project or of an organization. */
export interface Key {
  key: string;
  role: Role;
  project_id: string | null;
  organization_id: string | null;
}

/** A person for the basic and cookie schemes. */
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

export interface Dataset {
  id: string;
  name: string;
  filename: string;
  status: "draft" | "processing" | "ready" | "error";
  errors: string[];
  retention_days: number;
  date_created: string;
  date_last_used: string;
  is_deleted: boolean;
  stimuli: StimulusFile[];
  /** The data that the upload address is signed with; null once used. */
  upload: { nonce: string; expires_at: string } | null;
}

export interface Experiment {
  id: string;
  name: string;
  type: string;
  language: string;
  dataset_ids: string[];
  training_dataset_ids: string[];
  date_created: string;
  date_updated: string;
  /** Kept as sent. */
  config: unknown;
  title: string;
  question: string;
  description: string;
  introduction: string;
  /** Sent in 0.7.5 instead of a type. */
  version: number;
}

/** An experiment with its jobs and all answers so far. */
export interface Study {
  experiment: Experiment;
  jobs: Map<string, Job>;
  raters: Map<string, Rater>;
  sessions: Map<string, Session>;
  slates: Slate[];
  /** A case file's own list of ratings; null: the ratings inside the slates. */
  ratings: Rating[] | null;
  publishing: PublishingRule[];
  /** Answers generated on demand; such a study stores none. */
  synthetic: { ratings: number } | null;
  /** Increases with every change, so that computed results can be cached. */
  revision: number;
}

export interface Leaderboard {
  id: string;
  name: string;
  description: string;
  date_updated: string;
  experiment_id: string;
  kind: string;
  dimension: string;
}

export interface Rubric {
  id: string;
  name: string;
  description: string;
  date_created: string;
  date_updated: string;
  leaderboards: Leaderboard[];
}

export type Webhook = Omit<RecordOf<"webhook">, "secret">;
export type BillingEvent = RecordOf<"organization_billing_event">;

export interface CostToken {
  token: string;
  job_id: string;
  expires_at: string;
  is_used: boolean;
}

export interface Project {
  id: string;
  name: string;
  organization_id: string;
  webhook_secret: string | null;
  pools: { number: number; pool: RaterPool }[];
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
  keys: Map<string, Key>;
  users: Map<string, User>;
  tokens: Map<string, CostToken>;
  /** The largest slate and stimulus number given out. */
  counters: { slate: number; stimulus: number };
}

export const emptyState = (): State => ({
  organizations: new Map(),
  projects: new Map(),
  keys: new Map(),
  users: new Map(),
  tokens: new Map(),
  counters: { slate: 0, stimulus: 0 },
});
