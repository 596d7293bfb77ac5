/**
 * Checks a manifest by its schema. The build puts the compiled schema in the place of this file;
 * from the sources it is compiled at the first use.
 */
import { compiledSchema } from "../platform/index.js";
import { manifestSchema } from "./manifest-schema.js";

export const manifestValidator = compiledSchema(manifestSchema);
