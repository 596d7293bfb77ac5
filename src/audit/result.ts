/** The key of a result, by which its numbers, its finding and what is recomputed are matched. */
import { keyOf } from "../platform/index.js";

export const resultKey = ({
  experiment_id,
  kind,
  dimension,
  source,
}: Record<"experiment_id" | "kind" | "dimension" | "source", string>): string =>
  keyOf(experiment_id, kind, dimension, source);
