/** The study service's interface as data. */
export * from "./arguments.js";
export * from "./bodies.js";
export * from "./columns.js";
export * from "./identifier.js";
export * from "./openapi.js";
export * from "./operations.js";
export * from "./queries.js";
export * from "./records.js";
export * from "./schema.js";
export * from "./tables.js";
export * from "./versions.js";
export * from "./vocabulary.js";
