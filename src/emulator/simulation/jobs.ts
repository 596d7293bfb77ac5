// What simulated raters answer when a job is launched.
import { seededRandom } from "../../platform/index.js";
import {
  addSession,
  configFields,
  type Job,
  type Project,
  type State,
  type Study,
} from "../state.js";
import { randomId, seedOf } from "./draws.js";
import { poolSizes, type SimulatedRater, simulatedRater, taskOf } from "./raters.js";
import { nothingShown, simulateSession, type Strategy } from "./sessions.js";

const jobStrategies: readonly Strategy[] = ["randomized", "lexicographic", "active", "neighbor"];
const meanGapMs = 4 * 60_000;

/**
 * The job is completed unless its pool is exhausted before. The same seed and position of the job
 * in the project give the same answers.
 */
export function fillJob(
  state: Pick<State, "counters">,
  project: Project,
  study: Study,
  job: Job,
  seed: number,
): void {
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
    nextSlateId: () => (state.counters.slate += 1),
  };
  const firstId = 100_000 + (seedOf(place) % 800_000);
  const poolSize = poolSizes[job.rater_pool.kind] ?? Infinity;
  /** They take part in turn; `freeAt`: milliseconds since 1970. */
  const pool: { rater: SimulatedRater; freeAt: number }[] = [];
  let at = Date.parse(job.date_launched ?? job.date_created);
  let completed = 0;
  let lastEnd = at;
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
    lastEnd = Math.max(lastEnd, endsAt);
    if (session.date_completed !== null) completed += 1;
    addSession(state, study, session, slates);
  }
  if (completed === job.num_sessions)
    study.jobs.set(job.id, {
      ...job,
      status: "completed",
      date_updated: new Date(lastEnd).toISOString(),
    });
}
