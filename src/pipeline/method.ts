import {
  readTolerances,
  type Acceptance,
  type RecordShapes,
  type ScoreShapes,
  type Tolerances,
} from "../audit/index.js";
import { conventionsWith, type Conventions } from "../metrics/index.js";
import type { ProjectPipeline } from "./schema.js";

/** How numbers are computed, read and compared: the keys of a pipeline that matter offline, with every default filled in. */
export interface Method {
  readonly conventions: Conventions;
  readonly tolerances: Tolerances;
  readonly shapes: ScoreShapes;
  readonly records: RecordShapes;
  readonly accept: readonly Acceptance[];
}

export const methodKeys = ["conventions", "tolerances", "accept", "score_shapes", "record_shapes"] as const;

export function methodIn(pipeline: Pick<ProjectPipeline, (typeof methodKeys)[number]>): Method {
  return {
    conventions: conventionsWith(pipeline.conventions ?? {}),
    tolerances: readTolerances(pipeline.tolerances ?? {}),
    shapes: pipeline.score_shapes ?? {},
    records: pipeline.record_shapes ?? {},
    accept: pipeline.accept ?? [],
  };
}
