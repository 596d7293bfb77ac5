import { kinds, metricKind, type Kind } from "../../../metrics/index.js";
import type { Scenario } from "../../evaluate/index.js";
import { bitsOfDecimal } from "../../target/index.js";
import type { Hypothesis } from "../hypotheses/index.js";

/** A free number that the audit derives from the published ones. */
export interface Parameter {
  readonly name: string;
  readonly value: number;
  /** The published precision allows any value from `low` to `high`. */
  readonly low: number;
  readonly high: number;
  /** Bits to state the value. */
  readonly bits: number;
  /** Completes "The published numbers match when …", for a value that says more than its name. */
  readonly says?: string;
}

/** A scenario with the parameters found for it. */
export interface Identified {
  readonly scenario: Scenario;
  readonly parameters: readonly Parameter[];
  /** Conventions that the parameters presuppose. */
  readonly hypotheses?: readonly Hypothesis[];
}

/** The axis of a parameter: it replaces a convention of that axis. */
export function axisOf({ name }: Pick<Parameter, "name">): string {
  return name === "alpha" || name === "beta" ? "rater_quality" : name;
}

/** Bits to state a usual value. */
export const usualBits = 3;

/** Parameter to the values that some kind uses, and that cost less to name. */
const usual = new Map<string, Set<number>>();
for (const kind of kinds)
  for (const [name, values] of Object.entries(metricKind(kind).inUse ?? {}))
    usual.set(name, new Set([...(usual.get(name) ?? []), ...values]));

/** Whether a value is a convention of the field (`inUse` of the kind), not one that only these numbers suggest. */
export const isInUse = (kind: Kind, { name, value }: Pick<Parameter, "name" | "value">): boolean =>
  metricKind(kind).inUse?.[name]?.includes(value) === true;

export function parameter(name: string, value: number, low: number, high: number): Parameter {
  const bits = usual.get(name)?.has(value) === true ? usualBits : bitsOfDecimal(value);
  return { name, value, low: Math.min(low, high, value), high: Math.max(low, high, value), bits };
}
