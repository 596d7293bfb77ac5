/** The ratings of one experiment as columns in memory. */
import { isUnweighted } from "../../metrics/index.js";
import { byText, cachedBy } from "../../platform/index.js";
import { type Columns, type Row, text, textOf, type Warehouse } from "../../warehouse/index.js";
import { type ItemKey, itemKeys, itemName, type Stimulus } from "../read/item-names.js";

/**
 * Parallel columns in service order (metrics.md, "Terms"): sessions by (date_completed, id),
 * incomplete ones last; slates by (date_updated, id); then dimension and stimulus.
 */
export interface RatingColumns {
  readonly experiment_id: string;
  /** NaN if not scored. */
  readonly score: Float64Array;
  readonly stimulus: Int32Array;
  readonly dimension: Int32Array;
  /** Rank in service order; -1 without a slate. */
  readonly slate: Int32Array;
  readonly session: Int32Array;
  readonly job: Int32Array;
  readonly rater: Int32Array;
  readonly training: Uint8Array;
  readonly completed: Uint8Array;
  /** 1 if the run's screening leaves it out. */
  readonly screened: Uint8Array;
  /** 1 correct, 0 incorrect, -1 unknown; recomputed, not as published. */
  readonly correct: Int8Array;
  /** Last change, ms since 1970; NaN if unknown. */
  readonly slateUpdated: Float64Array;
  /** Comparisons that one counts as; absent: 1. */
  readonly weight?: Float64Array;
  /** Of its comparison where it is the left one; otherwise NaN. */
  readonly covariates?: readonly Float64Array[];
  readonly stimuli: readonly Stimulus[];
  readonly dimensions: readonly string[];
  readonly jobs: readonly string[];
  readonly raters: readonly string[];
  readonly sessions: readonly SessionRow[];
  readonly slateIds: BigInt64Array;
}

/** A missing name or id is empty text. */
export const isNamedStimulus = ({ id, name }: Stimulus): boolean => id !== "" || name !== "";

interface SessionRow {
  readonly id: string;
  /** ms since 1970; NaN if unknown. */
  readonly created: number;
}

/** 1 for each job in a source: one, or several separated by commas. */
export function jobMask({ jobs }: RatingColumns, source: string): Uint8Array {
  const named = new Set(source.split(","));
  return Uint8Array.from(jobs, (job) => (named.has(job) ? 1 : 0));
}

interface Items {
  readonly names: readonly string[];
  readonly ofStimulus: Int32Array;
}

const itemsOfStimuli = cachedBy((stimuli: readonly Stimulus[], key: ItemKey): Items => {
  const named = stimuli.map((s) => itemName(s, key));
  const names = [...new Set(named)].sort(byText);
  const index = new Map(names.map((name, i) => [name, i]));
  return { names, ofStimulus: Int32Array.from(named, (name) => index.get(name) ?? -1) };
});

export const itemsOf = ({ stimuli }: RatingColumns, key: ItemKey): Items =>
  itemsOfStimuli(stimuli, key);

export function plainestKey({ stimuli }: RatingColumns, key: ItemKey): ItemKey {
  return (
    itemKeys.find((other) => stimuli.every((s) => itemName(s, other) === itemName(s, key))) ?? key
  );
}

/** Numbers distinct values of columns from 0, in order. */
const numberedSql = (columns: string, values = columns): string => `
  select cast(row_number() over (order by ${columns}) - 1 as integer) as no, *
  from (select distinct ${values} from int_correctness where experiment_id = $1)`;

/** In service order; ratings without a session are in a last one. */
const sessionsSql = `
  with
  named as (
    select distinct experiment_id, session_id from int_correctness where experiment_id = $1
  ),
  listed as (
    select experiment_id, session_id, max(created_at) as created_at
    from stg_sessions
    where experiment_id = $1
    group by experiment_id, session_id
  )
  select
    cast(row_number() over (order by service_rank nulls last) - 1 as integer) as no,
    service_rank,
    session_id,
    cast(epoch_ms(created_at) as double) as created_ms
  from named
  left join int_sessions using (experiment_id, session_id)
  left join listed using (experiment_id, session_id)`;

/** Names by number, as temporary tables `audit_…`. */
const dictionaries = {
  stimuli: numberedSql("item, stimulus, stimulus_id"),
  dimensions: numberedSql("dimension"),
  jobs: numberedSql("job_id"),
  raters: numberedSql("rater_id", "coalesce(rater_id, '') as rater_id"),
  sessions: sessionsSql,
};

