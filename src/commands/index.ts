/**
 * What the commands of packs share with those of the core: flags, the console, and how a lake or a
 * pipeline is opened.
 */
export { auditOptions, auditSettings } from "./audit.js";
export { connectionOptions, pseudonymOptions, pseudonymsOf } from "./connection.js";
export { consoleLog, logOptions, type LogOptions, print, quietOption } from "./console.js";
export { concludeExport, consoleIo, interruptSignal } from "./display.js";
export { flagFor, lakeOption, projectOf, reading } from "./flags.js";
export { lakeFlag, type PlanArguments, readPlan, runPlan } from "./run.js";
