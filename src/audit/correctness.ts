import { textOf, type Warehouse } from "../warehouse/index.js";

/** A rating whose published `is_correct` contradicts its `meta` and score. */
interface CorrectnessDifference {
  readonly experiment_id: string;
  readonly slate_id: string;
  readonly session_id: string;
  readonly stimulus: string;
  readonly dimension: string;
  readonly published: boolean | null;
  readonly recomputed: boolean | null;
}

export interface CorrectnessReport {
  readonly compared: number;
  readonly equal: number;
  readonly different: readonly CorrectnessDifference[];
}

const flag = (value: unknown): boolean | null => (typeof value === "boolean" ? value : null);

/** Compares the published `is_correct` of every rating with the one recomputed from its meta and score. */
export async function auditCorrectness(warehouse: Warehouse): Promise<CorrectnessReport> {
  const [count] = await warehouse.all("select cast(count(*) as double) as n from int_correctness");
  const rows = await warehouse.all(`
    select experiment_id, cast(slate_id as varchar) as slate_id, session_id, stimulus, dimension,
      published_is_correct, is_correct
    from audit_correctness
    order by experiment_id, session_id, audit_correctness.slate_id, dimension, stimulus, published_is_correct, is_correct`);
  const compared = Number(count?.n ?? 0);
  return {
    compared,
    equal: compared - rows.length,
    different: rows.map((row) => ({
      experiment_id: textOf(row, "experiment_id"),
      slate_id: textOf(row, "slate_id"),
      session_id: textOf(row, "session_id"),
      stimulus: textOf(row, "stimulus"),
      dimension: textOf(row, "dimension"),
      published: flag(row.published_is_correct),
      recomputed: flag(row.is_correct),
    })),
  };
}
