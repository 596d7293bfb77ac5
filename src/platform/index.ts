/** Clock, randomness, files, log, errors, settings, rules for values, secrets, version, text order and text for a console. */
export * from "./clock.js";
export * from "./duckdb.js";
export * from "./errors.js";
export * from "./files.js";
export * from "./log.js";
export { didYouMean } from "./nearest.js";
export * from "./order.js";
export * from "./random.js";
export * from "./redact.js";
export { remembered } from "./remembered.js";
export * from "./rules.js";
export * from "./settings.js";
export * from "./trace.js";
export { Type } from "./type.js";
export * from "./version.js";
export * from "./visible.js";
export { counted, listed } from "./words.js";
