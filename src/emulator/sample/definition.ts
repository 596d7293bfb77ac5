import { join } from "node:path";
import { parse } from "yaml";
import { fsp, packageFile } from "../../platform/index.js";
import { publishingRules, type PublishingRule } from "../publishing/rules.js";
import type { Strategy } from "../simulation/selection.js";
import type { Condition } from "../simulation/task.js";
import type { Experiment, Key, Leaderboard, Rubric, User, Webhook } from "../state/state.js";
import type { RaterPool } from "../state/records.js";

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
