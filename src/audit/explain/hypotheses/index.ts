/** The conventions that the audit tries, and those that published options state. */
export { hypothesesFor } from "./catalogue.js";
export type { Hypothesis } from "./hypothesis.js";
export { statedIn } from "./options.js";
export { scorings, truncation } from "./scorings.js";
