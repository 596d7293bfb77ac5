/** How published numbers were computed, from the ratings to the item. */
import {
  type Conventions,
  isKind,
  type Kind,
  kinds,
  mainField,
  metricKind,
} from "../../metrics/index.js";
import { didYouMean, groupsOf, sumOf, UsageError } from "../../platform/index.js";
import { textOf, type Warehouse } from "../../warehouse/index.js";
import type { Finding } from "../judge/finding.js";
import { resultKey } from "../result.js";
import { jobMask, loadRatings, type RatingColumns } from "../recompute/ratings.js";
import { selectRatings } from "../recompute/population.js";
import type { AuditRow } from "../judge/rows.js";
import type { AuditReport } from "./report.js";
import { createEvaluator, type Evaluator } from "../recompute/evaluator.js";
import { ownScenario, patched, type Scenario } from "../recompute/scenario.js";
import { hypothesesFor } from "../recompute/hypotheses.js";
import type { Explanation } from "../explain/find-cause.js";

export interface TracePart extends SlateCounts {
  readonly dimension: string;
  readonly source: string;
  readonly ratings: ReturnType<typeof countRatings>;
  readonly rows: readonly AuditRow[];
  readonly findings: readonly Finding[];
  readonly quotients: readonly ItemQuotients[];
  readonly order: Awaited<ReturnType<typeof orderRanges>>;
}

export interface Trace {
  readonly snapshot: string;
  readonly experiment_id: string;
  readonly experiment_name: string;
  readonly kind: Kind;
  readonly item: string | null;
  /** Those that affect the kind, as `name=value`. */
  readonly conventions: readonly string[];
  readonly parts: readonly TracePart[];
}

export interface TraceRequest {
  readonly experiment: string;
  readonly kind: string;
  readonly item?: string | undefined;
}

/**
 * @param warehouse holds the recomputed models
 * @throws UsageError for what is not published
 */
export async function traceNumbers(
  warehouse: Warehouse,
  report: AuditReport,
  conventions: Conventions,
  request: TraceRequest,
): Promise<Trace> {
  const { kind, item } = request;
  const { experiment_id, experiment_name } = experimentOf(report, request.experiment);
  if (!isKind(kind))
    throw new UsageError(
      `No metric ${JSON.stringify(kind)}.${didYouMean(kind, kinds)} Known: ${kinds.join(", ")}.`,
    );
  const rows = tracedRows(report, experiment_id, kind, item);
  const ratings = await loadRatings(warehouse, experiment_id);
  const evaluator = createEvaluator(ratings);
  const parts: TracePart[] = [];
  for (const [key, result] of groupsOf(rows, resultKey)) {
    const [{ dimension, source }] = result;
    const scenario = ownScenario(conventions, dimension, source);
    const findings = report.findings.filter((one) => resultKey(one) === key);
    const explanation = findings.find((one) => one.explanation !== null)?.explanation ?? null;
    const isAsked = (one: { readonly item: string }): boolean =>
      item === undefined || one.item === item;
    const ranges = await orderRanges(warehouse, kind, experiment_id, dimension, source);
    parts.push({
      dimension,
      source,
      ratings: countRatings(ratings, scenario),
      ...(await slateCounts(warehouse, kind, experiment_id, dimension)),
      rows: result,
      findings,
      quotients: quotientsOf(kind, evaluator, scenario, explanation).filter(isAsked),
      order: ranges.filter(isAsked),
    });
  }
  return {
    snapshot: report.snapshot,
    experiment_id,
    experiment_name,
    kind,
    item: item ?? null,
    conventions: conventionsOf(kind, conventions),
    parts,
  };
}

/** By identifier or name. @throws UsageError if there is none */
export function experimentOf({ rows }: AuditReport, named: string): AuditRow {
  const row =
    rows.find((r) => r.experiment_id === named) ?? rows.find((r) => r.experiment_name === named);
  if (row !== undefined) return row;
  const published = listed(rows.map((r) => `${r.experiment_id} (${r.experiment_name})`));
  const near = didYouMean(
    named,
    rows.map((r) => r.experiment_id),
  );
  throw new UsageError(
    `No published result of an experiment ${JSON.stringify(named)}.` +
      (near || ` Published: ${published || "nothing"}.`),
  );
}

function tracedRows(
  { rows }: AuditReport,
  experiment: string,
  kind: Kind,
  item: string | undefined,
): AuditRow[] {
  const ofExperiment = rows.filter((r) => r.experiment_id === experiment);
  const ofKind = ofExperiment.filter((r) => r.kind === kind);
  const found = item === undefined ? ofKind : ofKind.filter((r) => r.item === item);
  if (ofKind.length === 0)
    throw new UsageError(
      `${experiment} publishes no ${kind}. It publishes: ` +
        `${listed(ofExperiment.map((r) => r.kind))}.`,
    );
  if (found.length === 0)
    throw new UsageError(
      `No item ${JSON.stringify(item)} in ${kind} of ${experiment}. Items: ` +
        `${listed(ofKind.map((r) => r.item))}.`,
    );
  return found;
}

