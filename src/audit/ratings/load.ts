import { type Columns, textOf, type Warehouse } from "../../warehouse/index.js";
import type { RatingColumns } from "./rating-columns.js";

/** SQL that makes `table`, which numbers the distinct values of some columns from 0, in their order. */
const dictionary = (table: string, columns: string): string => `
  create or replace temp table ${table} as
  select cast(row_number() over (order by ${columns}) - 1 as integer) as no, *
  from (select distinct ${columns} from audit_rows)`;

const columnsSql = `
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
    cast(case when r.is_correct then 1 when not r.is_correct then 0 else -1 end as tinyint) as correct,
    coalesce(r.updated_ms, 'nan'::double) as updated
  from audit_rows as r
  join audit_stimuli as t on t.stimulus_id is not distinct from r.stimulus_id
    and t.stimulus is not distinct from r.stimulus and t.item is not distinct from r.item
  join audit_dimensions as d on d.dimension = r.dimension
  join audit_jobs as j on j.job_id = r.job_id
  join audit_raters as p on p.rater_id = r.rater_id
  join audit_sessions as s on s.service_rank is not distinct from r.service_rank
  order by s.no, r.updated_ms nulls last, r.slate_id nulls last, d.no, t.no, r.score`;

/** Reads all ratings of one experiment from the model audit_ratings. */
export async function loadRatings(warehouse: Warehouse, experimentId: string): Promise<RatingColumns> {
  await warehouse.all(
    "create or replace temp table audit_rows as select * from audit_ratings where experiment_id = $1",
    [experimentId],
  );
  await warehouse.all(dictionary("audit_stimuli", "item, stimulus, stimulus_id"));
  await warehouse.all(dictionary("audit_dimensions", "dimension"));
  await warehouse.all(dictionary("audit_jobs", "job_id"));
  await warehouse.all(dictionary("audit_raters", "rater_id"));
  await warehouse.all(`create or replace temp table audit_sessions as
    select cast(row_number() over (order by service_rank nulls last) - 1 as integer) as no, service_rank,
      any_value(session_id) as session_id, any_value(created_ms) as created_ms
    from audit_rows group by service_rank`);
  const columns = await warehouse.columns(columnsSql);
  const texts = async (sql: string): Promise<string[]> => (await warehouse.all(sql)).map((row) => textOf(row, "name"));
  const stimuli = await warehouse.all(
    "select stimulus_id as id, stimulus as name, item from audit_stimuli order by no",
  );
  const sessions = await warehouse.all(
    "select session_id as id, created_ms as created from audit_sessions order by no",
  );
  const ratings: RatingColumns = {
    experiment_id: experimentId,
    ...numbered(columns),
    stimuli: stimuli.map((row) => ({ id: textOf(row, "id"), name: textOf(row, "name"), item: textOf(row, "item") })),
    dimensions: await texts("select dimension as name from audit_dimensions order by no"),
    jobs: await texts("select job_id as name from audit_jobs order by no"),
    raters: await texts("select rater_id as name from audit_raters order by no"),
    sessions: sessions.map((row) => ({
      id: textOf(row, "id"),
      created: typeof row.created === "number" ? row.created : NaN,
    })),
  };
  for (const table of ["rows", "stimuli", "dimensions", "jobs", "raters", "sessions"]) {
    await warehouse.all(`drop table audit_${table}`);
  }
  return ratings;
}

type Numbered = Omit<RatingColumns, "experiment_id" | "stimuli" | "dimensions" | "jobs" | "raters" | "sessions">;

/** The columns with one value per rating. Slates are numbered in the order of the rows, the service order. */
function numbered(columns: Columns): Numbered {
  const integers = (name: string): Int32Array => columns[name] as Int32Array;
  const doubles = (name: string): Float64Array => columns[name] as Float64Array;
  const flags = (name: string): Int8Array => columns[name] as Int8Array;
  const high = doubles("slate_high");
  const low = doubles("slate_low");
  const session = integers("session");
  const slate = new Int32Array(session.length);
  const ids: bigint[] = [];
  for (let i = 0; i < slate.length; i++) {
    if (low[i] === -1) slate[i] = -1;
    else {
      const same = i > 0 && session[i] === session[i - 1] && low[i] === low[i - 1] && high[i] === high[i - 1];
      if (!same) ids.push(BigInt(high[i] as number) * 4294967296n + BigInt(low[i] as number));
      slate[i] = ids.length - 1;
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
    training: Uint8Array.from(flags("training")),
    completed: Uint8Array.from(flags("completed")),
    correct: flags("correct"),
    slateUpdated: doubles("updated"),
    slateIds: BigInt64Array.from(ids),
  };
}
