import type { RatingColumns } from "./rating-columns.js";

/** 1 for each job of the ratings that a source names: one job, or several with commas between. */
export function jobMask({ jobs }: RatingColumns, source: string): Uint8Array {
  const named = new Set(source.split(","));
  return Uint8Array.from(jobs, (job) => (named.has(job) ? 1 : 0));
}
