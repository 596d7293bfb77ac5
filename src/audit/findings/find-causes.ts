import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { fs } from "../../platform/index.js";
import type { Conventions, Kind } from "../../metrics/index.js";
import type { AuditRow } from "../compare/audit-row.js";
import { createEvaluator } from "../evaluate/evaluator.js";
import { explainGroup } from "./find-cause.js";
import type { RatingColumns } from "../ratings/index.js";
import type { Finding } from "./finding.js";
import type { PublishedGroup } from "../published/group.js";
import type { SearchLimits } from "../explain/index.js";
import type { Tolerances } from "../compare/tolerances.js";

/** A published result with numbers that the run's own conventions do not reproduce. */
export interface OpenResult {
  readonly group: PublishedGroup;
  readonly kind: Kind;
  /** All of its numbers, compared. */
  readonly rows: readonly AuditRow[];
}

export interface Explained {
  readonly rows: readonly AuditRow[];
  readonly finding: Finding;
}

export interface Method {
  readonly conventions: Conventions;
  readonly tolerances: Tolerances;
  readonly limits: SearchLimits;
}

/** Some results of one experiment, as they are handed to a thread. */
export interface Order {
  readonly ratings: RatingColumns;
  readonly open: readonly OpenResult[];
  readonly method: Method;
}

/** Ratings of an experiment from which its results are explained in two threads. */
const muchToSearch = 200_000;

/** The built worker; run from sources there is none, and everything takes place in this thread. */
const workerFile = join(import.meta.dirname, "worker.js");

/** Explains one after the other what shares its evaluations. */
export function explainHere({ ratings, open, method }: Order): Explained[] {
  const evaluator = createEvaluator(ratings);
  const { conventions, tolerances, limits } = method;
  return open.map(({ group, kind, rows }) =>
    explainGroup(group, kind, rows, evaluator, conventions, tolerances, limits),
  );
}

/**
 * Explains the open results of one experiment, in their order. Those of bayesian_elo take about half of the time and
 * share next to nothing with the others: of a large experiment they are explained beside them, in a thread of their own.
 * How the results are divided depends on the experiment alone, so the answer does not depend on the machine.
 */
export async function explainResults(
  order: Order,
  { worker = workerFile, large = muchToSearch } = {},
): Promise<Explained[]> {
  const { ratings, open } = order;
  const isApart = ({ kind }: OpenResult): boolean => kind === "bayesian_elo" && ratings.score.length >= large;
  const apart = { ...order, open: open.filter(isApart) };
  const rest = { ...order, open: open.filter((result) => !isApart(result)) };
  if (apart.open.length === 0 || rest.open.length === 0) return explainHere(order);
  const beside = explainBeside(apart, worker);
  const here = explainHere(rest);
  const there = (await beside) ?? explainHere(apart);
  return open.map((result) => (isApart(result) ? there : here).shift() as Explained);
}

/** Null where the thread could not be had or ended early: then it is done here. */
function explainBeside(order: Order, file: string): Promise<Explained[] | null> {
  if (!fs.existsSync(file)) return Promise.resolve(null);
  return new Promise((resolve) => {
    const worker = new Worker(file, { workerData: order });
    worker.once("message", resolve);
    worker.once("error", () => resolve(null));
    worker.once("exit", () => resolve(null));
  });
}
