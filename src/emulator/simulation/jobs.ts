import { setMaxListeners } from "node:events";
import { type Clock, type Random, seededRandom } from "../../platform/index.js";
import { createBackground } from "../background.js";
import { fieldsOf, type Job, type Project, type Session, type Slate, type State, type Study } from "../state/state.js";
import type { Store } from "../state/store.js";
import type { WebhookSender } from "../webhooks.js";
import { identifier, seedOf } from "./draws.js";
import { simulatedRater, type SimulatedRater } from "./raters.js";
import { nothingShown, simulateSession, type Strategy } from "./sessions.js";
import { type Task, taskOf } from "./task.js";

/** Raters in a pool, by kind of pool; the other kinds are unlimited. */
const sizes: Record<number, number> = { 100: 12, 600: 30 };

/** The raters of one job. */
interface SimulatedPool {
  /** A rater free at `at`, or as soon after as the job's rest time allows; null when no rater may take part again. */
  next(at: number): { rater: SimulatedRater; at: number; done(end: number): void } | null;
}

export function createPool(random: Random, job: Job, firstId: number): SimulatedPool {
  const { max_repetitions: repetitions, min_rest_time: restMinutes, rater_pool: pool } = job;
  const members: { rater: SimulatedRater; sessions: number; freeAt: number }[] = [];

  function memberFor(at: number) {
    const eligible = members.filter(({ sessions }) => sessions <= repetitions);
    const free = eligible.filter(({ freeAt }) => freeAt <= at);
    const isFull = members.length >= (sizes[pool.kind] ?? Infinity);
    const isRepeat = free.length > 0 && random() < 0.25;
    const known = isRepeat || isFull ? free[Math.floor(random() * free.length)] : undefined;
    if (known !== undefined || isFull) return known ?? eligible.sort((a, b) => a.freeAt - b.freeAt)[0];
    const member = { rater: simulatedRater(random, firstId + members.length, 0.06), sessions: 0, freeAt: at };
    members.push(member);
    return member;
  }

  return {
    next(at) {
      const member = memberFor(at);
      if (member === undefined) return null;
      return {
        rater: member.rater,
        at: Math.max(at, member.freeAt),
        done(end) {
          member.sessions += 1;
          member.freeAt = end + 60_000 * restMinutes;
        },
      };
    },
  };
}

const strategies: readonly Strategy[] = ["randomized", "lexicographic", "active", "neighbor"];
const meanGapMs = 4 * 60_000;

/**
 * The sessions of a launched job, the same for the same seed and position of the job in the project. Slates are
 * numbered when a session is stored. Ends when enough sessions are complete.
 */
export function* sessionsOf(
  project: Project,
  study: Study,
  job: Job,
  seed: number,
): Generator<{ session: Session; slates: Slate[]; endsAt: number }> {
  const place = `${[...project.studies.keys()].indexOf(study.experiment.id)}/${[...study.jobs.keys()].indexOf(job.id)}`;
  const random = seededRandom(seedOf(`${seed} ${place}`));
  const { type, config, dataset_ids, training_dataset_ids } = study.experiment;
  const taskFrom = (ids: readonly string[]): Task =>
    taskOf(
      type,
      fieldsOf(config),
      ids.flatMap((id) => project.datasets.get(id)?.stimuli ?? []),
    );
  const task = taskFrom(dataset_ids);
  const training = taskFrom(training_dataset_ids);
  const numTraining = training.stimuli.length > 0 ? job.num_training : 0;
  const pool = createPool(random, job, 100_000 + (seedOf(place) % 800_000));
  const strategy = strategies.find((one) => one === job.config.strategy) ?? "randomized";
  const shown = nothingShown();
  const launched = Date.parse(job.date_launched ?? job.date_created);
  let at = launched;
  let completed = 0;
  while (completed < job.num_sessions) {
    at -= meanGapMs * Math.log(1 - random());
    const sitting = pool.next(at);
    if (sitting === null) return;
    const { session, slates } = simulateSession(random, {
      job: { ...job, num_training: numTraining },
      ...{ task, trainingTask: training, shown, strategy, rater: sitting.rater },
      id: identifier(random, 10),
      startedAt: new Date(sitting.at),
      leaving: 0.06,
      nextSlateId: () => 0,
    });
    const endsAt = Date.parse(session.date_updated);
    sitting.done(endsAt);
    if (session.date_completed !== null) completed += 1;
    yield { session, slates, endsAt };
  }
}

/** Seconds of study per real second; `at once` does not wait; 0 simulates no raters. */
export type Speed = number | "at once";

/** Runs launched jobs: simulated raters answer them. */
export interface JobRunner {
  /** Continues every job that was launched and not completed when the emulator last stopped. */
  resume(): void;
  start(project: Project, job: Job): void;
  close(): Promise<void>;
}

export function createJobRunner(
  { store, webhooks, clock }: { store: Store; webhooks: WebhookSender; clock: Clock },
  { speed, seed }: { speed: Speed; seed: number },
): JobRunner {
  const closing = new AbortController();
  const background = createBackground();
  // Any number of jobs may wait for the signal.
  setMaxListeners(0, closing.signal);

  /** Waits until a session that ends at `endsAt` is due; false when the emulator closes first. */
  async function isDue(launchedAt: number, endsAt: number): Promise<boolean> {
    if (closing.signal.aborted) return false;
    const due = speed === "at once" ? 0 : launchedAt + (endsAt - launchedAt) / speed;
    return clock.sleep(Math.max(0, due - clock.now().getTime()), closing.signal).then(
      () => true,
      () => false,
    );
  }

  async function run(project: Project, study: Study, job: Job): Promise<void> {
    const about = { experiment_id: job.experiment_id, job_id: job.id };
    const launchedAt = Date.parse(job.date_launched ?? job.date_created);
    let completed = 0;
    let lastEnd = launchedAt;
    for (const { session, slates, endsAt } of sessionsOf(project, study, job, seed)) {
      const isCompleted = session.date_completed !== null;
      if (isCompleted) completed += 1;
      lastEnd = Math.max(lastEnd, endsAt);
      if (study.sessions.has(session.id)) continue;
      if (!(await isDue(launchedAt, endsAt))) return;
      await store.inTurn(() => {
        const numbered = withNumbers(store.state, slates);
        return store.commit([{ set: "session", project: project.id, value: session, slates: numbered }]);
      });
      if (isCompleted) webhooks.send(project, "session.completed", { ...about, session_id: session.id });
    }
    if (completed < job.num_sessions) return;
    const done: Job = { ...job, status: "completed", date_updated: new Date(lastEnd).toISOString() };
    await store.commit([{ set: "job", project: project.id, value: done }]);
    webhooks.send(project, "job.completed", about);
    webhooks.send(project, "results.updated", about);
  }

  function start(project: Project, job: Job): void {
    const study = project.studies.get(job.experiment_id);
    if (study === undefined || speed === 0) return;
    background.add(run(project, study, job));
  }

  return {
    start,
    resume() {
      for (const project of store.state.projects.values())
        for (const { jobs } of project.studies.values())
          for (const job of jobs.values()) if (job.status === "launched") start(project, job);
    },
    close() {
      closing.abort();
      return background.settled();
    },
  };
}

/** Numbers slates in the order in which they are stored. */
const withNumbers = ({ counters }: State, slates: readonly Slate[]): Slate[] =>
  slates.map((slate, index) => {
    const id = counters.slate + index + 1;
    return { ...slate, id, ratings: slate.ratings.map((rating) => ({ ...rating, slate_id: id })) };
  });
