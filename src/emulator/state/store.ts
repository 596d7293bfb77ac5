import type {
  BillingEvent,
  CostToken,
  Dataset,
  Experiment,
  Job,
  Key,
  Organization,
  Project,
  Rubric,
  RaterSession,
  Slate,
  State,
  Study,
  User,
  Webhook,
} from "./state.js";

function studyOf({ studies }: Project, id: string): Study {
  const study = studies.get(id);
  if (study === undefined) throw new RangeError(`no experiment ${id} in the state`);
  study.revision += 1;
  return study;
}

/** What each change outside a project does. */
const globally = {
  organization: ({ organizations }: State, { value }: { value: Organization }) => organizations.set(value.id, value),
  project: ({ projects }: State, { value }: { value: Pick<Project, "id" | "name" | "organization_id" | "pools"> }) =>
    projects.set(value.id, {
      ...value,
      webhook_secret: null,
      datasets: new Map(),
      studies: new Map(),
      rubrics: new Map(),
      webhooks: new Map(),
      billing: [],
    }),
  key: ({ keys }: State, { value }: { value: Key }) => keys.set(value.key, value),
  user: ({ users }: State, { value }: { value: User }) => users.set(value.username, value),
  token: ({ tokens }: State, { value }: { value: CostToken }) => tokens.set(value.token, value),
};

interface NewStudy extends Partial<Pick<Study, "ratings" | "publishing" | "synthetic">> {
  value: Experiment;
}

/** What each change inside a project does. */
const inProject = {
  secret(project: Project, { value }: { value: string }) {
    project.webhook_secret = value;
  },
  dataset({ datasets }: Project, { value }: { value: Dataset }, { counters }: State) {
    for (const { id } of value.stimuli) counters.stimulus = Math.max(counters.stimulus, id);
    datasets.set(value.id, value);
  },
  experiment({ studies }: Project, { value: experiment, ratings = null, publishing = [], synthetic = null }: NewStudy) {
    const answers = { jobs: new Map(), raters: new Map(), sessions: new Map(), slates: [], revision: 0 };
    const before = studies.get(experiment.id) ?? { ratings, publishing, synthetic, ...answers };
    studies.set(experiment.id, Object.assign(before, { experiment, revision: before.revision + 1 }));
  },
  job: (project: Project, { value }: { value: Job }) => studyOf(project, value.experiment_id).jobs.set(value.id, value),
  session(project: Project, { value, slates }: { value: RaterSession; slates: Slate[] }, { counters }: State) {
    const study = studyOf(project, value.experiment_id);
    study.sessions.set(value.id, value);
    study.raters.set(value.rater.id, value.rater);
    for (const slate of slates) {
      study.slates.push(slate);
      counters.slate = Math.max(counters.slate, slate.id);
    }
  },
  rubric: ({ rubrics }: Project, { value }: { value: Rubric }) => rubrics.set(value.id, value),
  webhook: ({ webhooks }: Project, { value }: { value: Webhook }) => webhooks.set(value.id, value),
  "no webhook": ({ webhooks }: Project, { value }: { value: string }) => webhooks.delete(value),
  billing: ({ billing }: Project, { value }: { value: BillingEvent }) => billing.push(value),
};

type Globals = typeof globally;
type InProject = typeof inProject;

/** One step of the state's history. The state is the fold of its changes; the journal stores them. */
export type StateChange =
  | { [K in keyof Globals]: { set: K } & Parameters<Globals[K]>[1] }[keyof Globals]
  | { [K in keyof InProject]: { set: K; project: string } & Parameters<InProject[K]>[1] }[keyof InProject];

/** Whether a value from a state file has the outer shape of a change. */
export const isChange = (value: unknown): value is StateChange =>
  typeof value === "object" &&
  value !== null &&
  "set" in value &&
  Object.hasOwn({ ...globally, ...inProject }, String(value.set)) &&
  "value" in value;

/** Applies one change to the state. */
export function apply(state: State, change: StateChange): void {
  if (!("project" in change)) {
    (globally[change.set] as (state: State, change: StateChange) => unknown)(state, change);
    return;
  }
  const project = state.projects.get(change.project);
  if (project === undefined) throw new RangeError(`no project ${change.project} in the state`);
  (inProject[change.set] as (project: Project, change: StateChange, state: State) => unknown)(project, change, state);
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
  const state: State = {
    organizations: new Map(),
    projects: new Map(),
    keys: new Map(),
    users: new Map(),
    tokens: new Map(),
    counters: { slate: 0, stimulus: 0 },
  };
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
      await journal.append(changes);
      take(changes);
    },
    close: () => journal.close(),
  };
}
