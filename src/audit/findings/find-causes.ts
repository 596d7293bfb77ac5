import { Worker } from "node:worker_threads";
import { fs, threadFile } from "../../platform/index.js";
import { createEvaluator } from "../evaluate/index.js";
import type { RatingColumns } from "../ratings/index.js";
import { findCause, type CauseSettings, type Explained, type OpenResult } from "./find-cause.js";

/** Open results of one experiment, with its ratings. */
export interface OpenResults {
  readonly ratings: RatingColumns;
  readonly open: readonly OpenResult[];
  readonly settings: CauseSettings;
}

/** Number of ratings from which an experiment is searched in two threads. */
const largeExperiment = 200_000;

/** The built worker; there is none when run from sources, and everything runs in this thread. */
const workerFile = threadFile("audit/findings/worker.js");

/** Finds the causes one after the other, with one evaluator. */
export function findCausesHere({ ratings, open, settings }: OpenResults): Explained[] {
  const evaluator = createEvaluator(ratings);
  return open.map((result) => findCause(result, evaluator, settings));
}

/**
 * Finds the causes of the open results of one experiment, in their order. Results of bayesian_elo take about half of
 * the time and share almost no evaluations with the others: in a large experiment they run in a second thread. The
 * split depends on the experiment alone, so the answer is the same on every machine.
 */
export async function findCauses(
  results: OpenResults,
  { worker = workerFile, large = largeExperiment } = {},
): Promise<Explained[]> {
  const { ratings, open } = results;
  const isApart = ({ kind }: OpenResult): boolean => kind === "bayesian_elo" && ratings.score.length >= large;
  const apart = { ...results, open: open.filter(isApart) };
  const rest = { ...results, open: open.filter((result) => !isApart(result)) };
  if (apart.open.length === 0 || rest.open.length === 0) return findCausesHere(results);
  const inWorker = findCausesInWorker(apart, worker);
  const foundHere = findCausesHere(rest);
  const foundApart = (await inWorker) ?? findCausesHere(apart);
  return open.map((result) => (isApart(result) ? foundApart : foundHere).shift() as Explained);
}

/** Null when the worker does not start or ends early. */
function findCausesInWorker(results: OpenResults, file: string): Promise<Explained[] | null> {
  if (!fs.existsSync(file)) return Promise.resolve(null);
  return new Promise((resolve) => {
    const worker = new Worker(file, { workerData: results });
    worker.once("message", resolve);
    for (const event of ["error", "exit"]) worker.once(event, () => resolve(null));
  });
}
