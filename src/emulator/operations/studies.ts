// Experiments and jobs: creating them, the costs of a job, and its launch.
import { randomHex } from "../../platform/index.js";
import {
  type Filled,
  findOr404,
  newIdentifier,
  instantNow,
  instantIn,
  type RequestContext,
  studyOf,
} from "../emulator.js";
import {
  conflict,
  type HttpError,
  invalidField,
  json,
  type OutgoingResponse,
} from "../http/response.js";
import { fillJob } from "../simulation/jobs.js";
import { experimentFamily } from "../simulation/raters.js";
import {
  costOf,
  configFields,
  type Job,
  launchEvent,
  newExperiment,
  newJob,
  newStudy,
  type Project,
  type Study,
} from "../state.js";
import { presentExperiment, presentJob } from "./present.js";

const tokenSeconds = 900;

export function createExperiment(context: RequestContext): OutgoingResponse {
  const { emulator, project } = context;
  const { datasets, training_datasets, ...body } = context.body as Filled<"experiment_create">;
  const id = newIdentifier(emulator);
  const study = newStudy(
    newExperiment({
      ...body,
      id,
      type: experimentTypeOf(context.body),
      dataset_ids: datasetIds(project, datasets, "datasets"),
      training_dataset_ids: datasetIds(project, training_datasets, "training_datasets"),
      date_created: instantNow(emulator),
    }),
  );
  project.studies.set(id, study);
  return json(201, presentExperiment(study, emulator.settings.apiVersion));
}

/** The older shape has the type in its config, if at all. */
function experimentTypeOf({ type, config }: RequestContext["body"]): string {
  const stated = type ?? configFields(config).type;
  return typeof stated === "string" ? stated : "pairwise_image";
}

/** By identifier, or by position among the project's datasets, from 1. */
function datasetIds(
  project: Project,
  references: readonly (string | number)[],
  field: string,
): string[] {
  const inOrder = [...project.datasets.keys()];
  return references.map((reference, index) => {
    const name = String(reference);
    const id = project.datasets.has(name)
      ? name
      : /^\d+$/.test(name)
        ? inOrder[Number(name) - 1]
        : undefined;
    if (id === undefined)
      throw invalidField(`${field}.${index}`, "names no dataset of this project");
    return id;
  });
}

export function createJob(context: RequestContext): OutgoingResponse {
  const { emulator, project, body } = context;
  const { experiment, jobs } = studyOf(context);
  const field = "rater_pool" in body ? "rater_pool" : "pool";
  const { rater_pool, pool = rater_pool, strategy, note, ...counts } = body as Filled<"job_create">;
  const known = project.pools.find(({ number }) => number === pool);
  if (known === undefined) throw invalidField(field, `${pool} is no rater pool of this project`);
  const job = newJob({
    ...counts,
    id: newIdentifier(emulator),
    experiment_id: experiment.id,
    date_created: instantNow(emulator),
    rater_pool: known.pool,
    pool,
    config: { strategy: body.strategy === "neighbour" ? "neighbor" : strategy, note },
  });
  jobs.set(job.id, job);
  return json(201, presentJob(job, emulator.settings.apiVersion));
}

export const jobOf = (context: RequestContext): Job =>
  findOr404(studyOf(context).jobs, context.params.job_id, "job");

export function getJobCosts(context: RequestContext): OutgoingResponse {
  const { emulator } = context;
  const job = jobOf(context);
  const token = randomHex(20);
  const expires_at = instantIn(emulator, tokenSeconds);
  emulator.state.tokens.set(token, { job_id: job.id, expires_at });
  return json(200, {
    num_sessions: job.num_sessions,
    cost: costOf(job, job.num_sessions),
    cost_per_additional_session: costOf(job, 1),
    currency: "EUR",
    token,
    token_expires_in: tokenSeconds,
    token_expires_at: expires_at,
  });
}

/** Only with a valid, unexpired token of this very job, and only once. */
export function launchJob(context: RequestContext): OutgoingResponse {
  const { emulator, project, body } = context;
  const job = jobOf(context);
  const { token } = body as Filled<"job_launch">;
  const costs = emulator.state.tokens.get(token);
  const wrong = (message: string): HttpError => invalidField("token", message);
  if (costs?.job_id !== job.id) throw wrong("is not one of this job's costs");
  if (Date.parse(costs.expires_at) <= emulator.clock.now().getTime())
    throw wrong("has expired; ask for the costs again");
  if (job.status !== "draft") throw conflict("The job has already been launched.");
  const study = studyOf(context);
  launchable(project, study);
  const now = instantNow(emulator);
  const launched: Job = { ...job, status: "launched", date_launched: now, date_updated: now };
  study.jobs.set(job.id, launched);
  study.experiment.date_updated = now;
  for (const id of [...study.experiment.dataset_ids, ...study.experiment.training_dataset_ids])
    findOr404(project.datasets, id, "dataset").date_last_used = now;
  project.billing.push(launchEvent(newIdentifier(emulator), project.id, launched));
  fillJob(emulator.state, project, study, launched, emulator.settings.seed);
  return json(200, { token });
}

/** @throws HttpError 409. */
function launchable(project: Project, { experiment }: Study): void {
  const datasets = [...experiment.dataset_ids, ...experiment.training_dataset_ids].map((id) =>
    project.datasets.get(id),
  );
  const waiting = datasets.find((dataset) => dataset?.status !== "ready");
  if (waiting !== undefined)
    throw conflict(`Dataset ${waiting.name} is ${waiting.status}; it must be ready.`);
  const conditions = new Set(
    experiment.dataset_ids.flatMap(
      (id) => project.datasets.get(id)?.stimuli.map(({ condition }) => condition) ?? [],
    ),
  );
  const needed = experimentFamily(experiment.type) === "pairwise" ? 2 : 1;
  if (conditions.size < needed)
    throw conflict(`The experiment has ${conditions.size} conditions; it needs ${needed} or more.`);
}
