import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openWarehouse, type TableSource } from "../src/warehouse/index.js";

export interface Study {
  /** In all experiments together. */
  readonly comparisons: number;
  readonly items: number;
  /** Default: one, `bench`; otherwise `bench0`, `bench1` … of equal size. */
  readonly experiments?: number;
  /** Of each experiment; default 5. */
  readonly jobs?: number;
}

export interface ScoredStudy {
  /** In all experiments together: half of them of ACR (1 to 5), half of MUSHRA (0 to 100). */
  readonly scores: number;
  readonly items: number;
}

const tables = ["ratings", "slates", "sessions"] as const;

/** Comparisons per part, so that memory does not grow with the study. */
const most = 5_000_000;

/**
 * Writes a pairwise study as lake tables under `dir`: twenty slates per session, 2000 raters, some jobs, 6 % ties, 5 %
 * training, 4 % of sessions not completed, 2 % of the raters' answers with a known truth and some of those wrong, repeated
 * questions, items named source/condition: every convention that the audit knows makes a difference.
 */
export async function writeStudy(dir: string, study: Study): Promise<Record<string, TableSource>> {
  const { comparisons, items, experiments = 1, jobs = 5 } = study;
  const each = Math.ceil(comparisons / experiments);
  const files = Object.fromEntries(tables.map((table) => [table, [] as string[]]));
  const writer = await openWarehouse({ sources: {} });
  for (let experiment = 0; experiment < experiments; experiment++) {
    const folder = join(dir, `experiment_id=bench${experiments === 1 ? "" : String(experiment)}`);
    await mkdir(folder, { recursive: true });
    for (let from = 0, part = 0; from < each; from += most, part++) {
      const paths = tables.map((table) => join(folder, `${table}.part-${part}.parquet`)) as [
        string,
        string,
        string,
      ];
      const first = experiment * each;
      await writer.all(
        partSql(paths, { items, jobs }, first + from, first + Math.min(each, from + most)),
      );
      tables.forEach((table, i) => files[table]?.push(paths[i] as string));
    }
  }
  writer.close();
  return Object.fromEntries(
    tables.map((table) => [table, { files: files[table] ?? [], columns: {} }]),
  );
}

/** Before the rows of a part: they get every column of the table, as in an export. */
export const everyColumn = (table: string): string =>
  `select * exclude (experiment_id) from ${table} union all by name`;

function partSql(
  [ratings, slates, sessions]: [string, string, string],
  { items, jobs }: { items: number; jobs: number },
  from: number,
  to: number,
) {
  return `
    create or replace table drawn as
    select
      n as slate, n // 20 as session, (n // 20) % 2000 as rater, n % 20 = 0 as is_training,
      cast(hash(n) % ${items} as integer) as i,
      cast((hash(n) % ${items} + 1 + hash(n + 1000000007) % ${items - 1}) % ${items} as integer) as j,
      cast(hash(n * 7 + 3) % 1000 as double) / 1000 as u,
      case when u < 0.06 then 0 when (u - 0.06) / 0.94 < 1 / (1 + exp((i - j) / 20.0)) then 1 else -1 end as outcome,
      hash(n + 5) % 50 = 0 as is_checked,
      not (hash(rater + 11) % 20 = 0 and hash(n + 17) % 4 = 0) as is_correct
    from range(${from}, ${to}) as t (n);
    copy (${everyColumn("ratings")}
      select
        cast(case when side = 0 then outcome else -outcome end as double) as score,
        rater as rater_id, slate as slate_id, 's' || session as session_id, 'job' || (session % ${jobs}) as job_id,
        cast(case when side = 0 then i else j end as bigint) as stimulus_id,
        'clip-' || (stimulus_id // 5) || '/codec-' || (stimulus_id % 5) as stimulus,
        '' as dimension, is_training,
        cast(case when is_checked then '{"isCorrect": ' || is_correct || '}' else '{}' end as json) as meta,
        case when is_checked then is_correct end as is_correct
      from drawn, range(2) as sides (side)
    ) to '${ratings}' (format parquet, compression zstd);
    copy (${everyColumn("slates")}
      select slate as id, cast(rater as varchar) as rater_id, 's' || session as session_id,
        'job' || (session % ${jobs}) as job_id, timestamptz '2026-01-01' + to_seconds(slate) as date_updated, is_training
      from drawn
    ) to '${slates}' (format parquet, compression zstd);
    copy (${everyColumn("sessions")} ${sessionsSql(from / 20, to / 20, jobs)}
    ) to '${sessions}' (format parquet, compression zstd);
  `;
}

