/**
 * Clock, randomness, files, log, errors, settings, schemas, version, and text for people.
 */
export * from "./cached.js";
export * from "./clock.js";
export * from "./duckdb.js";
export * from "./engine-files.js";
export * from "./errors.js";
export * from "./files.js";
export * from "./log.js";
export * from "./places.js";
export * from "./random.js";
export * from "./schema-check.js";
export * from "./settings.js";
export * from "./text.js";
export * from "./version.js";
