import type { Random } from "../../platform/index.js";
import { simulatedRater, type SimulatedRater } from "../simulation/rater.js";
import type { Job } from "../state/records.js";

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