export const listed = (names: readonly string[]): string => [...new Set(names)].join(", ");

function conventionsOf(kind: Kind, conventions: Conventions): string[] {
  const { training, incomplete, incorrect, screen, item_pattern } = conventions;
  const settings = metricKind(kind).decidedBy(conventions);
  return Object.entries({ training, incomplete, incorrect, screen, item_pattern, ...settings })
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
}

function countRatings(ratings: RatingColumns, { population }: Scenario) {
  const dimension = ratings.dimensions.indexOf(population.dimension ?? "");
  const jobs = population.job === null ? null : jobMask(ratings, population.job);
  const chosen = selectRatings(ratings, population);
  const here = [...ratings.dimension.keys()].filter(
    (i) => ratings.dimension[i] === dimension && (jobs === null || jobs[ratings.job[i]!] === 1),
  );
  const counted = here.filter((i) => chosen[i] === 1);
  return {
    all: here.length,
    counted: counted.length,
    training: here.filter((i) => ratings.training[i] === 1).length,
    incomplete: here.filter((i) => ratings.completed[i] === 0).length,
    unscored: here.filter((i) => Number.isNaN(ratings.score[i])).length,
    sessions: new Set(here.map((i) => ratings.session[i])).size,
    counted_sessions: new Set(counted.map((i) => ratings.session[i])).size,
  };
}

interface SlateCounts {
  readonly comparisons: number;
  readonly skipped: readonly { readonly reason: string; readonly slates: number }[];
}

async function slateCounts(
  warehouse: Warehouse,
  kind: Kind,
  experiment: string,
  dimension: string,
): Promise<SlateCounts> {
  if (metricKind(kind).family !== "pairwise") return { comparisons: 0, skipped: [] };
  const rows = await warehouse.all(
    "select skip_reason, slates, comparisons from audit_slates where experiment_id = $1 and " +
      "dimension = $2 order by all",
    [experiment, dimension],
  );
  return {
    comparisons: sumOf(rows.map((row) => Number(row.comparisons))),
    skipped: rows
      .map((row) => ({ reason: textOf(row, "skip_reason"), slates: Number(row.slates) }))
      .filter(({ reason }) => reason !== ""),
  };
}

async function orderRanges(
  warehouse: Warehouse,
  kind: Kind,
  experiment: string,
  dimension: string,
  source: string,
) {
  const { orderModel } = metricKind(kind);
  if (orderModel === undefined) return [];
  const rows = await warehouse.all(
    `select item, value, min_elo, max_elo from ${orderModel}
     where experiment_id = $1 and dimension = $2 and source = $3 and min_elo is not null
     order by item`,
    [experiment, dimension, source],
  );
  return rows.map((row) => ({
    item: textOf(row, "item"),
    value: Number(row.value),
    low: Number(row.min_elo),
    high: Number(row.max_elo),
  }));
}

interface Quotient {
  readonly part: number;
  readonly whole: number;
  readonly value: number;
}

interface ItemQuotients extends Quotient {
  readonly item: string;
  /** Under the explanation of the result; null if there is none, or it is no quotient. */
  readonly explained: (Quotient & { readonly says: string }) | null;
}

/** The main numbers by item; none if the kind or its conventions have no such form. */
function quotientsOf(
  kind: Kind,
  evaluator: Evaluator,
  own: Scenario,
  explanation: Explanation | null,
): ItemQuotients[] {
  const quotients = quotientsUnder(kind, evaluator, own);
  const { dimension, job } = own.population;
  const named = hypothesesFor(kind, own, {
    ratings: evaluator.ratings,
    dimension: dimension ?? "",
    source: job ?? "",
  }).filter(({ name }) => ` ${explanation?.name ?? ""} `.includes(` ${name} `));
  const isWhole = named.map(({ name }) => name).join(" ").length === explanation?.name.length;
  const scenario = named.reduce((all, { set }) => patched(all, set), own);
  const others = isWhole ? quotientsUnder(kind, evaluator, scenario) : new Map<string, Quotient>();
  return [...quotients].map(([item, quotient]) => {
    const other = others.get(item);
    return {
      item,
      ...quotient,
      explained: other === undefined ? null : { ...other, says: explanation!.says },
    };
  });
}

function quotientsUnder(
  kind: Kind,
  evaluator: Evaluator,
  scenario: Scenario,
): Map<string, Quotient> {
  const { conventions, forms, relative, rescaled } = scenario;
  const less = metricKind(kind).lessThanN?.(conventions) ?? null;
  const isPlain = forms.length === 0 && relative === null && rescaled === null;
  if (!isPlain || less === null) return new Map();
  const { items, columns } = evaluator.table(kind, scenario, false);
  const unit =
    kind === "percent_chosen" || kind === "percent_approved" ? conventions.percent_scale : 1;
  return new Map(
    items.map((item, i) => {
      const value = columns[mainField(kind)]![i]!;
      const whole = columns.n![i]! - less;
      return [item, { value, whole, part: (value * whole) / unit }];
    }),
  );
}
