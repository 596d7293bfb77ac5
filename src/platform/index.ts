/** What everything else is built on: clock, randomness, files, log, errors, version, order of texts. */
export * from "./clock.js";
export * from "./errors.js";
export * from "./files.js";
export * from "./log.js";
export * from "./order.js";
export * from "./random.js";
export * from "./version.js";
