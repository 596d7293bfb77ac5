import { setMaxListeners } from "node:events";
import { type Clock, seededRandom } from "../../platform/index.js";
import {
  addSession,
  configFields,
  type Job,
  type Project,
  type RaterSession,
  type Slate,
  type State,
  type Study,
} from "../state.js";
import { randomId, seedOf } from "./draws.js";
import { poolSizes, type SimulatedRater, simulatedRater, taskOf } from "./raters.js";
import { nothingShown, simulateSession, type Strategy } from "./sessions.js";

const jobStrategies: readonly Strategy[] = ["randomized", "lexicographic", "active", "neighbor"];
const meanGapMs = 4 * 60_000;

/**
 * The sessions of a launched job, the same for the same seed and position of the job in the
 * project. Slates are numbered when a session is stored. Ends when enough sessions are complete.
 */
export function* sessionsOf(
  project: Project,
  study: Study,
  job: Job,
  seed: number,
): Generator<{ session: RaterSession; slates: Slate[]; endsAt: number }> {
  const placeOf = (ids: Iterable<string>, id: string) => [...ids].indexOf(id);
  const place = [
    placeOf(project.studies.keys(), study.experiment.id),
    placeOf(study.jobs.keys(), job.id),
  ].join("/");
  const random = seededRandom(seedOf(`${seed} ${place}`));
  const { type, config, dataset_ids, training_dataset_ids } = study.experiment;
  const taskFrom = (ids: readonly string[]) => {
    const files = ids.flatMap((id) => project.datasets.get(id)?.stimuli ?? []);
    return taskOf(type, configFields(config), files);
  };
  const trainingTask = taskFrom(training_dataset_ids);
  const plan = {
    job: trainingTask.stimuli.length > 0 ? job : { ...job, num_training: 0 },
    task: taskFrom(dataset_ids),
    trainingTask,
    shown: nothingShown(),
    strategy: jobStrategies.find((one) => one === job.config.strategy) ?? "randomized",
    leaving: 0.06,
    nextSlateId: () => 0,
  };
  const firstId = 100_000 + (seedOf(place) % 800_000);
  const poolSize = poolSizes[job.rater_pool.kind] ?? Infinity;
  /**
   * The raters of the pool, who take part in turn, and when each may do so again, in milliseconds.
   */
  const pool: { rater: SimulatedRater; freeAt: number }[] = [];
  let at = launchOf(job);
  let completed = 0;
  for (
    let turn = 0;
    completed < job.num_sessions && turn < poolSize * (1 + job.max_repetitions);
    turn += 1
  ) {
    at -= meanGapMs * Math.log(1 - random());
    const next = turn % poolSize;
    const member = (pool[next] ??= {
      rater: simulatedRater(random, firstId + next, 0.06),
      freeAt: at,
    });
    const { session, slates } = simulateSession(random, {
      ...plan,
      rater: member.rater,
      id: randomId(random, 10),
      startedAt: Math.max(at, member.freeAt),
    });
    const endsAt = Date.parse(session.date_updated);
    member.freeAt = endsAt + 60_000 * job.min_rest_time;
    if (session.date_completed !== null) completed += 1;
    yield { session, slates, endsAt };
  }
}

const launchOf = (job: Job): number => Date.parse(job.date_launched ?? job.date_created);

/** Seconds of study per real second; `at once` does not wait; 0 simulates no raters. */
export type Speed = number | "at once";

/** What runs launched jobs. */
interface JobRunner {
  state: State;
  clock: Clock;
  background: Background;
  settings: { speed: Speed; seed: number };
}

/** Lets simulated raters answer a launched job in the background, unless the speed is 0. */
export function startJob(runner: JobRunner, project: Project, study: Study, job: Job): void {
  if (runner.settings.speed !== 0) runner.background.add(run(runner, project, study, job));
}

/** Stores each session when it is due. Rejects when the emulator closes first. */
async function run(
  { state, clock, background, settings: { speed, seed } }: JobRunner,
  project: Project,
  study: Study,
  job: Job,
): Promise<void> {
  const launchedAt = launchOf(job);
  let completed = 0;
  let lastEnd = launchedAt;
  for (const { session, slates, endsAt } of sessionsOf(project, study, job, seed)) {
    if (session.date_completed !== null) completed += 1;
    lastEnd = Math.max(lastEnd, endsAt);
    background.signal.throwIfAborted();
    const dueAt = speed === "at once" ? 0 : launchedAt + (endsAt - launchedAt) / speed;
    await clock.sleep(Math.max(0, dueAt - clock.now().getTime()), background.signal);
    addSession(state, study, session, numberedFrom(state.counters.slate + 1, slates));
    state.revision += 1;
  }
  if (completed < job.num_sessions) return;
  study.jobs.set(job.id, {
    ...job,
    status: "completed",
    date_updated: new Date(lastEnd).toISOString(),
  });
  state.revision += 1;
}

/** Numbers slates in the order in which they are stored. */
const numberedFrom = (first: number, slates: readonly Slate[]): Slate[] =>
  slates.map((slate, index) => {
    const id = first + index;
    return { ...slate, id, ratings: slate.ratings.map((rating) => ({ ...rating, slate_id: id })) };
  });

/** Work that continues after the response of its request. Its failures are not reported. */
export interface Background {
  add(work: Promise<unknown>): void;
  /** Aborts when the emulator closes. */
  readonly signal: AbortSignal;
  /** Resolves once everything has ended. */
  close(): Promise<void>;
}

export function createBackground(): Background {
  const underWay = new Set<Promise<unknown>>();
  const closing = new AbortController();
  // Any number of jobs may wait for the signal.
  setMaxListeners(0, closing.signal);
  return {
    signal: closing.signal,
    add(work) {
      const own = work.catch(() => undefined).finally(() => underWay.delete(own));
      underWay.add(own);
    },
    async close() {
      closing.abort();
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
