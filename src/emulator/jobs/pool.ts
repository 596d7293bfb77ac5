import type { Random } from "../../platform/index.js";
import { simulatedRater, type SimulatedRater } from "../simulation/rater.js";
import type { Job } from "../state/records.js";

/** How many raters a pool of a kind has; crowds and models do not run out. */
const sizes: Record<number, number> = { 100: 12, 600: 30 };

interface Member {
  rater: SimulatedRater;
  sessions: number;
  freeAt: number;
}

/** The raters of one job: who may sit down next, and when. */
export class Pool {
  private readonly members: Member[] = [];

  constructor(
    private readonly random: Random,
    private readonly job: Job,
    private readonly firstId: number,
  ) {}

  /** A rater free at `at` or as soon after as rest allows; null when the pool is used up. */
  next(at: number): { rater: SimulatedRater; at: number; done: (end: number) => void } | null {
    const { max_repetitions: repetitions, min_rest_time: rest, rater_pool: pool } = this.job;
    const rested = this.members.filter((one) => one.sessions <= repetitions);
    const isFull = this.members.length >= (sizes[pool.kind] ?? Infinity);
    const free = rested.filter((one) => one.freeAt <= at);
    const wantsOld = free.length > 0 && this.random() < 0.25;
    let member = wantsOld || isFull ? free[Math.floor(this.random() * free.length)] : undefined;
    if (member === undefined && !isFull) {
      member = {
        rater: simulatedRater(this.random, this.firstId + this.members.length, 0.06),
        sessions: 0,
        freeAt: at,
      };
      this.members.push(member);
    }
    member ??= rested.sort((a, b) => a.freeAt - b.freeAt)[0];
    if (member === undefined) return null;
    const taken = member;
    return {
      rater: taken.rater,
      at: Math.max(at, taken.freeAt),
      done: (end) => {
        taken.sessions += 1;
        taken.freeAt = end + 60_000 * rest;
      },
    };
  }
}
