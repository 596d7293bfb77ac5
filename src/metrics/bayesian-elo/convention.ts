import type { Static } from "typebox";
import { Type } from "../../platform/index.js";
import { either, positive, strict } from "../schema.js";

export const bayesianEloSchema = Type.Object(
  {
    shape: Type.Number({ exclusiveMinimum: 1 }),
    rate: positive,
    scale: positive,
    anchor: Type.Number(),
    ties: either(["half", "exclude", "davidson"]),
    stop_elo: Type.Union([positive, Type.Null()]),
    start: either(["cold", "warm"]),
    interval_labels: either(["own", "shifted"]),
    rater_quality: Type.Union([
      Type.Object({ alpha: Type.Number({ minimum: 1 }), beta: Type.Number({ minimum: 1 }) }, strict),
      Type.Null(),
    ]),
  },
  strict,
);

export type BayesianEloConvention = Static<typeof bayesianEloSchema>;
