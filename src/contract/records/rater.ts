import { Type } from "../../platform/index.js";
import { assumed, DateTime, Json, Nullable } from "../schema.js";
import { versioned } from "../versions.js";

const rater = { user: Json({ description: "Shape not shown." }), meta: Json() };

/** Source: service-api.md, "Rater". */
const Rater = Type.Object({ id: Type.String(), ...rater });
const RaterOlder = Type.Object({ id: Type.Integer(), ...rater });

const session = {
  id: Type.String(),
  job_id: Type.String(),
  experiment_id: Type.String(),
  date_created: DateTime(),
  date_updated: DateTime(),
  date_completed: Nullable(DateTime(), { ...assumed({}, "null"), description: "Null until completed." }),
  meta: Json(),
};

const identifierOnly = { "x-persons": "rater_object" } as const;

/** Source: service-api.md, "Session". */
const Session = Type.Object({ ...session, rater: Type.Object(Rater.properties, identifierOnly) });
const SessionOlder = Type.Object({ ...session, rater: Type.Object(RaterOlder.properties, identifierOnly) });

export const raterRecords = {
  rater: versioned(Rater, RaterOlder),
  session: versioned(Session, SessionOlder),
};
