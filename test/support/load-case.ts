import { join } from "node:path";
import { goldenDir } from "./golden-case.js";
import { conventionsWith, type Conventions, type ConventionsInput } from "../../src/metrics/conventions.js";
import {
  modelPlan,
  modelsBehind,
  openWarehouse,
  recompute,
  type Recomputed,
  type Warehouse,
} from "../../src/warehouse/index.js";

export { goldenDir };

/** `input` without resampling and reordering, which have their own tests. */
export function leanConventions(input: ConventionsInput = {}): Conventions {
  return conventionsWith({ ...input, elo: { permutations: 0, ...input.elo }, bradley_terry: { rater_samples: 0 } });
}

/** Runs only the models that `tables` need. */
export async function recomputeBehind(
  warehouse: Warehouse,
  tables: readonly string[],
  input: ConventionsInput = {},
): Promise<Recomputed> {
  return recompute(warehouse, leanConventions(input), modelsBehind(await modelPlan(), tables));
}

const rating =
  "STRUCT(score DOUBLE, rater_id BIGINT, slate_id BIGINT, session_id VARCHAR, job_id VARCHAR, stimulus_id BIGINT, " +
  "stimulus VARCHAR, dimension VARCHAR, is_training BOOLEAN, meta JSON, is_correct BOOLEAN)";
const slate =
  "STRUCT(id BIGINT, rater_id VARCHAR, session_id VARCHAR, job_id VARCHAR, date_updated TIMESTAMPTZ, " +
  `is_training BOOLEAN, ratings ${rating}[])`;
const session =
  "STRUCT(id VARCHAR, job_id VARCHAR, date_created TIMESTAMPTZ, date_updated TIMESTAMPTZ, " +
  "date_completed TIMESTAMPTZ, rater JSON, experiment_id VARCHAR, _meta VARCHAR)";

/** A warehouse whose lake tables hold one golden case, read from JSON without HTTP or Parquet. */
export async function loadCase(file: string, options: { threads?: number; order?: string } = {}): Promise<Warehouse> {
  const warehouse = await openWarehouse({ sources: {}, threads: 1, ...options });
  const { order = "" } = options;
  await warehouse.all(`
    create table body as from read_json('${join(goldenDir, file)}', maximum_object_size = 100000000, columns = {
      experiment: 'STRUCT(id VARCHAR, name VARCHAR, type VARCHAR)',
      sessions: '${session}[]', slates: '${slate}[]', ratings: '${rating}[]'});
    create or replace view experiments as select experiment.*, null::timestamptz as date_created,
      null::timestamptz as date_updated from body;
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
