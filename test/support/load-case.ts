import { join } from "node:path";
import { goldenDir } from "./golden-case.js";
import {
  conventionsWith,
  type Conventions,
  type ConventionsInput,
} from "../../src/metrics/conventions.js";
import {
  modelPlan,
  modelsBehind,
  openWarehouse,
  recomputeModels,
  type Recomputed,
  type Warehouse,
} from "../../src/warehouse/index.js";

export { goldenDir };

/** `input` without resampling and reordering, which have their own tests. */
export function leanConventions(input: ConventionsInput = {}): Conventions {
  return conventionsWith({
    ...input,
    elo: { permutations: 0, ...input.elo },
    bradley_terry: { rater_samples: 0 },
  });
}

export async function recomputeBehind(
  warehouse: Warehouse,
  tables: readonly string[],
  input: ConventionsInput = {},
): Promise<Recomputed> {
  return recomputeModels(
    warehouse,
    leanConventions(input),
    modelsBehind(await modelPlan(), tables),
  );
}

const rating =
  "STRUCT(score DOUBLE, rater_id BIGINT, slate_id BIGINT, session_id VARCHAR, job_id VARCHAR, stimulus_id BIGINT, " +
  "stimulus VARCHAR, dimension VARCHAR, is_training BOOLEAN, meta JSON, is_correct BOOLEAN, _meta VARCHAR)";
const slate =
  "STRUCT(id BIGINT, rater_id VARCHAR, session_id VARCHAR, job_id VARCHAR, date_updated TIMESTAMPTZ, " +
  `is_training BOOLEAN, ratings ${rating}[])`;
const session =
  "STRUCT(id VARCHAR, job_id VARCHAR, date_created TIMESTAMPTZ, date_updated TIMESTAMPTZ, " +
  "date_completed TIMESTAMPTZ, rater JSON, experiment_id VARCHAR, _meta VARCHAR)";

/** A warehouse whose lake tables hold one golden case, read from JSON without HTTP or Parquet. */
export async function loadCase(
  file: string,
  options: { threads?: number; order?: string } = {},
): Promise<Warehouse> {
  const warehouse = await openWarehouse({ sources: {}, threads: 1, ...options });
  const { order = "" } = options;
  await warehouse.all(`
    create table body as from read_json('${join(goldenDir, file)}', maximum_object_size = 100000000, columns = {
      experiment: 'STRUCT(id VARCHAR, name VARCHAR, type VARCHAR)',
      sessions: '${session}[]', slates: '${slate}[]', ratings: '${rating}[]'});
    create or replace view experiments as select experiment.*, null::timestamptz as date_created,
      null::timestamptz as date_updated, null::json as config from body;
    create or replace view sessions as
      select s.* rename (experiment_id as reported_experiment_id), experiment.id as experiment_id
      from (select experiment, unnest(sessions) as s from body) ${order};
    create or replace view slates as
      select s.* exclude (ratings), experiment.id as experiment_id
      from (select experiment, unnest(slates) as s from body) ${order};
    create or replace view slate_ratings as
      select r.*, experiment.id as experiment_id
      from (select experiment, unnest(s.ratings) as r from (select experiment, unnest(slates) as s from body)) ${order};
    create or replace view ratings as
      select r.*, experiment.id as experiment_id
      from (select experiment, unnest(ratings) as r from body) ${order};
  `);
  return warehouse;
}

/** A warehouse whose lake tables hold these rows; what a row does not name is null. */
export async function loadRows(
  tables: Readonly<Record<string, readonly object[]>>,
): Promise<Warehouse> {
  const warehouse = await openWarehouse({ sources: {}, threads: 1 });
  for (const [table, rows] of Object.entries(tables)) {
    const [row] = await warehouse.all(
      "select json_group_object(column_name, data_type)::varchar as shape from duckdb_columns() where table_name = $1",
      [table],
    );
    await warehouse.all(
      `create table own_${table} as select unnest(from_json($1::json, $2::varchar)) as r`,
      [JSON.stringify(rows), `[${row?.shape as string}]`],
    );
    await warehouse.all(`create or replace view ${table} as select r.* from own_${table}`);
  }
  return warehouse;
}
