import type { Static } from "typebox";
import { Type } from "../../platform/index.js";
import { either, positive, seed, strict } from "../schema.js";

export const eloSchema = Type.Object(
  {
    k: positive,
    start: Type.Number(),
    scale: positive,
    base: Type.Number({ exclusiveMinimum: 1 }),
    tie_value: Type.Number({ minimum: 0, maximum: 1 }),
    ties: either(["count", "skip"]),
    update: either(["comparison", "session_batch"]),
    permutations: Type.Integer({ minimum: 0, maximum: 100_000 }),
    seed,
  },
  strict,
);

export type EloConvention = Static<typeof eloSchema>;
