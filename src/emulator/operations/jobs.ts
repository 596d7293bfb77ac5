import { conflict, invalidField, type HttpError } from "../http/http-error.js";
import { json, type OutgoingResponse } from "../http/outgoing.js";
import { randomHex } from "../../platform/index.js";
import { freshIdentifier, instant, instantIn } from "../emulator.js";
import { presentJob } from "../presenters/records.js";
import { costOf, launchEvent } from "../state/defaults.js";
import type { StateChange } from "../state/change.js";
import type { Job } from "../state/records.js";
import type { Experiment, Project, Study } from "../state/state.js";
import { findOr404, studyOf, type Filled, type RequestContext } from "./context.js";
import { familyOf } from "../simulation/task.js";

/** POST job: creates a draft from a body in either version. */
export async function createJob(context: RequestContext): Promise<OutgoingResponse> {
  const { emulator, project } = context;
  const { experiment, jobs } = studyOf(context);
  const { num_sessions, num_comparisons, num_training, max_repetitions, min_rest_time, ...own } =
    context.body as Filled<"job_create">;
  const { pool: older = 0, rater_pool: number = older, note } = own as Partial<typeof own>;
  const pool = project.pools.find((one) => one.number === number)?.pool;
  if (pool === undefined)
    throw invalidField("rater_pool" in own ? "rater_pool" : "pool", `${number} is no rater pool of this project`);
  const strategy = context.body.strategy === "neighbour" ? "neighbor" : own.strategy;
  const now = instant(emulator);
  const job: Job = {
    id: freshIdentifier(emulator, (one) => jobs.has(one)),
    experiment_id: experiment.id,
    ...{ num_sessions, num_comparisons, num_training, max_repetitions, min_rest_time },
    ...{ date_created: now, date_updated: now, date_launched: null },
    rater_pool: pool,
    pool: number,
    status: "draft",
    config: { strategy, ...(note === undefined ? {} : { note }) },
  };
  await emulator.store.commit([{ set: "job", project: project.id, value: job }]);
  return json(201, presentJob(job, emulator.settings.apiVersion));
}

export const jobOf = (context: RequestContext): Job => findOr404(studyOf(context).jobs, context.params.job_id, "job");

/** GET costs: the price and a token that launches this job while it lasts. */
export async function getJobCosts(context: RequestContext): Promise<OutgoingResponse> {
  const { emulator } = context;
  const job = jobOf(context);
  const { tokenSeconds } = emulator.settings;
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
