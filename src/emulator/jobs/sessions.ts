import { seededRandom } from "../../platform/index.js";
import { identifier, seedOf } from "../identifiers.js";
import { nothingShown, type Strategy } from "../simulation/selection.js";
import { simulateSession } from "../simulation/session.js";
import { taskOf, type Task } from "../simulation/task.js";
import { fieldsOf, type Job, type Session, type Slate } from "../state/records.js";
import type { Project, Study } from "../state/state.js";
import { createPool } from "./pool.js";

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
