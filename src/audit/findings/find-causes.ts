import { Worker } from "node:worker_threads";
import { metricKind } from "../../metrics/index.js";
import { fs, groupsOf, threadFile } from "../../platform/index.js";
import type { Warehouse } from "../../warehouse/index.js";
import { groupId, type AuditRow } from "../compare.js";
import { createEvaluator } from "../evaluate/index.js";
import { loadRatings, type RatingColumns } from "../ratings/index.js";
import { findCause, type CauseSettings, type FoundCause, type OpenResult } from "./find-cause.js";
import type { Finding } from "./finding.js";

interface ExplainedRows {
  readonly rows: readonly AuditRow[];
  /** Null if the finding is reported with another result that publishes the same numbers. */
  readonly finding: Finding | null;
}

/** Explains the results of one experiment after another; numbers that are published twice are explained once. */
export async function explainAll(
  warehouse: Warehouse,
  open: readonly OpenResult[],
  settings: CauseSettings,
): Promise<ExplainedRows[]> {
  const alike = groupsOf(open, ({ group }) => JSON.stringify([groupId(group), group.cells, group.options]));
  const once = [...alike.values()].map(([first]) => first);
  const found = new Map<OpenResult, FoundCause>();
  for (const [experiment, results] of groupsOf(once, ({ group }) => group.experiment_id)) {
    const ratings = await loadRatings(warehouse, experiment);
    const causes = await findCauses({ ratings, open: results, settings });
    results.forEach((result, i) => found.set(result, causes[i]!));
  }
  return [...alike.values()].flatMap((results) => {
    const { rows, finding } = found.get(results[0])!;
    const places = results.map(({ group }) => group.published_in);
    return results.map(({ group: { published_in }, rows: compared }, i) => ({
      rows: compared.map((row) => ({ ...(rows.find((other) => isSameNumber(row, other)) ?? row), published_in })),
      finding: i === 0 ? { ...finding, published_in: places } : null,
    }));
  });
}

const isSameNumber = (a: AuditRow, b: AuditRow): boolean =>
  a.item === b.item && a.field === b.field && a.published === b.published;

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
export function findCausesHere({ ratings, open, settings }: OpenResults): FoundCause[] {
  const evaluator = createEvaluator(ratings);
  return open.map((result) => findCause(result, evaluator, settings));
}

/**
 * Finds the causes of the open results of one experiment, in their order. Results of an iterative kind take about half
 * of the time and share almost no evaluations with the others: in a large experiment they run in a second thread. The
 * split depends on the experiment alone, so the answer is the same on every machine.
 */
export async function findCauses(
  results: OpenResults,
  { worker = workerFile, large = largeExperiment } = {},
): Promise<FoundCause[]> {
  const { ratings, open } = results;
  const isApart = ({ kind }: OpenResult): boolean =>
    metricKind(kind).isIterative === true && ratings.score.length >= large;
  const apart = { ...results, open: open.filter(isApart) };
  const rest = { ...results, open: open.filter((result) => !isApart(result)) };
  if (apart.open.length === 0 || rest.open.length === 0) return findCausesHere(results);
  const inWorker = findCausesInWorker(apart, worker);
  const foundHere = findCausesHere(rest);
  const foundApart = (await inWorker) ?? findCausesHere(apart);
  return open.map((result) => (isApart(result) ? foundApart : foundHere).shift()!);
}

/** Null when the worker does not start or ends early. */
function findCausesInWorker(results: OpenResults, file: string): Promise<FoundCause[] | null> {
  if (!fs.existsSync(file)) return Promise.resolve(null);
  return new Promise((resolve) => {
    const worker = new Worker(file, { workerData: results });
    worker.once("message", resolve);
    for (const event of ["error", "exit"]) worker.once(event, () => resolve(null));
  });
}