/** Numbers only: a million comparisons take 0.3 GB less than with names. */
const columnsSql = (experimentId: string, covariates: readonly string[]): string => `
  select
    coalesce(r.score, 'nan'::double) as score,
    t.no as stimulus,
    d.no as dimension,
    j.no as job,
    p.no as rater,
    s.no as session,
    coalesce(cast(r.slate_id // 4294967296 as double), -1) as slate_high,
    coalesce(cast(r.slate_id % 4294967296 as double), -1) as slate_low,
    cast(r.is_training as tinyint) as training,
    cast(r.is_completed as tinyint) as completed,
    cast(r.is_screened as tinyint) as screened,
    cast(
      case when r.is_correct then 1 when not r.is_correct then 0 else -1 end as tinyint
    ) as correct,
    coalesce(r.updated_ms, 'nan'::double) as updated,
    r.weight${covariates
      .map(
        (name, i) => `,
    coalesce(
      try_cast(json_extract_string(r.covariates, ${text(`$."${name}"`)}) as double), 'nan'::double
    ) as covariate_${i}`,
      )
      .join("")}
  from audit_ratings as r
  join audit_stimuli as t on t.stimulus_id is not distinct from r.stimulus_id
    and t.stimulus is not distinct from r.stimulus and t.item is not distinct from r.item
  join audit_dimensions as d on d.dimension = r.dimension
  join audit_jobs as j on j.job_id = r.job_id
  join audit_raters as p on p.rater_id = r.rater_id
  join audit_sessions as s on s.service_rank is not distinct from r.service_rank
  where r.experiment_id = ${text(experimentId)}
  order by s.no, r.updated_ms nulls last, r.slate_id nulls last, d.no, t.no, r.is_right, r.score`;

const covariatesSql = `
  select distinct unnest(json_keys(covariates)) as name
  from stg_covariates
  where experiment_id = $1
  order by name`;

export async function loadRatings(
  warehouse: Warehouse,
  experimentId: string,
): Promise<RatingColumns> {
  const read = (sql: string): Promise<Row[]> => warehouse.all(sql, [experimentId]);
  const covariates = (await read(covariatesSql)).map((row) => textOf(row, "name"));
  const rows = new Map<string, Row[]>();
  for (const [name, sql] of Object.entries(dictionaries)) {
    await read(`create or replace temp table audit_${name} as ${sql}`);
    rows.set(name, await warehouse.all(`from audit_${name} order by no`));
  }
  const columns = await warehouse.columns(columnsSql(experimentId, covariates));
  for (const name of rows.keys()) await warehouse.all(`drop table audit_${name}`);
  await warehouse.release();
  const listed = <T>(name: keyof typeof dictionaries, of: (row: Row) => T): T[] =>
    rows.get(name)!.map(of);
  return {
    experiment_id: experimentId,
    ...numbered(columns),
    ...(covariates.length > 0 && {
      covariates: covariates.map((_, i) => columns[`covariate_${i}`] as Float64Array),
    }),
    stimuli: listed("stimuli", (row) => ({
      id: textOf(row, "stimulus_id"),
      name: textOf(row, "stimulus"),
      item: textOf(row, "item"),
    })),
    dimensions: listed("dimensions", (row) => textOf(row, "dimension")),
    jobs: listed("jobs", (row) => textOf(row, "job_id")),
    raters: listed("raters", (row) => textOf(row, "rater_id")),
    sessions: listed("sessions", ({ created_ms: created, ...row }) => ({
      id: textOf(row, "session_id"),
      created: typeof created === "number" ? created : NaN,
    })),
  };
}

/** One value per rating, in shared memory; slates numbered in service order. */
function numbered(columns: Columns) {
  const integers = (name: string): Int32Array => columns[name] as Int32Array;
  const doubles = (name: string): Float64Array => columns[name] as Float64Array;
  const flags = (name: string): Int8Array => columns[name] as Int8Array;
  const high = doubles("slate_high");
  const low = doubles("slate_low");
  const session = integers("session");
  const slate = new Int32Array(new SharedArrayBuffer(4 * session.length));
  const ids = new BigInt64Array(session.length);
  let slates = 0;
  for (let i = 0; i < slate.length; i++) {
    if (low[i] === -1) slate[i] = -1;
    else {
      const same =
        i > 0 && session[i] === session[i - 1] && low[i] === low[i - 1] && high[i] === high[i - 1];
      if (!same) ids[slates++] = BigInt(high[i]!) * 4294967296n + BigInt(low[i]!);
      slate[i] = slates - 1;
    }
  }
  return {
    score: doubles("score"),
    stimulus: integers("stimulus"),
    dimension: integers("dimension"),
    slate,
    session,
    job: integers("job"),
    rater: integers("rater"),
    training: new Uint8Array(flags("training").buffer),
    completed: new Uint8Array(flags("completed").buffer),
    screened: new Uint8Array(flags("screened").buffer),
    correct: flags("correct"),
    slateUpdated: doubles("updated"),
    slateIds: ids.slice(0, slates),
    ...(isUnweighted(doubles("weight")) ? {} : { weight: doubles("weight") }),
  };
}
