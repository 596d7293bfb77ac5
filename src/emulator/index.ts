/**
 * A local emulator of the study service. It loads fastify, so import it only where it is started.
 */
export { readFaultRules, type FaultRule } from "./faults/injector.js";
export type { Fault } from "./faults/kinds.js";
export type { EmulatorOptions } from "./emulator.js";
export { type Corruption, readPublishingRules, type PublishingRule } from "./publishing/rules.js";
export { scenarioList, scenarioOptions, scenarios } from "./scenarios.js";
export { startEmulator, type RunningEmulator } from "./start.js";
