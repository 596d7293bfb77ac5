import type { PublishingRule } from "../publishing/rules.js";
import type { Job, RaterPool, Rating, Session, Slate } from "./records.js";
import type {
  BillingEvent,
  CostToken,
  Dataset,
  Experiment,
  Key,
  Organization,
  Project,
  Rubric,
  State,
  Study,
  User,
  Webhook,
} from "./state.js";

/** One step of the state's history. The state is the fold of its changes; the journal holds them. */
export type Change =
  | { set: "organization"; value: Organization }
  | {
      set: "project";
      value: { id: string; name: string; organization_id: string; pools: { number: number; pool: RaterPool }[] };
    }
  | { set: "key"; value: Key }
  | { set: "user"; value: User }
  | { set: "token"; value: CostToken }
  | { set: "secret"; project: string; value: string }
  | { set: "dataset"; project: string; value: Dataset }
  | {
      set: "experiment";
      project: string;
      value: Experiment;
      publishing?: PublishingRule[];
      ratings?: Rating[];
      synthetic?: { ratings: number };
    }
  | { set: "job"; project: string; value: Job }
  | { set: "session"; project: string; value: Session; slates: Slate[] }
  | { set: "rubric"; project: string; value: Rubric }
  | { set: "webhook"; project: string; value: Webhook }
  | { set: "no webhook"; project: string; value: string }
  | { set: "billing"; project: string; value: BillingEvent };

function projectOf(state: State, id: string): Project {
  const project = state.projects.get(id);
  if (project === undefined) throw new RangeError(`no project ${id} in the state`);
  return project;
}

function studyOf(state: State, project: string, id: string): Study {
  const study = projectOf(state, project).studies.get(id);
  if (study === undefined) throw new RangeError(`no experiment ${id} in the state`);
  return study;
}

/** Carries one change into the state. */
export function apply(state: State, change: Change): void {
  switch (change.set) {
    case "organization":
      state.organizations.set(change.value.id, change.value);
      return;
    case "project":
      state.projects.set(change.value.id, {
        ...change.value,
        webhook_secret: null,
        datasets: new Map(),
        studies: new Map(),
        rubrics: new Map(),
        webhooks: new Map(),
        billing: [],
      });
      return;
    case "key":
      state.keys.set(change.value.key, change.value);
      return;
    case "user":
      state.users.set(change.value.username, change.value);
      return;
    case "token":
      state.tokens.set(change.value.token, change.value);
      return;
    case "secret":
      projectOf(state, change.project).webhook_secret = change.value;
      return;
    case "dataset":
      for (const { id } of change.value.stimuli) state.counters.stimulus = Math.max(state.counters.stimulus, id);
      projectOf(state, change.project).datasets.set(change.value.id, change.value);
      return;
    case "experiment":
      setExperiment(projectOf(state, change.project), change);
      return;
    case "job": {
      const study = studyOf(state, change.project, change.value.experiment_id);
      study.revision += 1;
      study.jobs.set(change.value.id, change.value);
      return;
    }
    case "session":
      setSession(state, change);
      return;
    case "rubric":
      projectOf(state, change.project).rubrics.set(change.value.id, change.value);
      return;
    case "webhook":
      projectOf(state, change.project).webhooks.set(change.value.id, change.value);
      return;
    case "no webhook":
      projectOf(state, change.project).webhooks.delete(change.value);
      return;
    case "billing":
      projectOf(state, change.project).billing.push(change.value);
      return;
  }
}

function setExperiment(project: Project, change: Extract<Change, { set: "experiment" }>): void {
  const before = project.studies.get(change.value.id);
  if (before !== undefined) {
    before.experiment = change.value;
    before.revision += 1;
    return;
  }
  project.studies.set(change.value.id, {
    jobs: new Map(),
    raters: new Map(),
    sessions: new Map(),
    slates: [],
    ratings: change.ratings ?? null,
    publishing: change.publishing ?? [],
    synthetic: change.synthetic ?? null,
    revision: 1,
    experiment: change.value,
  });
}

function setSession(state: State, change: Extract<Change, { set: "session" }>): void {
  const study = studyOf(state, change.project, change.value.experiment_id);
  study.sessions.set(change.value.id, change.value);
  study.raters.set(change.value.rater.id, change.value.rater);
  for (const slate of change.slates) {
    study.slates.push(slate);
    state.counters.slate = Math.max(state.counters.slate, slate.id);
  }
  study.revision += 1;
}
