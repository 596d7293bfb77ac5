import type { Kind } from "../../../metrics/index.js";
import { eloInfluence } from "./elo.js";
import type { InfluenceOf } from "./influence.js";
import { pairInfluence } from "./pair.js";
import { scoreInfluence } from "./score.js";

const influences: Record<Kind, InfluenceOf> = {
  win_loss: pairInfluence,
  percent_chosen: pairInfluence,
  percent_approved: scoreInfluence,
  mean: scoreInfluence,
  stats: scoreInfluence,
  elo: eloInfluence,
  bayesian_elo: pairInfluence,
};

export const influenceOf: InfluenceOf = (mismatch, wide) => influences[mismatch.target.kind](mismatch, wide);
