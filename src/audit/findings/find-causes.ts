import { Worker } from "node:worker_threads";
import { fs, threadFile } from "../../platform/index.js";
import { createEvaluator, type Evaluator, ownScenario } from "../evaluate/index.js";
import type { RatingColumns } from "../ratings/index.js";
import type { Conventions, Kind } from "../../metrics/index.js";
import type { AuditRow } from "../compare.js";
import { explain, type Explanation } from "../explain/explanation.js";
import { nameOf, type Candidate } from "../explain/search.js";
import type { SearchLimits, Tolerances } from "../settings.js";
import type { PublishedGroup } from "../published/index.js";
import { findRepair, type Repair } from "../repair/index.js";
import { modelOf, targetOf, type Target } from "../target/index.js";
import { acceptedFor, type Acceptance, type Finding } from "./finding.js";

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

/** A published result with numbers that the run's own conventions do not reproduce. */
export interface OpenResult {
  readonly group: PublishedGroup;
  readonly kind: Kind;
  /** All of its numbers, compared. */
  readonly rows: readonly AuditRow[];
}

/** The rows of an open result with their final verdicts, and its finding. */
export interface Explained {
  readonly rows: readonly AuditRow[];
  readonly finding: Finding;
}

export interface CauseSettings {
  readonly conventions: Conventions;
  readonly tolerances: Tolerances;
  readonly limits: SearchLimits;
  readonly accept: readonly Acceptance[];
}

/** Explains a result; if no convention does, searches for the smallest change that makes it match. */
export function findCause(
  { group, kind, rows }: OpenResult,
  evaluator: Evaluator,
  { conventions, tolerances, limits, accept }: CauseSettings,
): Explained {
  const { experiment_id, dimension, source, published_in } = group;
  const target = targetOf(group, kind, tolerances);
  const own = ownScenario(conventions, dimension, source);
  const { explanation, nearest, candidate, stated, tried, untried } = explain(target, evaluator, own, limits);
  const name = nameOf(candidate);
  const { scenario, nameBits } = candidate;
  const near = name === "" ? null : { name, scenario, nameBits };
  const accepted = explanation && acceptedFor(accept, group, explanation);
  const verdict = verdictOf(explanation, accepted);
  const found = explanation === null ? findRepair(target, evaluator, own, near) : null;
  const { gives, ...repair } = found ?? { gives: null };
  const given = gives && modelOf(target, gives);
  const finding: Finding = {
    experiment_id,
    kind,
    dimension,
    source,
    published_in: [published_in],
    explanation,
    verdict,
    accepted,
    nearest,
    smallest_difference: found === null ? null : (repair as Repair),
    stated,
    tried,
    untried,
  };
  return {
    rows:
      explanation !== null
        ? explainedRows(target, rows, candidate, explanation, verdict)
        : rows.map((row) => withGiven(target, row, given)),
    finding,
  };
}

/** Free parameters prove nothing, and a convention that nobody names is a doubt, until a person accepts them. */
function verdictOf(explanation: Explanation | null, accepted: Acceptance | null): Finding["verdict"] {
  if (explanation === null) return "unexplained";
  if (explanation.unstated === "" || accepted !== null) return "explained";
  return explanation.fitted.length > 0 ? "fitted" : "unstated";
}

function explainedRows(
  target: Target,
  rows: readonly AuditRow[],
  candidate: Candidate,
  explanation: Explanation,
  verdict: Finding["verdict"],
): AuditRow[] {
  const { name, rivals } = explanation;
  const text = rivals.length === 0 ? name : `undetermined: ${[name, ...rivals].join(" or ")}`;
  const model = modelOf(target, candidate.table);
  const missed = new Set(candidate.fit.misses);
  const unpublished = new Set(candidate.fit.unpublished);
  return rows.map((row) => {
    if (row.verdict !== "unexplained") return row;
    const cell = cellOf(target, row);
    const shown = withGiven(target, row, model);
    const isReproduced = row.published === null ? !unpublished.has(row.item) : !missed.has(cell);
    if (isReproduced) return { ...shown, verdict, explanation: text };
    return row.published === null ? row : { ...shown, explanation: `${name} does not reproduce it either` };
  });
}

const cellOf = ({ cells }: Target, row: AuditRow): number =>
  cells.findIndex((c) => c.item === row.item && c.field === row.field && c.published.value === row.published);

/** A row that differs, with the number that an explanation or a repair gives. */
function withGiven(target: Target, row: AuditRow, model: Float64Array | null): AuditRow {
  if (row.verdict !== "unexplained" || row.published === null || model === null) return row;
  const value = model[cellOf(target, row)] ?? NaN;
  if (!Number.isFinite(value)) return row;
  return { ...row, under_explanation: value, remaining: row.published - value };
}