/**
 * Writes two scored studies as lake tables: `acr`, one clip a slate, and `mushra`, all conditions of a clip on one slate.
 * Twenty scores per session, 2000 raters, five jobs, 5 % training, 4 % of sessions not completed.
 */
export async function writeScoredStudy(
  dir: string,
  { scores, items }: ScoredStudy,
): Promise<Record<string, TableSource>> {
  const files = Object.fromEntries(tables.map((table) => [table, [] as string[]]));
  const writer = await openWarehouse({ sources: {} });
  for (const [experiment, { score, perSlate }] of Object.entries({
    acr: { score: "1 + (quality + noise) // 40", perSlate: 1 },
    mushra: { score: "least(100, (quality + noise) // 2)", perSlate: 10 },
  })) {
    const paths = tables.map((table) =>
      join(dir, `experiment_id=${experiment}`, `${table}.parquet`),
    );
    for (const [i, path] of paths.entries()) {
      await mkdir(dirname(path), { recursive: true });
      files[tables[i] ?? ""]?.push(path);
    }
    const rows = scores / 2;
    await writer.all(`
      create or replace table drawn as
      select n // ${perSlate} as slate, n // 20 as session, (n // 20) % 2000 as rater, n // 20 % 20 = 0 as is_training,
        n % ${items} as i, i * 100 // ${items} as quality, cast(hash(n) % 100 as integer) as noise
      from range(${rows}) as t (n);
      copy (${everyColumn("ratings")}
        select cast(${score} as double) as score, rater as rater_id, slate as slate_id, 's' || session as session_id,
          'job' || (session % 5) as job_id, i as stimulus_id, 'clip-' || (i // 10) || '/codec-' || (i % 10) as stimulus,
          '' as dimension, is_training, cast('{}' as json) as meta, null as is_correct
        from drawn
      ) to '${paths[0] ?? ""}' (format parquet, compression zstd);
      copy (${everyColumn("slates")}
        select distinct slate as id, cast(rater as varchar) as rater_id, 's' || session as session_id,
          'job' || (session % 5) as job_id, timestamptz '2026-01-01' + to_seconds(slate) as date_updated, is_training
        from drawn
      ) to '${paths[1] ?? ""}' (format parquet, compression zstd);
      copy (${everyColumn("sessions")} ${sessionsSql(0, rows / 20)}) to '${paths[2] ?? ""}' (format parquet, compression zstd);`);
  }
  writer.close();
  return Object.fromEntries(
    tables.map((table) => [table, { files: files[table] ?? [], columns: {} }]),
  );
}

/** Sessions by number; one in 25 is not completed. */
const sessionsSql = (from: number, to: number, jobs = 5): string => `
  select 's' || n as id, 'job' || (n % ${jobs}) as job_id,
    timestamptz '2026-01-01' + to_seconds(n * 20 - cast(hash(n) % 3000 as integer)) as date_created,
    case when n % 25 <> 0 then timestamptz '2026-01-01' + to_seconds(n * 20 + cast(hash(n + 3) % 3000 as integer)) end
      as date_completed,
    cast('{"id": "' || (n % 2000) || '"}' as json) as rater
  from range(${Math.ceil(from)}, ${Math.ceil(to)}) as t (n)`;
