import type { Snapshot } from "../../lake/index.js";
import { metricKind, type Conventions, type Kind } from "../../metrics/index.js";
import { text, viewOf } from "../../warehouse/index.js";

/** What the texts are made of. */
interface Parts {
  readonly conventions: Conventions;
  /** The ratings that count, by name. */
  readonly population: string;
  /** The comparisons among them. */
  readonly comparisons: string;
}

/** SQL that goes from the ratings to the numbers of a kind, or to what its formula takes. */
interface Query {
  /** What the text gives. */
  readonly gives: string;
  readonly sql: string;
}

/** Where a rating of a job counts: in the whole experiment, and in the job. */
const sources = `sources as (
  select unnest(case when job_id = '' then [''] else ['', job_id] end) as source, * from counted
)`;

/** Wins, losses and ties of each item. */
const sides = ({ population, comparisons }: Parts): string => `with
${population},
${comparisons},
counted as (
  select experiment_id, dimension, job_id, item_a as item, outcome from comparisons
  union all
  select experiment_id, dimension, job_id, item_b, -outcome from comparisons
),
${sources}
select
  experiment_id, dimension, source, item,
  count(*) filter (where outcome = 1) as wins,
  count(*) filter (where outcome = -1) as losses,
  count(*) filter (where outcome = 0) as ties,
  count(*) as n
from sources
group by experiment_id, dimension, source, item`;

/** Each score that counts, with its source. */
const scores = ({ population }: Parts): string => `with
${population},
counted as (select * from population where score is not null),
${sources}`;

const order = "order by experiment_id, dimension, source, item";

/** The divisor of a share or a mean. */
const less = ({ denominator }: Conventions): string => (denominator === "n-1" ? " - 1" : "");

const winLoss = (parts: Parts): Query => ({
  gives: "wins, losses, ties and comparisons of each item",
  sql: `${sides(parts)}\n${order}`,
});

function percentChosen(parts: Parts): Query {
  const { ties, chosen, percent_scale: scale } = parts.conventions;
  const n = ties.percent_chosen === "exclude" ? "wins + losses" : "wins + losses + ties";
  const half = ties.percent_chosen === "half" ? " + ties / 2" : "";
  return {
    gives: "the share of its comparisons that each item won",
    sql: `select
  experiment_id, dimension, source, item,
  ${scale} * (${chosen}${half}) / nullif(${n}${less(parts.conventions)}, 0) as value, ${n} as n
from (${sides(parts)})
${order}`,
  };
}

function percentApproved(parts: Parts): Query {
  const { approved, percent_scale: scale } = parts.conventions;
  const is = approved === "midpoint" ? "score >= midpoint" : "score > 0";
  return {
    gives: "the share of the ratings of each item that approve it",
    sql: `${scores(parts)},
midpoints as (
  select *, min(score) over (partition by experiment_id, dimension, source) / 2
    + max(score) over (partition by experiment_id, dimension, source) / 2 as midpoint
  from sources
)
select
  experiment_id, dimension, source, item,
  ${scale} * count(*) filter (where ${is}) / nullif(count(*)${less(parts.conventions)}, 0) as value,
  count(*) filter (where ${is}) as approved, count(*) as n
from midpoints
group by experiment_id, dimension, source, item
${order}`,
  };
}

function mean(parts: Parts): Query {
  if (parts.conventions.mean !== "mean") return scoresOf(parts);
  return {
    gives: "the mean score of each item",
    sql: `${scores(parts)}
select experiment_id, dimension, source, item, sum(score) / nullif(count(*)${less(parts.conventions)}, 0) as value, count(*) as n
from sources
group by experiment_id, dimension, source, item
${order}`,
  };
}

const scoresOf = (parts: Parts): Query => ({
  gives: "the input of the formula: each score that counts",
  sql: `${scores(parts)}
select experiment_id, dimension, source, item, rater_id, score
from sources
order by experiment_id, dimension, source, item, score, rater_id`,
});

const comparisonsOf = ({ population, comparisons }: Parts): Query => ({
  gives:
    "the input of the formula: each comparison that counts, 1 if item_a won, -1 if item_b did, 0 for a tie, by session as they were completed",
  sql: `with
${population},
${comparisons}
select experiment_id, dimension, job_id, completed_at, session_id, slate_id, item_a, item_b, outcome
from comparisons
order by experiment_id, dimension, completed_at nulls last, session_id, slate_id, item_a, item_b`,
});

