/** The published `is_correct` of ratings beside the one that their meta and score give. */
import { sumOf } from "../../platform/index.js";
import type { Warehouse } from "../../warehouse/index.js";
import { byExperiments } from "../result.js";

interface CorrectnessDifference {
  readonly experiment_id: string;
  readonly slate_id: string;
  readonly session_id: string;
  readonly stimulus: string;
  readonly dimension: string;
  readonly published: boolean | null;
  readonly recomputed: boolean | null;
}

interface UndecidedFlags {
  readonly experiment_id: string;
  readonly reason: string;
  readonly ratings: number;
}

export interface CorrectnessReport {
  readonly compared: number;
  readonly equal: number;
  readonly compared_in: Readonly<Record<string, number>>;
  readonly different: readonly CorrectnessDifference[];
  readonly inconclusive: readonly UndecidedFlags[];
}

/** By reason. A flag that is null or left out counts beside others. */
const countsSql = `
  select
    experiment_id,
    case
      when odd_shape is not null then odd_shape
      when published_is_correct is null then 'the meta gives a flag, but the service does not'
    end as reason,
    cast(sum(ratings) as double) as ratings
  from key_correctness
  where odd_shape is not null
    or published_is_correct is not null
    or is_correct is not null
      and experiment_id in (
        select experiment_id from key_correctness where published_is_correct is not null
      )
  group by experiment_id, reason
  order by experiment_id, reason`;

const differentSql = `
  select
    experiment_id,
    coalesce(cast(slate_id as varchar), '') as slate_id,
    coalesce(session_id, '') as session_id,
    coalesce(stimulus, '') as stimulus,
    dimension,
    published_is_correct as published,
    is_correct as recomputed
  from audit_correctness as r
  where odd_shape is null and published_is_correct is not null
  order by
    r.experiment_id, r.session_id, r.slate_id, r.dimension, r.stimulus, published_is_correct,
    is_correct`;

type Counts = Omit<UndecidedFlags, "reason"> & { readonly reason: string | null };

export interface FlagRows {
  readonly counts: readonly Counts[];
  readonly different: readonly CorrectnessDifference[];
}

export async function readFlags(warehouse: Warehouse): Promise<FlagRows> {
  const read = async <T>(sql: string) => (await warehouse.all(sql)) as unknown as T[];
  return { counts: await read(countsSql), different: await read(differentSql) };
}

export function correctnessOf(batches: readonly FlagRows[]): CorrectnessReport {
  const counts = byExperiments(batches.flatMap((batch) => batch.counts));
  const different = byExperiments(batches.flatMap((batch) => batch.different));
  const decided = counts.filter(({ reason }) => reason === null);
  const compared = sumOf(decided.map(({ ratings }) => ratings));
  return {
    compared,
    equal: compared - different.length,
    compared_in: Object.fromEntries(
      decided.map(({ experiment_id, ratings }) => [experiment_id, ratings]),
    ),
    different,
    inconclusive: counts.flatMap(({ reason, ...counted }) =>
      reason === null
        ? []
        : [{ experiment_id: counted.experiment_id, reason, ratings: counted.ratings }],
    ),
  };
}
