/** Checks a manifest by its schema. The build puts the compiled schema in place of this file. */
import { compiledSchema } from "../platform/index.js";
import { manifestSchema } from "./manifest-schema.js";

export const manifestValidator = compiledSchema(manifestSchema);
