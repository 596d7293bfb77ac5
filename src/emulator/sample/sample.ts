import type { StateChange } from "../state/change.js";
import { launchEvent } from "../state/defaults.js";
import { experimentDefinitions, projectDefinition, type ProjectDefinition } from "./definition.js";
import { experimentChanges } from "./experiment.js";

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
