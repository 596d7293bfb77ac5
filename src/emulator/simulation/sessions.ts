// The sessions of a job: which slates a rater sees, and the answers.
import type { Random } from "../../platform/index.js";
import type { Job, Rating, RaterSession, Slate } from "../state.js";
import { between, gaussian, pick, shuffled } from "./draws.js";
import {
  answersTo,
  isCorrect,
  type SimulatedRater,
  type Condition,
  type SimulatedStimulus,
  type Task,
} from "./raters.js";

export type Strategy = "randomized" | "lexicographic" | "active" | "neighbor";

/** The slates that a job has shown so far. */
interface ShownSlates {
  count: number;
  pairs: Map<string, number>;
  /** Wins less losses of each condition. */
  balance: Map<string, number>;
}

export const nothingShown = (): ShownSlates => ({ count: 0, pairs: new Map(), balance: new Map() });

const pairKey = (a: Condition, b: Condition): string => [a.name, b.name].sort().join("\u0000");

const addTo = (to: Map<string, number>, key: string, value: number): void => {
  to.set(key, (to.get(key) ?? 0) + value);
};

function noteOutcome(
  { pairs, balance }: ShownSlates,
  a: Condition,
  b: Condition,
  margin: number,
): void {
  addTo(pairs, pairKey(a, b), 1);
  addTo(balance, a.name, Math.sign(margin));
  addTo(balance, b.name, -Math.sign(margin));
}

function nextSlate(
  random: Random,
  task: Task,
  strategy: Strategy,
  shown: ShownSlates,
): SimulatedStimulus[] {
  const source = pick(random, [...new Set(task.stimuli.map((s) => s.source))]);
  const of = (condition: Condition) => task.stimuli.filter((s) => s.condition === condition);
  const choose = task.family === "pairwise" ? nextPair : nextSet;
  const chosen = choose(random, task.conditions, strategy, shown, task.family);
  shown.count += 1;
  const [first, second] = chosen;
  if (chosen.length === 2 && first !== undefined && first === second) {
    // One condition against itself, from two sources if there are two.
    const own = shuffled(random, of(first));
    return [...own, ...own].slice(0, 2);
  }
  return chosen.flatMap((condition) => {
    const own = of(condition);
    return own.find((s) => s.source === source) ?? own[0] ?? [];
  });
}

function nextPair(
  random: Random,
  conditions: readonly Condition[],
  strategy: Strategy,
  shown: ShownSlates,
): Condition[] {
  if (conditions.length < 2) return [...conditions];
  if (strategy === "neighbor") {
    const won = ({ name }: Condition): number => shown.balance.get(name) ?? 0;
    const ranked = shuffled(random, conditions).sort((a, b) => won(b) - won(a));
    const at = Math.floor(random() * (ranked.length - 1));
    return shuffled(random, ranked.slice(at, at + 2));
  }
  const pairs = conditions.flatMap((a, i) => conditions.slice(i + 1).map((b) => [a, b] as const));
  if (strategy === "lexicographic") return [...(pairs[shown.count % pairs.length] ?? [])];
  // Such services draw with replacement then: a slate can show one twice.
  if (strategy === "randomized" && conditions.length <= 3)
    return [pick(random, conditions), pick(random, conditions)];
  if (strategy === "randomized") return shuffled(random, pick(random, pairs));
  const seen = ([a, b]: readonly [Condition, Condition]): number =>
    shown.pairs.get(pairKey(a, b)) ?? 0;
  const fewest = Math.min(...pairs.map(seen));
  const rarest = pairs.filter((one) => seen(one) === fewest);
  return shuffled(random, pick(random, rarest));
}

/** MUSHRA shows up to nine, the reference always among them; the others show one. */
function nextSet(
  random: Random,
  conditions: readonly Condition[],
  strategy: Strategy,
  shown: ShownSlates,
  family: Task["family"],
): Condition[] {
  if (family !== "mushra") {
    const one =
      strategy === "randomized"
        ? pick(random, conditions)
        : conditions[shown.count % conditions.length];
    return one === undefined ? [] : [one];
  }
  const isReference = ({ role }: Condition): boolean => role === "reference";
  const others = conditions.filter((condition) => !isReference(condition));
  const first = [...conditions.filter(isReference), ...shuffled(random, others)].slice(0, 9);
  return shuffled(random, first);
}

interface SessionPlan {
  job: Job;
  task: Task;
  /** Default `task`. */
  trainingTask?: Task;
  rater: SimulatedRater;
  shown: ShownSlates;
  strategy: Strategy;
  id: string;
  /** Milliseconds since 1970. */
  startedAt: number;
  /** Probability that the rater leaves before the end. */
  leaving: number;
  nextSlateId: () => number;
}

/** In whole seconds. */
export const inSeconds = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** Training slates first, then the job's number of slates unless the rater leaves early. */
export function simulateSession(
  random: Random,
  plan: SessionPlan,
): { session: RaterSession; slates: Slate[] } {
  const { job, task, rater, shown, startedAt } = plan;
  const all = job.num_training + job.num_comparisons;
  const leaves = random() < plan.leaving;
  const answered = leaves ? Math.floor(between(random, 1, Math.max(2, all))) : all;
  const slates: Slate[] = [];
  let at = startedAt;
  for (let turn = 0; turn < answered; turn += 1) {
    const isTraining = turn < job.num_training;
    const own = isTraining ? (plan.trainingTask ?? task) : task;
    const strategy = isTraining ? "randomized" : plan.strategy;
    const stimuli = nextSlate(random, own, strategy, isTraining ? { ...shown } : shown);
    const duration = Math.round(
      1000 * Math.exp(2.2 + 0.45 * gaussian(random)) * (task.family === "mushra" ? 5 : 1),
    );
    at += duration;
    const id = plan.nextSlateId();
    const ratings = answersTo(random, own, rater, stimuli, isTraining).map(
      ({ stimulus, dimension, score, meta }): Rating => ({
        score,
        rater_id: Number(rater.record.id),
        slate_id: id,
        session_id: plan.id,
        job_id: job.id,
        stimulus_id: stimulus.id,
        stimulus: stimulus.name,
        dimension,
        is_training: isTraining,
        meta,
        is_correct: isCorrect(score, meta),
      }),
    );
    const [a, b] = stimuli;
    if (!isTraining && task.family === "pairwise" && a && b)
      noteOutcome(shown, a.condition, b.condition, ratings[0]?.score ?? 0);
    slates.push({
      id,
      rater_id: rater.record.id,
      session_id: plan.id,
      job_id: job.id,
      ratings,
      date_updated: inSeconds(at),
      meta: { duration },
      is_training: isTraining,
    });
  }
  const end = inSeconds(leaves ? at : at + 2000);
  const session: RaterSession = {
    id: plan.id,
    job_id: job.id,
    experiment_id: job.experiment_id,
    date_created: inSeconds(startedAt),
    date_updated: end,
    date_completed: leaves ? null : end,
    meta: {},
    rater: rater.record,
  };
  return { session, slates };
}
