/** Fault injection: rules, the kinds of fault, the journal of requests and the admin port. */
export { createAdmin } from "./admin.js";
export { createFaultInjector, type FaultInjector } from "./injector.js";
export { faultKinds, readFaultRules, type Fault, type FaultRule } from "./rules.js";
