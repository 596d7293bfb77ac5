import { randomHex } from "../../platform/index.js";
import {
  type Filled,
  findOr404,
  freshIdentifier,
  instant,
  instantIn,
  type RequestContext,
  studyOf,
} from "../emulator.js";
import { conflict, type HttpError, invalidField, json, type OutgoingResponse } from "../http/response.js";
import { familyOf } from "../simulation/task.js";
import {
  costOf,
  type Experiment,
  fieldsOf,
  type Job,
  launchEvent,
  newExperiment,
  newJob,
  type Project,
  type Study,
} from "../state/state.js";
import type { StateChange } from "../state/store.js";
import { presentExperiment, presentJob } from "./present.js";

/** Lifetime of a job's costs token. */
const tokenSeconds = 900;

/** POST experiment: creates a draft from a body in either version. */
export async function createExperiment(context: RequestContext): Promise<OutgoingResponse> {
  const { emulator, project } = context;
  const { datasets, training_datasets, ...body } = context.body as Filled<"experiment_create">;
  const { name, language, config, version = 1 } = body;
  // The older shape has neither a type nor texts.
  const older = { type: typeIn(config), title: "", question: "", description: "", introduction: "" };
  const { type, title, question, description, introduction } = { ...older, ...body };
  const id = freshIdentifier(emulator, (one) => project.studies.has(one));
  const value = newExperiment({
    id,
    name,
    type,
    language,
    config,
    version,
    title,
    question,
    description,
    introduction,
    dataset_ids: datasetIds(project, datasets, "datasets"),
    training_dataset_ids: datasetIds(project, training_datasets, "training_datasets"),
    date_created: instant(emulator),
  });
  await emulator.store.commit([{ set: "experiment", project: project.id, value }]);
  return json(201, presentExperiment(findOr404(project.studies, id, "experiment"), emulator.settings.apiVersion));
}

/** The type of an experiment that was created in the older shape. */
function typeIn(config: unknown): string {
  const { type } = fieldsOf(config);
  return typeof type === "string" ? type : "pairwise_image";
}

/** References by identifier, or by position among the project's datasets, from 1. */
function datasetIds(project: Project, references: readonly (string | number)[], field: string): string[] {
  const inOrder = [...project.datasets.keys()];
  return references.map((reference, index) => {
    const name = String(reference);
    const id = project.datasets.has(name) ? name : /^\d+$/.test(name) ? inOrder[Number(name) - 1] : undefined;
    if (id === undefined) throw invalidField(`${field}.${index}`, "names no dataset of this project");
    return id;
  });
}

/** POST job: creates a draft from a body in either version. */
export async function createJob(context: RequestContext): Promise<OutgoingResponse> {
  const { emulator, project, body } = context;
  const { experiment, jobs } = studyOf(context);
  const { num_sessions, num_comparisons, num_training, max_repetitions, min_rest_time, note } =
    body as Filled<"job_create">;
  const field = "rater_pool" in body ? "rater_pool" : "pool";
  const number = Number(body[field]);
  const pool = project.pools.find((one) => one.number === number)?.pool;
  if (pool === undefined) throw invalidField(field, `${number} is no rater pool of this project`);
  const strategy = body.strategy === "neighbour" ? "neighbor" : body.strategy;
  const job = newJob({
    id: freshIdentifier(emulator, (one) => jobs.has(one)),
    experiment_id: experiment.id,
    num_sessions,
    num_comparisons,
    num_training,
    max_repetitions,
    min_rest_time,
    date_created: instant(emulator),
    rater_pool: pool,
    pool: number,
    config: { strategy, note },
  });
  await emulator.store.commit([{ set: "job", project: project.id, value: job }]);
  return json(201, presentJob(job, emulator.settings.apiVersion));
}

export const jobOf = (context: RequestContext): Job => findOr404(studyOf(context).jobs, context.params.job_id, "job");

/** GET costs: the price and a token that launches this job while it lasts. */
export async function getJobCosts(context: RequestContext): Promise<OutgoingResponse> {
  const { emulator } = context;
  const job = jobOf(context);
  const token = { token: randomHex(20), job_id: job.id, expires_at: instantIn(emulator, tokenSeconds), is_used: false };
  await emulator.store.commit([{ set: "token", value: token }]);
  return json(200, {
    num_sessions: job.num_sessions,
    cost: costOf(job, job.num_sessions),
    cost_per_additional_session: costOf(job, 1),
    currency: "EUR",
    token: token.token,
    token_expires_in: tokenSeconds,
    token_expires_at: token.expires_at,
  });
}

/** The datasets of an experiment, marked as used. */
function usedAt(project: Project, experiment: Experiment, now: string): StateChange[] {
  const ids = new Set([...experiment.dataset_ids, ...experiment.training_dataset_ids]);
  return [...project.datasets.values()]
    .filter(({ id }) => ids.has(id))
    .map((dataset) => ({ set: "dataset", project: project.id, value: { ...dataset, date_last_used: now } }));
}

/** POST launch: only with a valid, unexpired token of this very job, and only once. */
export async function launchJob(context: RequestContext): Promise<OutgoingResponse> {
  const { emulator, project, body } = context;
  const job = jobOf(context);
  const token = emulator.store.state.tokens.get(String(body.token));
  const wrong = (message: string): HttpError => invalidField("token", message);
  if (token?.job_id !== job.id) throw wrong("is not one of this job's costs");
  if (Date.parse(token.expires_at) <= emulator.clock.now().getTime())
    throw wrong("has expired; ask for the costs again");
  if (job.status !== "draft" || token.is_used) throw conflict("The job has already been launched.");
  const { experiment } = studyOf(context);
  launchable(project, studyOf(context));
  const now = instant(emulator);
  const billingId = freshIdentifier(emulator, (one) => project.billing.some(({ id }) => id === one), 10);
  const launched: Job = { ...job, status: "launched", date_launched: now, date_updated: now };
  await emulator.store.commit([
    { set: "job", project: project.id, value: launched },
    { set: "token", value: { ...token, is_used: true } },
    { set: "experiment", project: project.id, value: { ...experiment, date_updated: now } },
    ...usedAt(project, experiment, now),
    { set: "billing", project: project.id, value: launchEvent(billingId, project.id, launched) },
  ]);
  emulator.webhooks.send(project, "job.launched", { experiment_id: job.experiment_id, job_id: job.id });
  emulator.jobs.start(project, launched);
  return json(200, { token: token.token });
}

/** @throws HttpError 409 when an experiment has nothing to show to raters yet. */
function launchable(project: Project, { experiment }: Study): void {
  const datasets = [...experiment.dataset_ids, ...experiment.training_dataset_ids].map((id) =>
    project.datasets.get(id),
  );
  const waiting = datasets.find((dataset) => dataset?.status !== "ready");
  if (waiting !== undefined) throw conflict(`Dataset ${waiting.name} is ${waiting.status}; it must be ready.`);
  const conditions = new Set(
    experiment.dataset_ids.flatMap((id) => project.datasets.get(id)?.stimuli.map(({ condition }) => condition) ?? []),
  );
  const needed = familyOf(experiment.type) === "pairwise" ? 2 : 1;
  if (conditions.size < needed)
    throw conflict(`The experiment has ${conditions.size} conditions; it needs ${needed} or more.`);
}