/** The kinds whose numbers are pure SQL; of the others there is the input of the formula. */
const pure: Readonly<Partial<Record<Kind, (parts: Parts) => Query>>> = {
  win_loss: winLoss,
  percent_chosen: percentChosen,
  percent_approved: percentApproved,
  mean,
};

/** The texts of `queries/` by kind. Null under the two conventions that they do not know. */
export function metricQueries(
  kinds: readonly Kind[],
  snapshot: Snapshot,
  pathOf: (table: string) => readonly string[],
  conventions: Conventions,
): ReadonlyMap<Kind, string> | null {
  if (conventions.incorrect !== "include" || conventions.screen !== null) return null;
  const read = (table: "ratings" | "sessions"): string => {
    const source = snapshot.tables[table] ?? { files: [], columns: {} };
    return viewOf({ ...source, files: pathOf(table) });
  };
  const parts = {
    conventions,
    population: populationSql(conventions, read("ratings"), read("sessions")),
    comparisons: comparisonsSql(conventions),
  };
  return new Map(
    kinds.map((kind) => {
      const { title, definition, source, family } = metricKind(kind);
      const { gives, sql } = (pure[kind] ?? (family === "pairwise" ? comparisonsOf : scoresOf))(parts);
      const head = [
        `-- ${title}: ${definition} (${source}).`,
        `-- This text gives ${gives}. source is '' for the whole experiment, otherwise a job.`,
        `-- In the folder of the unpacked bundle: duckdb -c ".read queries/${kind}.sql"`,
      ];
      return [kind, `${head.join("\n")}\n${sql};\n`];
    }),
  );
}

function populationSql(
  { training, incomplete, item_pattern: pattern }: Conventions,
  ratings: string,
  sessions: string,
) {
  const stimulus = "coalesce(r.stimulus, cast(r.stimulus_id as varchar))";
  const item =
    pattern === null
      ? stimulus
      : `case when regexp_matches(${stimulus}, ${text(pattern)}) then regexp_extract(${stimulus}, ${text(pattern)}, 1) else ${stimulus} end`;
  const where = [
    ...(training === "exclude" ? ["not coalesce(r.is_training, false)"] : []),
    ...(incomplete === "exclude" ? ["s.completed_at is not null"] : []),
  ];
  return `ratings as (
${ratings}
),
sessions as (
  select experiment_id, id as session_id, max(date_completed) as completed_at
  from (${sessions})
  group by experiment_id, id
),
population as (
  select
    r.experiment_id, coalesce(r.dimension, '') as dimension, coalesce(r.job_id, '') as job_id, r.session_id, s.completed_at,
    r.slate_id, r.rater_id, ${item} as item, r.score
  from ratings as r
  left join sessions as s on s.experiment_id = r.experiment_id and s.session_id = r.session_id
  ${where.length === 0 ? "" : `where ${where.join(" and ")}`}
)`;
}

const comparisonsSql = ({ pairs }: Conventions): string => `slates as (
  select experiment_id, dimension, session_id, slate_id, count(score) as scores
  from population
  where slate_id is not null
  group by experiment_id, dimension, session_id, slate_id
),
-- Two scores of a slate are a comparison of their items${pairs === "all" ? ", and so is each pair of more" : ""}.
comparisons as (
  select
    a.experiment_id, a.dimension, a.job_id, a.completed_at, a.session_id, a.slate_id,
    a.item as item_a, b.item as item_b, sign(a.score - b.score) as outcome
  from slates as s
  join population as a
    on a.experiment_id = s.experiment_id and a.dimension = s.dimension
    and a.session_id is not distinct from s.session_id and a.slate_id = s.slate_id
  join population as b
    on b.experiment_id = s.experiment_id and b.dimension = s.dimension
    and b.session_id is not distinct from s.session_id and b.slate_id = s.slate_id
  where a.item < b.item and a.score is not null and b.score is not null and s.scores ${pairs === "all" ? ">= 2" : "= 2"}
)`;
