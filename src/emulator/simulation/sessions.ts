import type { Random } from "../../platform/index.js";
import type { Job, Rating, Session, Slate } from "../state/state.js";
import { answersTo, isCorrect } from "./answers.js";
import { between, gaussian, pick, shuffled } from "./draws.js";
import type { SimulatedRater } from "./raters.js";
import type { Condition, SimulatedStimulus, Task } from "./task.js";

export type Strategy = "randomized" | "lexicographic" | "active" | "neighbor";

/** The slates that a job has shown so far. */
export interface Shown {
  slates: number;
  pairs: Map<string, number>;
  /** Wins less losses of each condition. */
  balance: Map<string, number>;
}

export const nothingShown = (): Shown => ({ slates: 0, pairs: new Map(), balance: new Map() });

const pairKey = (a: Condition, b: Condition): string => [a.name, b.name].sort().join("\u0000");

/** The stimuli of the next slate under the job's strategy. */
export function nextSlate(random: Random, task: Task, strategy: Strategy, shown: Shown): SimulatedStimulus[] {
  const source = pick(random, [...new Set(task.stimuli.map((s) => s.source))]);
  const of = (condition: Condition): SimulatedStimulus[] => {
    const own = task.stimuli.filter((s) => s.condition === condition);
    return own
      .filter((s) => s.source === source)
      .slice(0, 1)
      .concat(own)
      .slice(0, 1);
  };
  const chosen = task.family === "pairwise" ? pair(random, task, strategy, shown) : set(random, task, strategy, shown);
  shown.slates += 1;
  const [first, second] = chosen;
  if (first === second && first !== undefined && chosen.length === 2) return twice(random, task, first);
  return chosen.flatMap(of);
}

/** One condition against itself, from two sources if there are two. */
function twice(random: Random, task: Task, condition: Condition): SimulatedStimulus[] {
  const own = shuffled(
    random,
    task.stimuli.filter((s) => s.condition === condition),
  );
  return [...own, ...own].slice(0, 2);
}

export function noteOutcome(shown: Shown, a: Condition, b: Condition, margin: number): void {
  shown.pairs.set(pairKey(a, b), (shown.pairs.get(pairKey(a, b)) ?? 0) + 1);
  shown.balance.set(a.name, (shown.balance.get(a.name) ?? 0) + Math.sign(margin));
  shown.balance.set(b.name, (shown.balance.get(b.name) ?? 0) - Math.sign(margin));
}

function pair(random: Random, task: Task, strategy: Strategy, shown: Shown): Condition[] {
  const { conditions } = task;
  if (conditions.length < 2) return [...conditions];
  if (strategy === "neighbor") {
    const ranked = shuffled(random, conditions).sort(
      (a, b) => (shown.balance.get(b.name) ?? 0) - (shown.balance.get(a.name) ?? 0),
    );
    const at = Math.floor(random() * (ranked.length - 1));
    return shuffled(random, ranked.slice(at, at + 2));
  }
  const pairs = conditions.flatMap((a, i) => conditions.slice(i + 1).map((b) => [a, b] as const));
  if (strategy === "lexicographic") return [...(pairs[shown.slates % pairs.length] ?? [])];
  // With three conditions or fewer, such services draw with replacement: a slate can show one twice.
  if (strategy === "randomized" && conditions.length <= 3) return [pick(random, conditions), pick(random, conditions)];
  if (strategy === "randomized") return shuffled(random, pick(random, pairs));
  const seen = ([a, b]: readonly [Condition, Condition]): number => shown.pairs.get(pairKey(a, b)) ?? 0;
  const fewest = Math.min(...pairs.map(seen));
  return shuffled(
    random,
    pick(
      random,
      pairs.filter((one) => seen(one) === fewest),
    ),
  );
}

/** MUSHRA shows up to nine conditions, the reference always among them; the others show one. */
function set(random: Random, task: Task, strategy: Strategy, shown: Shown): Condition[] {
  const { conditions } = task;
  if (task.family !== "mushra") {
    const one = strategy === "randomized" ? pick(random, conditions) : conditions[shown.slates % conditions.length];
    return one === undefined ? [] : [one];
  }
  const references = conditions.filter((c) => c.role === "reference");
  const others = shuffled(
    random,
    conditions.filter((c) => c.role !== "reference"),
  );
  return shuffled(random, [...references, ...others].slice(0, 9));
}

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
