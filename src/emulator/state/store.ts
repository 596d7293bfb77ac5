import type { PublishingRule } from "../publishing/rules.js";
import { type BillingEvent, type CostToken, type Dataset, emptyState, type Experiment, type Job, type Key, type Organization, type Project, type Rating, type Rubric, type Session, type Slate, type State, type Study, type User, type Webhook } from "./state.js";

interface InProject<T> {
  project: string;
  value: T;
}

interface Changes {
  organization: { value: Organization };
  project: { value: Pick<Project, "id" | "name" | "organization_id" | "pools"> };
  key: { value: Key };
  user: { value: User };
  token: { value: CostToken };
  secret: InProject<string>;
  dataset: InProject<Dataset>;
  experiment: InProject<Experiment> & {
    publishing?: PublishingRule[];
    ratings?: Rating[];
    synthetic?: { ratings: number };
  };
  job: InProject<Job>;
  session: InProject<Session> & { slates: Slate[] };
  rubric: InProject<Rubric>;
  webhook: InProject<Webhook>;
  "no webhook": InProject<string>;
  billing: InProject<BillingEvent>;
}

/** One step of the state's history. The state is the fold of its changes; the journal stores them. */
export type StateChange = { [K in keyof Changes]: { set: K } & Changes[K] }[keyof Changes];

function projectOf({ projects }: State, id: string): Project {
  const project = projects.get(id);
  if (project === undefined) throw new RangeError(`no project ${id} in the state`);
  return project;
}

function studyOf(state: State, project: string, id: string): Study {
  const study = projectOf(state, project).studies.get(id);
  if (study === undefined) throw new RangeError(`no experiment ${id} in the state`);
  return study;
}

const appliers: { [K in keyof Changes]: (state: State, change: Changes[K]) => void } = {
  organization: ({ organizations }, { value }) => organizations.set(value.id, value),
  project({ projects }, { value }) {
    const empty = { datasets: new Map(), studies: new Map(), rubrics: new Map(), webhooks: new Map(), billing: [] };
    projects.set(value.id, { ...value, webhook_secret: null, ...empty });
  },
  key: ({ keys }, { value }) => keys.set(value.key, value),
  user: ({ users }, { value }) => users.set(value.username, value),
  token: ({ tokens }, { value }) => tokens.set(value.token, value),
  secret(state, { project, value }) {
    projectOf(state, project).webhook_secret = value;
  },
  dataset(state, { project, value }) {
    for (const { id } of value.stimuli) state.counters.stimulus = Math.max(state.counters.stimulus, id);
    projectOf(state, project).datasets.set(value.id, value);
  },
  experiment(state, { project, value, ratings = null, publishing = [], synthetic = null }) {
    const { studies } = projectOf(state, project);
    const study = studies.get(value.id);
    if (study !== undefined) {
      study.experiment = value;
      study.revision += 1;
      return;
    }
    const empty = { jobs: new Map(), raters: new Map(), sessions: new Map(), slates: [] };
    studies.set(value.id, { ...empty, ratings, publishing, synthetic, revision: 1, experiment: value });
  },
  job(state, { project, value }) {
    const study = studyOf(state, project, value.experiment_id);
    study.revision += 1;
    study.jobs.set(value.id, value);
  },
  session(state, { project, value, slates }) {
    const study = studyOf(state, project, value.experiment_id);
    study.sessions.set(value.id, value);
    study.raters.set(value.rater.id, value.rater);
    for (const slate of slates) {
      study.slates.push(slate);
      state.counters.slate = Math.max(state.counters.slate, slate.id);
    }
    study.revision += 1;
  },
  rubric: (state, { project, value }) => projectOf(state, project).rubrics.set(value.id, value),
  webhook: (state, { project, value }) => projectOf(state, project).webhooks.set(value.id, value),
  "no webhook": (state, { project, value }) => projectOf(state, project).webhooks.delete(value),
  billing: (state, { project, value }) => projectOf(state, project).billing.push(value),
};

/** Whether a value from a state file has the outer shape of a change. */
export const isChange = (value: unknown): value is StateChange =>
  typeof value === "object" &&
  value !== null &&
  "set" in value &&
  typeof value.set === "string" &&
  Object.hasOwn(appliers, value.set) &&
  "value" in value;

/** Applies one change to the state. */
export function apply(state: State, change: StateChange): void {
  const applier = appliers[change.set] as (state: State, change: StateChange) => void;
  applier(state, change);
}

/** Where changes are made durable. */
export interface Journal {
  /** Resolves once the changes would survive a crash; calls are written in their order. */
  append(changes: readonly StateChange[]): Promise<void>;
  close(): Promise<void>;
}

const inMemory: Journal = { append: () => Promise.resolve(), close: () => Promise.resolve() };

/** The state and its history. */
export interface Store {
  readonly state: State;
  /** Counts all changes so far; an ETag depends on it. */
  readonly revision: number;
  /** Runs work that decides on changes by the state and commits them. One runs at a time: each sees the last. */
  inTurn<T>(work: () => T | Promise<T>): Promise<T>;
  /** Makes `changes` durable, then applies them together. When they cannot be written, the state does not change. */
  commit(changes: readonly StateChange[]): Promise<void>;
  close(): Promise<void>;
}

export function createStore(initial: readonly StateChange[], journal: Journal = inMemory): Store {
  const state = emptyState();
  let revision = 0;
  let last: Promise<unknown> = Promise.resolve();
  const take = (changes: readonly StateChange[]): void => {
    for (const change of changes) apply(state, change);
    revision += changes.length;
  };
  take(initial);
  return {
    state,
    get revision() {
      return revision;
    },
    inTurn(work) {
      const own = last.then(work);
      last = own.catch(() => undefined);
      return own;
    },
    async commit(changes) {
      if (changes.length === 0) return;
      await journal.append(changes);
      take(changes);
    },
    close: () => journal.close(),
  };
}
