/** What a metric kind is. */
import type { Static, TObject, TProperties } from "typebox";
import type { Sample } from "./sample.js";

/** `columns[field][i]` belongs to `items[i]`; NaN if there is none. */
export interface Table {
  readonly items: readonly string[];
  readonly columns: Readonly<Record<string, Float64Array>>;
  /** By field that random draws decide. */
  readonly noise?: Readonly<Record<string, DrawNoise>>;
  /** The interval if item `at` is the same in all draws; absent without joint draws. */
  readonly held?: (at: number) => DrawnColumns;
  /** Of the main field, if an iteration may have stopped before its fixed point. */
  readonly stopped?: Stopped;
}

export interface Stopped {
  /** By number: largest distance from the fixed point. */
  readonly reach: Float64Array;
  /** Row i, column j: what a unit of number j adds to part i of the gradient; 1 stops it. */
  readonly gradients: Float64Array;
}

export type DrawnColumns = Pick<Table, "columns" | "noise">;

/** By how much other random draws differ. */
export interface DrawNoise {
  /** By number. */
  readonly sd: Float64Array;
  /** Of the sum of all. */
  readonly sum: number;
  /** Standard errors beyond which a number or sum is not of such draws. */
  readonly z: number;
}

/** Counts are integers, never rounded; interval ends and half widths depend on a quantile. */
type FieldRole = "estimate" | "count" | "interval end" | "half width";

export const orders = [
  "service",
  "created",
  "slate_updated",
  "slate_id",
  "session_id",
  "reversed",
] as const;
export type Order = (typeof orders)[number];

export interface UnitScale {
  /** `elo` makes `unit=elo`. */
  readonly name: string;
  /** Of the kind's own numbers. */
  readonly scale: number;
  /** To name it; 0 for the kind's own. */
  readonly bits: number;
  readonly says: string;
}

/** As options state it. `level`: null if it is free. */
export interface UnitChoice {
  readonly name: string;
  readonly level: number | null;
  /** Whose number the level is; absent: the mean of all. */
  readonly item?: string;
}

/** Differences from a scenario's own conventions and order of comparisons. */
export interface Patch<C> {
  readonly conventions?: { readonly [K in keyof C]?: C[K] extends object ? Partial<C[K]> : C[K] };
  readonly population?: { readonly order?: Order };
  readonly form?: string;
  readonly unit?: UnitChoice;
}

export interface KindHypothesis<P> {
  /** Hypotheses of an axis exclude each other. */
  readonly axis: string;
  /** `half` on `ties` makes `ties=half`. Unique within a kind. */
  readonly value: string;
  /** To name it: more for rarer conventions. */
  readonly bits: number;
  /** Completes "The published numbers match when …". */
  readonly says: string;
  /** Fields that it changes; absent: any. */
  readonly fields?: readonly string[];
  readonly set: P;
}

/** A convention that `options` may name in several ways. */
export interface OptionSpelling<P> {
  readonly axis: string;
  readonly names: readonly string[];
  /** Undefined if the value has no meaning. */
  readonly read: (value: unknown) => P | undefined;
}

export interface MetricKind<C, P = Patch<C>> {
  readonly name: string;
  /** In a sentence. */
  readonly title: string;
  /** Of `sql/`. */
  readonly model: string;
  /** From comparisons of two items, or scores of one. */
  readonly family: "pairwise" | "scored";
  /** In the order of reports; the first is the main one. */
  readonly fields: Readonly<Record<string, FieldRole>>;
  /** Fields without a model, which the audit computes where they are published. */
  readonly besides?: Readonly<Record<string, FieldRole>>;
  /** Model column to field, where they differ. */
  readonly columns?: Readonly<Record<string, string>>;
  /** Published name to field. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** The best items; `either`: it may be a scale of impairment. */
  readonly direction: "higher" | "either";
  /** metrics.md's formula; subscripts `x_{i}`, superscripts `x^{2}`. */
  readonly definition: string;
  readonly source: string;
  /** What they suppose, as a sentence. */
  readonly errors?: string;
  /** The lowest of several published kinds ranks an experiment; absent: none. */
  readonly ranks?: number;
  /** Of ranges over orders of sessions; absent: order does not matter. */
  readonly orderModel?: string;
  /** It iterates for many rounds: the audit evaluates only what it cannot rule out. */
  readonly isIterative?: true;
  /** Of the main number in `leaderboard`; `level`: percent, of a mean's interval. */
  readonly interval?: (conventions: C, level: number) => string | null;
  /** Between two correct implementations, by their quantile functions. */
  readonly intervalNoise?: { readonly share: number; readonly of: "half width" | "end" };
  /** Conventions that affect the numbers. */
  readonly decidedBy: (conventions: C) => Readonly<Record<string, unknown>>;
  /** Without `withEnds`: no expensive interval ends, nothing of `besides`. */
  readonly evaluate: (sample: Sample, conventions: C, withEnds: boolean) => Table;
  /** Other numbers published under the kind's name. */
  readonly forms?: Readonly<
    Record<string, (table: Table, sample: Sample, conventions: C) => Table>
  >;
  /** n less the main number's divisor; null or absent: it is no sum over ratings over n. */
  readonly lessThanN?: (conventions: C) => number | null;
  /** Fields that follow from others of the item: no evidence once those differ. */
  readonly follows?: Readonly<Record<string, readonly string[]>>;
  /** Smallest difference by item if other ratings count: 1/n for a mean of n whole scores. */
  readonly grain?: (
    sample: Sample,
    conventions: C,
    isOther: boolean,
  ) => Readonly<Record<string, Float64Array>>;
  readonly hypotheses: readonly KindHypothesis<P>[];
  /** The units that are published, its own first. */
  readonly units?: {
    readonly of: (conventions: C) => readonly UnitScale[];
    /** Axis of an option that states the level; absent: zero is real. */
    readonly level?: string;
  };
  readonly options: readonly OptionSpelling<P>[];
  /** Published in parts: `alpha` and `beta` are `rater_quality`. */
  readonly joinedOptions?: Readonly<Record<string, readonly string[]>>;
}

export interface DefinedKind<N extends string, S extends TProperties> extends MetricKind<
  Static<TObject<S>>
> {
  readonly name: N;
  readonly conventions: S;
  readonly defaults: NoInfer<Static<TObject<S>>>;
}

export function defineKind<const N extends string, S extends TProperties>(
  kind: DefinedKind<N, S>,
): DefinedKind<N, S> {
  return kind;
}
