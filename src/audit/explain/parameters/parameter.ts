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

/** Values that the field uses: conventions, not fits (docs/audit.md, "Parameters"). */
const inUse: Readonly<Record<string, readonly number[]>> = {
  k: [10, 16, 20, 24, 32, 40],
  start: [0, 1000, 1200, 1500, 2000],
  scale: [0.01, 100, 400],
  shape: [5],
  anchor: [0, 1000, 1200, 1500, 2000],
  alpha: [10],
  beta: [2],
  stop_elo: [0.001, 0.01, 0.1, 1],
};

/** Whether a value is a convention of the field, not one that only these numbers suggest. */
export const isInUse = ({ name, value }: Pick<Parameter, "name" | "value">): boolean =>
  inUse[name]?.includes(value) === true;

export function parameter(name: string, value: number, low: number, high: number): Parameter {
  const bits = isInUse({ name, value }) ? usualBits : bitsOfDecimal(value);
  return { name, value, low: Math.min(low, high, value), high: Math.max(low, high, value), bits };
}
