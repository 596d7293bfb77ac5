import { type Row, textOf, type Warehouse } from "../../warehouse/index.js";
import { among, byId, dimensionsOf, numberOf } from "./rows.js";

/** Whether a ranking means anything: what the models of `sql/statistics/` say about an experiment's dimension. */
export interface StatisticsData {
  readonly experiment: string;
  readonly dimension: string;
  readonly rankings: readonly SeparatedRanking[];
  /** What each rule needs to have another first item. */
  readonly flips: readonly FlipData[];
  readonly screenings: readonly ScreeningData[];
  readonly agreements: readonly AgreementData[];
  /** Null if the dimension has no rating. */
  readonly ledger: LedgerData | null;
}

/** Comparable items, best first; none if nothing can be said about their differences. */
export interface SeparatedRanking {
  /** `bradley_terry` or `mean`. */
  readonly estimate: string;
  readonly sentence: string;
  /** Which neighbours to compare next; "" if nothing is known. */
  readonly precision: string;
  readonly items: readonly ReturnType<typeof separatedItemOf>[];
}

/** At most how many votes, raters or sessions must be left out for the first k items to be others. */
export type FlipData = ReturnType<typeof flipOf>;

export type ScreeningData = ReturnType<typeof screeningOf>;

export type AgreementData = ReturnType<typeof agreementOf>;

export type LedgerData = NonNullable<ReturnType<typeof ledgerOf>>;

const rankingsSql = (ids: string) => `
  select r.*, s.sentence, coalesce(p.sentence, '') as precision
  from ranking as r
  join separation as s using (experiment_id, dimension, estimate, class)
  left join (from precision where is_next) as p using (experiment_id, dimension, estimate, class)
  where ${ids}
  order by r.experiment_id, r.dimension, r.estimate, r.class, r.rank, r.item`;

const screeningSql = (ids: string) => `
  with rules as (
    select experiment_id, dimension, screen_of(rule) as rule,
      list(distinct clause order by clause) as clauses, count(distinct rater_id) as raters,
      count(distinct rater_id) filter (where excluded) as excluded, sum(excluded_ratings) as excluded_ratings
    from screening where ${ids} group by all),
  effects as (
    select experiment_id, dimension, rule, count_if(rank is distinct from screened_rank) as moved,
      min_by(item, (rank, item)) as first, min_by(item, (screened_rank, item)) as screened_first
    from screening_effect where ${ids} group by all)
  select * from rules join effects using (experiment_id, dimension, rule) order by experiment_id, dimension, rule`;

const ledgerSql = (ids: string) => `
  with counts as (
    select d.experiment_id, d.dimension, cast(k.left_out_by as varchar) as rule, count(*) as ratings
    from key_ledger as k join int_dimensions as d using (dimension_id) where ${ids} group by all),
  moves as (
    select experiment_id, dimension, rule, count_if(rank is distinct from rank_without_rule) as moved
    from ledger_effect where ${ids} group by all)
  select c.*, coalesce(m.moved, 0) as moved
  from counts as c left join moves as m using (experiment_id, dimension, rule)
  order by experiment_id, dimension, ratings desc, rule`;

const robustnessSql = (ids: string) => `from robustness where ${ids} order by experiment_id, dimension, kind, unit, k`;

const agreementSql = (ids: string) => `
  from agreement
  where value is not null
    and statistic = case answers when 'scores' then 'krippendorff_interval' else 'krippendorff_nominal' end and ${ids}
  order by experiment_id, dimension, answers`;

/** The statistics of experiments, by identifier; the warehouse must hold them. */
export async function statisticsOf(
  warehouse: Warehouse,
  ids: readonly string[],
): Promise<(experiment: string) => readonly StatisticsData[]> {
  const found = async (sql: (ids: string) => string) => byId(await warehouse.all(sql(among(ids))));
  const [rankings, flips, screenings, agreements, ledgers] = [
    await found(rankingsSql),
    await found(robustnessSql),
    await found(screeningSql),
    await found(agreementSql),
    await found(ledgerSql),
  ];
  return (id) => {
    const dimensions = dimensionsOf(ledgers(id)).sort();
    return dimensions.map((dimension) => {
      const isHere = (row: Row): boolean => textOf(row, "dimension") === dimension;
      return {
        experiment: id,
        dimension,
        rankings: rankingsOf(rankings(id).filter(isHere)),
        flips: flips(id).filter(isHere).map(flipOf),
        screenings: screenings(id).filter(isHere).map(screeningOf),
        agreements: agreements(id).filter(isHere).map(agreementOf),
        ledger: ledgerOf(ledgers(id).filter(isHere)),
      };
    });
  };
}

const count = (row: Row, column: string): number => numberOf(row, column) ?? 0;

function rankingsOf(rows: readonly Row[]): SeparatedRanking[] {
  const keyOf = (row: Row): string => `${textOf(row, "estimate")} ${textOf(row, "class")}`;
  return [...new Set(rows.map(keyOf))].map((key) => {
    const own = rows.filter((row) => keyOf(row) === key);
    const [first = {}] = own;
    const tested = own.filter((row) => row.rank_best !== null);
    return {
      estimate: textOf(first, "estimate"),
      sentence: textOf(first, "sentence"),
      precision: textOf(first, "precision"),
      items: tested.map(separatedItemOf),
    };
  });
}

const separatedItemOf = (row: Row) => ({
  item: textOf(row, "item"),
  rank: count(row, "rank"),
  /** Ends of the simultaneous 95 % interval. */
  best: count(row, "rank_best"),
  worst: count(row, "rank_worst"),
  letters: textOf(row, "letters"),
  probabilityBest: count(row, "probability_best"),
});

const flipOf = (row: Row) => ({
  kind: textOf(row, "kind"),
  unit: textOf(row, "unit"),
  k: count(row, "k"),
  units: count(row, "units"),
  /** Null if no set was found. */
  atMost: numberOf(row, "at_most"),
  isExact: row.is_exact === true,
  leaving: textOf(row, "leaving"),
  entering: textOf(row, "entering"),
});

const screeningOf = (row: Row) => ({
  rule: textOf(row, "rule"),
  clauses: Array.isArray(row.clauses) ? row.clauses.map(String) : [],
  raters: count(row, "raters"),
  excluded: count(row, "excluded"),
  excludedRatings: count(row, "excluded_ratings"),
  /** Items whose rank it changes, and the first with and without. */
  moved: count(row, "moved"),
  first: textOf(row, "first"),
  screenedFirst: textOf(row, "screened_first"),
});

const agreementOf = (row: Row) => ({
  /** `scores` or `comparisons`. */
  answers: textOf(row, "answers"),
  statistic: textOf(row, "statistic"),
  value: count(row, "value"),
  low: numberOf(row, "ci_low"),
  high: numberOf(row, "ci_high"),
  raters: count(row, "raters"),
});

function ledgerOf(rows: readonly Row[]) {
  if (rows.length === 0) return null;
  const rules = rows.filter(({ rule }) => rule !== null);
  return {
    ratings: rows.reduce((sum, row) => sum + count(row, "ratings"), 0),
    rules: rules.map((row) => ({
      rule: textOf(row, "rule"),
      ratings: count(row, "ratings"),
      moved: count(row, "moved"),
    })),
  };
}
