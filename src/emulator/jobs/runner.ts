import { setMaxListeners } from "node:events";
import type { Clock } from "../../platform/index.js";
import { createBackground } from "../background.js";
import type { Job, Slate } from "../state/records.js";
import type { Project, State, Study } from "../state/state.js";
import type { Store } from "../state/store.js";
import type { WebhookSender } from "../webhook-sender.js";
import { sessionsOf } from "./sessions.js";

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
