import type { ApiVersion } from "../../contract/index.js";
import type { Rater, Session, Slate } from "../state/records.js";

/** Rater identifiers are text in 0.8.3 and integers before. */
export const raterShape = (rater: Rater, version: ApiVersion): unknown =>
  version === "0.8.3" ? rater : { ...rater, id: Number(rater.id) };

export const sessionShape = (session: Session, version: ApiVersion): unknown =>
  version === "0.8.3" ? session : { ...session, rater: raterShape(session.rater, version) };

export const slateShape = (slate: Slate, version: ApiVersion): unknown =>
  version === "0.8.3" ? slate : { ...slate, rater_id: Number(slate.rater_id) };
