import { metricKind, type KindInfluence } from "../../../metrics/index.js";
import { eloInfluence } from "./elo.js";
import type { InfluenceOf } from "./influence.js";
import { pairInfluence } from "./pair.js";
import { scoreInfluence } from "./score.js";

const influences: Record<KindInfluence, InfluenceOf> = {
  "pair sums": pairInfluence,
  "score sums": scoreInfluence,
  replay: eloInfluence,
};

/** How the numbers of the mismatch depend on single ratings; null if the kind does not state it. */
export const influenceOf: InfluenceOf = (mismatch, wide) => {
  const { influence } = metricKind(mismatch.target.kind);
  return influence === undefined ? null : influences[influence](mismatch, wide);
};
