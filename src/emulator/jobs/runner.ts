import { setMaxListeners } from "node:events";
import type { Clock } from "../../platform/index.js";
import type { Change } from "../state/change.js";
import type { Job, Slate } from "../state/records.js";
import type { Project, State, Study } from "../state/state.js";
import type { Store } from "../state/store.js";
import type { Hooks } from "../webhook-sender.js";
import { sessionsOf } from "./sessions.js";

/** Seconds of study that pass in a second; `at once` waits for nothing; 0 keeps raters away. */
export type Speed = number | "at once";

/** Lets launched jobs be answered by simulated raters. */
export class Life {
  private readonly ending = new AbortController();
  private readonly running = new Set<Promise<void>>();

  constructor(
    private readonly store: Store,
    private readonly hooks: Hooks,
    private readonly clock: Clock,
    private readonly speed: Speed,
    private readonly seed: number,
  ) {
    // As many jobs or deliveries as there are may wait for the end.
    setMaxListeners(0, this.ending.signal);
  }

  /** Goes on with every job that was launched and not completed when the service was last there. */
  resume(): void {
    for (const project of this.store.state.projects.values())
      for (const study of project.studies.values())
        for (const job of study.jobs.values()) if (job.status === "launched") this.begin(project, job);
  }

  begin(project: Project, job: Job): void {
    const study = project.studies.get(job.experiment_id);
    if (study === undefined || this.speed === 0) return;
    const running = this.live(project, study, job).finally(() => this.running.delete(running));
    this.running.add(running);
  }

  async close(): Promise<void> {
    this.ending.abort();
    await Promise.allSettled(this.running);
  }

  private async live(project: Project, study: Study, job: Job): Promise<void> {
    const launchedAt = Date.parse(job.date_launched ?? job.date_created);
    let completed = 0;
    let last = launchedAt;
    for (const { session, slates, endsAt } of sessionsOf(project, study, job, this.seed)) {
      if (session.date_completed !== null) completed += 1;
      last = Math.max(last, endsAt);
      if (study.sessions.has(session.id)) continue;
      if (await this.waitFor(launchedAt, endsAt)) return;
      await this.store.commit([
        { set: "session", project: project.id, value: session, slates: numbered(this.store.state, slates) },
      ]);
      if (session.date_completed !== null) this.hooks.tell(project, "session.completed", about(job, session.id));
    }
    if (completed < job.num_sessions) return;
    const done: Change = {
      set: "job",
      project: project.id,
      value: { ...job, status: "completed", date_updated: new Date(last).toISOString() },
    };
    await this.store.commit([done]);
    this.hooks.tell(project, "job.completed", about(job));
    this.hooks.tell(project, "results.updated", about(job));
  }

  /** Resolves to true when the service is closing. */
  private async waitFor(launchedAt: number, endsAt: number): Promise<boolean> {
    if (this.ending.signal.aborted) return true;
    const due = this.speed === "at once" ? 0 : launchedAt + (endsAt - launchedAt) / this.speed;
    const wait = Math.max(0, due - this.clock.now().getTime());
    return this.clock.sleep(wait, this.ending.signal).then(
      () => false,
      () => true,
    );
  }
}

const about = ({ experiment_id, id }: Job, session?: string): Record<string, unknown> => ({
  experiment_id,
  job_id: id,
  ...(session === undefined ? {} : { session_id: session }),
});

/** Gives slates their numbers in the order in which they are kept. */
function numbered(state: State, slates: readonly Slate[]): Slate[] {
  return slates.map((slate) => {
    state.counters.slate += 1;
    const id = state.counters.slate;
    return { ...slate, id, ratings: slate.ratings.map((rating) => ({ ...rating, slate_id: id })) };
  });
}
