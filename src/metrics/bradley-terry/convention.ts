import type { Static } from "typebox";
import { Type } from "../../platform/index.js";
import { either, seed, strict } from "../schema.js";

export const bradleyTerrySchema = Type.Object(
  {
    ties: either(["half", "davidson", "generalised_davidson"]),
    rater_samples: Type.Integer({ minimum: 0, maximum: 100_000 }),
    seed,
  },
  strict,
);

export type BradleyTerryConvention = Static<typeof bradleyTerrySchema>;
