/** The published `is_correct` of ratings beside the one that their meta and score give. */
import { sumOf } from "../../platform/index.js";
import { textOf, type Warehouse } from "../../warehouse/index.js";

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

const flag = (value: unknown): boolean | null => (typeof value === "boolean" ? value : null);

/** By reason. A flag that is null or left out counts beside others. */
const flagCounts = `
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

export async function auditCorrectness(warehouse: Warehouse): Promise<CorrectnessReport> {
  const counts = await warehouse.all(flagCounts);
  const rows = await warehouse.all(`
    select experiment_id, cast(slate_id as varchar) as slate_id, session_id, stimulus, dimension,
      published_is_correct, is_correct
    from audit_correctness
    where odd_shape is null and published_is_correct is not null
    order by
      experiment_id, session_id, audit_correctness.slate_id, dimension, stimulus,
      published_is_correct, is_correct`);
  const decided = counts.filter(({ reason }) => reason === null);
  const compared_in = Object.fromEntries(
    decided.map((row) => [textOf(row, "experiment_id"), Number(row.ratings)]),
  );
  const compared = sumOf(Object.values(compared_in));
  return {
    compared,
    equal: compared - rows.length,
    compared_in,
    different: rows.map((row) => ({
      experiment_id: textOf(row, "experiment_id"),
      slate_id: textOf(row, "slate_id"),
      session_id: textOf(row, "session_id"),
      stimulus: textOf(row, "stimulus"),
      dimension: textOf(row, "dimension"),
      published: flag(row.published_is_correct),
      recomputed: flag(row.is_correct),
    })),
    inconclusive: counts
      .filter(({ reason }) => reason !== null)
      .map((row) => ({
        experiment_id: textOf(row, "experiment_id"),
        reason: textOf(row, "reason"),
        ratings: Number(row.ratings),
      })),
  };
}
