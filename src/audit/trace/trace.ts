import { UsageError, byText } from "../../platform/index.js";
import { isKind, kinds, metricKind, type Conventions, type Kind } from "../../metrics/index.js";
import type { AuditRow } from "../compare/audit-row.js";
import type { AuditReport } from "../report.js";
import { jobMask, loadRatings, selectRatings, type RatingColumns } from "../ratings/index.js";
import type { Finding } from "../findings/index.js";
import { ownScenario } from "../evaluate/scenario.js";
import { textOf, type Warehouse } from "../../warehouse/index.js";

/** How many of the ratings of a dimension count, and why the others do not. */
export interface Counted {
  readonly ratings: number;
  readonly counted: number;
  readonly training: number;
  readonly incomplete: number;
  readonly unscored: number;
  readonly sessions: number;
  readonly counted_sessions: number;
}

/** Order sensitivity of an online Elo: its range over random orders of the sessions. */
export interface OrderRange {
  readonly item: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** All that leads to the published numbers of one kind, dimension and source. */
export interface StoryPart {
  readonly dimension: string;
  readonly source: string;
  readonly counted: Counted;
  /** Slates that are no comparisons, by reason; empty for kinds that need none. */
  readonly skipped: readonly { readonly reason: string; readonly slates: number }[];
  readonly comparisons: number;
  readonly rows: readonly AuditRow[];
  /** One for each set of numbers published for the part that does not follow. */
  readonly findings: readonly Finding[];
  readonly order: readonly OrderRange[];
}

export interface Story {
  readonly snapshot: string;
  readonly experiment_id: string;
  readonly experiment_name: string;
  readonly kind: Kind;
  readonly item: string | null;
  /** The run's own conventions that bear on the kind, as `name=value`. */
  readonly conventions: readonly string[];
  readonly parts: readonly StoryPart[];
}

/** The experiment whose identifier or name is asked for. @throws UsageError that names those there are. */
function chosen(report: AuditReport, asked: string): AuditRow {
  const row =
    report.rows.find((r) => r.experiment_id === asked) ?? report.rows.find((r) => r.experiment_name === asked);
  if (row !== undefined) return row;
  const known = [...new Set(report.rows.map((r) => `${r.experiment_id} (${r.experiment_name})`))].join(", ");
  throw new UsageError(
    `No published result of an experiment ${JSON.stringify(asked)}. Published: ${known || "nothing"}.`,
  );
}

/** Tells how the numbers of one kind, or of one item, come about. @throws UsageError for what is not published. */
export async function tellStory(
  warehouse: Warehouse,
  report: AuditReport,
  conventions: Conventions,
  asked: { readonly experiment: string; readonly kind: string; readonly item?: string | undefined },
): Promise<Story> {
  const { experiment_id, experiment_name } = chosen(report, asked.experiment);
  const { kind } = asked;
  if (!isKind(kind)) throw new UsageError(`No metric ${JSON.stringify(kind)}. Known: ${kinds.join(", ")}.`);
  const all = report.rows.filter((r) => r.experiment_id === experiment_id && r.kind === kind);
  const rows = asked.item === undefined ? all : all.filter((r) => r.item === asked.item);
  if (rows.length === 0) throw new UsageError(nothingFor(report, experiment_id, kind, asked.item, all));
  const ratings = await loadRatings(warehouse, experiment_id);
  const keys = [...new Set(rows.map((r) => JSON.stringify([r.dimension, r.source])))].sort(byText);
  const parts: StoryPart[] = [];
  for (const key of keys) {
    const [dimension, source] = JSON.parse(key) as [string, string];
    const own = rows.filter((r) => r.dimension === dimension && r.source === source);
    const isHere = (f: Finding): boolean =>
      f.experiment_id === experiment_id && f.kind === kind && f.dimension === dimension && f.source === source;
    const slates =
      metricKind(kind).family === "pairwise"
        ? await slatesOf(warehouse, experiment_id, dimension)
        : new Map<string, number>();
    parts.push({
      dimension,
      source,
      counted: countedOf(ratings, conventions, dimension, source),
      comparisons: slates.get("") ?? 0,
      skipped: [...slates].filter(([reason]) => reason !== "").map(([reason, n]) => ({ reason, slates: n })),
      rows: own,
      findings: report.findings.filter(isHere),
      order: metricKind(kind).isOrdered
        ? await orderRanges(warehouse, kind, experiment_id, dimension, source, asked.item)
        : [],
    });
  }
  return {
    snapshot: report.snapshot,
    experiment_id,
    experiment_name,
    kind,
    item: asked.item ?? null,
    conventions: stated(kind, conventions),
    parts,
  };
}

function nothingFor(
  report: AuditReport,
  experiment: string,
  kind: Kind,
  item: string | undefined,
  all: readonly AuditRow[],
): string {
  if (all.length > 0)
    return `No item ${JSON.stringify(item)} in ${kind} of ${experiment}. Items: ${[...new Set(all.map((r) => r.item))].join(", ")}.`;
  const published = [...new Set(report.rows.filter((r) => r.experiment_id === experiment).map((r) => r.kind))];
  return `${experiment} publishes no ${kind}. It publishes: ${published.join(", ")}.`;
}

function stated(kind: Kind, conventions: Conventions): string[] {
  const { training, incomplete, incorrect, item_pattern } = conventions;
  const own = metricKind(kind).decidedBy(conventions);
  return Object.entries({ training, incomplete, incorrect, item_pattern, ...own })
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
}

function countedOf(ratings: RatingColumns, conventions: Conventions, dimension: string, source: string): Counted {
  const own = ratings.dimensions.indexOf(dimension);
  const isHere = source === "" ? null : jobMask(ratings, source);
  const chosenRatings = selectRatings(ratings, ownScenario(conventions, dimension, source).population);
  const here: number[] = [];
  ratings.dimension.forEach(
    (d, i) => d === own && (isHere === null || isHere[ratings.job[i] as number] === 1) && here.push(i),
  );
  const counted = here.filter((i) => chosenRatings[i] === 1);
  return {
    ratings: here.length,
    counted: counted.length,
    training: here.filter((i) => ratings.training[i] === 1).length,
    incomplete: here.filter((i) => ratings.completed[i] === 0).length,
    unscored: here.filter((i) => Number.isNaN(ratings.score[i])).length,
    sessions: new Set(here.map((i) => ratings.session[i])).size,
    counted_sessions: new Set(counted.map((i) => ratings.session[i])).size,
  };
}

async function slatesOf(warehouse: Warehouse, experiment: string, dimension: string): Promise<Map<string, number>> {
  const rows = await warehouse.all(
    "select skip_reason, slates from audit_slates where experiment_id = $1 and dimension = $2 order by all",
    [experiment, dimension],
  );
  return new Map(rows.map((row) => [textOf(row, "skip_reason"), Number(row["slates"])]));
}

async function orderRanges(
  warehouse: Warehouse,
  kind: Kind,
  experiment: string,
  dimension: string,
  source: string,
  item?: string,
): Promise<OrderRange[]> {
  const rows = await warehouse.all(
    `select item, value, min_elo, max_elo from metric_${kind}_order where experiment_id = $1 and dimension = $2 and source = $3 and min_elo is not null order by item`,
    [experiment, dimension, source],
  );
  const ranges = rows.map((row) => ({
    item: textOf(row, "item"),
    value: Number(row["value"]),
    low: Number(row["min_elo"]),
    high: Number(row["max_elo"]),
  }));
  return item === undefined ? ranges : ranges.filter((range) => range.item === item);
}
