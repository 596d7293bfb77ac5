import { defaultLimits, readTolerances } from "../../../src/audit/index.js";
import { defaultConventions } from "../../../src/metrics/conventions.js";

export const auditSettings = {
  conventions: defaultConventions,
  tolerances: readTolerances(),
  shapes: {},
  records: {},
  limits: defaultLimits,
  accept: [],
  ignore: [],
};
