import type { Random } from "../../platform/index.js";
import { isCorrect } from "./correctness.js";
import type { Job, Rating, Session, Slate } from "../state/records.js";
import { answersTo } from "./answer.js";
import { between, gaussian } from "./draws.js";
import type { SimulatedRater } from "./rater.js";
import { nextSlate, noteOutcome, type Shown, type Strategy } from "./selection.js";
import type { Task } from "./task.js";

interface SessionPlan {
  job: Job;
  task: Task;
  /** The task of training slates, where that differs. */
  trainingTask?: Task;
  rater: SimulatedRater;
  shown: Shown;
  strategy: Strategy;
  id: string;
  startedAt: Date;
  /** Probability that the rater leaves before the end. */
  leaving: number;
  nextSlateId: () => number;
}

const iso = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** One rater's session: training slates first, then the job's number of slates unless the rater leaves early. */
export function simulateSession(random: Random, plan: SessionPlan): { session: Session; slates: Slate[] } {
  const { job, task, rater, shown, startedAt } = plan;
  const all = job.num_training + job.num_comparisons;
  const leaves = random() < plan.leaving;
  const answered = leaves ? Math.floor(between(random, 1, Math.max(2, all))) : all;
  const start = startedAt.getTime();
  const slates: Slate[] = [];
  let at = start;
  for (let turn = 0; turn < answered; turn += 1) {
    const training = turn < job.num_training;
    const shownTask = training ? (plan.trainingTask ?? task) : task;
    const stimuli = nextSlate(
      random,
      shownTask,
      training ? "randomized" : plan.strategy,
      training ? { ...shown } : shown,
    );
    const duration = Math.round(1000 * Math.exp(2.2 + 0.45 * gaussian(random)) * (task.family === "mushra" ? 5 : 1));
    at += duration;
    const id = plan.nextSlateId();
    const ratings = answersTo(random, shownTask, rater, stimuli, training).map(
      ({ stimulus, dimension, score, meta }): Rating => ({
        score,
        rater_id: Number(rater.record.id),
        slate_id: id,
        session_id: plan.id,
        job_id: job.id,
        stimulus_id: stimulus.id,
        stimulus: stimulus.name,
        dimension,
        is_training: training,
        meta,
        is_correct: isCorrect(score, meta),
      }),
    );
    const [a, b] = stimuli;
    if (!training && task.family === "pairwise" && a && b)
      noteOutcome(shown, a.condition, b.condition, ratings[0]?.score ?? 0);
    slates.push({
      id,
      rater_id: rater.record.id,
      session_id: plan.id,
      job_id: job.id,
      ratings,
      date_updated: iso(at),
      meta: { duration },
      is_training: training,
    });
  }
  const end = leaves ? at : at + 2000;
  const session: Session = {
    id: plan.id,
    job_id: job.id,
    experiment_id: job.experiment_id,
    date_created: iso(start),
    date_updated: iso(end),
    date_completed: leaves ? null : iso(end),
    meta: {},
    rater: rater.record,
  };
  return { session, slates };
}
