/** What a metric kind is. */
import type { Static, TObject, TProperties } from "typebox";
import type { Sample } from "./sample.js";

/** `columns[field][i]` belongs to `items[i]`; NaN if there is none. */
export interface Table {
  readonly items: readonly string[];
  readonly columns: Readonly<Record<string, Float64Array>>;
  /** Of the fields that random draws decide. */
  readonly noise?: Readonly<Record<string, DrawNoise>>;
  /**
   * The interval if item `at` has its own number in every draw; absent without draws of all items
   * together.
   */
  readonly held?: (at: number) => DrawnColumns;
  /** Of the main field, if it is the fixed point of an iteration that may have stopped before. */
  readonly stopped?: Stopped;
}

/** Where an iteration may have stopped. */
export interface Stopped {
  /** How far each number may be from the fixed point. */
  readonly reach: Float64Array;
  /** Row i, column j: what a unit of number j adds to part i of the gradient; 1 stops it. */
  readonly gradients: Float64Array;
}

/** Columns that random draws decide. */
export type DrawnColumns = Pick<Table, "columns" | "noise">;

/** How far other random draws leave the numbers of a field from these. */
export interface DrawNoise {
  /** Standard error of each number. */
  readonly sd: Float64Array;
  /** Standard error of the sum of all. */
  readonly sum: number;
  /** Standard errors beyond which a number, or the sum, does not come from such draws. */
  readonly z: number;
}

/**
 * Counts are integers and never rounded; interval ends and half widths depend on a quantile; others
 * are estimates.
 */
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

/**
 * The conventions, and the order of comparisons, that differ from a scenario's own, and a form of
 * the result.
 */
export interface Patch<C> {
  readonly conventions?: { readonly [K in keyof C]?: C[K] extends object ? Partial<C[K]> : C[K] };
  readonly population?: { readonly order?: Order };
  /** One of the kind's `forms`. */
  readonly form?: string;
}

/** One convention that a service may have used. */
export interface KindHypothesis<P> {
  /** Hypotheses of one axis exclude each other. */
  readonly axis: string;
  /** Its name on the axis: `ties` and `half` make `ties=half`. Unique within a kind. */
  readonly value: string;
  /** Bits to name it: more for rarer conventions. */
  readonly bits: number;
  /** Completes "The published numbers match when …". */
  readonly says: string;
  /** The fields that it changes; absent: any. */
  readonly fields?: readonly string[];
  readonly set: P;
}

/** One convention that published `options` may name, under any of its usual names. */
export interface OptionSpelling<P> {
  readonly axis: string;
  readonly names: readonly string[];
  /** The convention that a value means; undefined if it has no meaning. */
  readonly read: (value: unknown) => P | undefined;
}

export interface MetricKind<C, P = Patch<C>> {
  /** The interface's name. */
  readonly name: string;
  /** Its name in a sentence. */
  readonly title: string;
  /** The model of `sql/` that computes its numbers. */
  readonly model: string;
  /** Computed from comparisons of two items, or from the scores of one. */
  readonly family: "pairwise" | "scored";
  /**
   * The fields that have a definition, in the order they are reported; the first is the main one.
   */
  readonly fields: Readonly<Record<string, FieldRole>>;
  /**
   * Fields that services publish beside them and that no model has: the audit computes them where
   * they are published.
   */
  readonly besides?: Readonly<Record<string, FieldRole>>;
  /** Model column to field, for fields whose columns have another name. */
  readonly columns?: Readonly<Record<string, string>>;
  /** Published name to field, for names that depend on the kind. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Which items are the best; `either` if the scale may be one of impairment. */
  readonly direction: "higher" | "either";
  /**
   * The formula (docs/explanation/metrics.md), with subscripts as `x_{i}` and superscripts as
   * `x^{2}`.
   */
  readonly definition: string;
  /** Where the formula comes from. */
  readonly source: string;
  /** What its standard errors and intervals suppose, as a sentence. */
  readonly errors?: string;
  /**
   * Of several published kinds, the lowest number ranks an experiment. Absent if the kind does not
   * rank.
   */
  readonly ranks?: number;
  /**
   * The model with the range of its numbers over orders of the sessions. Absent if they do not
   * depend on the order.
   */
  readonly orderModel?: string;
  /**
   * True if numbers take an iteration of many rounds: the audit then evaluates only what it cannot
   * rule out.
   */
  readonly isIterative?: true;
  /**
   * What the interval of its main number in the model `leaderboard` is; `level`: percent of an
   * interval of a mean.
   */
  readonly interval?: (conventions: C, level: number) => string | null;
  /** True if services publish it relative to one item too. */
  readonly canBeRelative?: true;
  /**
   * Difference between interval ends of two correct implementations, due to their quantile
   * functions.
   */
  readonly intervalNoise?: { readonly share: number; readonly of: "half width" | "end" };
  /** The conventions that affect the numbers, by name. */
  readonly decidedBy: (conventions: C) => Readonly<Record<string, unknown>>;
  /** `withEnds` false omits the interval ends if they are expensive, and what is in `besides`. */
  readonly evaluate: (sample: Sample, conventions: C, withEnds: boolean) => Table;
  /** Other numbers that services publish under the kind's name, from its table and the sample. */
  readonly forms?: Readonly<
    Record<string, (table: Table, sample: Sample, conventions: C) => Table>
  >;
  /**
   * By how much the divisor of the main number is less than n; null or absent: it is no sum over
   * ratings that is divided by n.
   */
  readonly lessThanN?: (conventions: C) => number | null;
  /**
   * Fields that follow from others of the same item: once one of those differs, they are no
   * evidence of their own.
   */
  readonly follows?: Readonly<Record<string, readonly string[]>>;
  /**
   * The smallest difference that a field can show, by item: if other ratings count (`isOther`), a
   * mean of n whole scores moves in steps of 1/n.
   */
  readonly grain?: (
    sample: Sample,
    conventions: C,
    isOther: boolean,
  ) => Readonly<Record<string, Float64Array>>;
  readonly hypotheses: readonly KindHypothesis<P>[];
  /** What moves all ratings by the same amount: what the conventions say, and the usual levels. */
  readonly level?: {
    readonly of: (conventions: C) => number;
    readonly usual: readonly KindHypothesis<P>[];
  };
  readonly options: readonly OptionSpelling<P>[];
  /** Options published in parts: `alpha` and `beta` are `rater_quality`. */
  readonly joinedOptions?: Readonly<Record<string, readonly string[]>>;
}

/** A kind with the schema and defaults of its own conventions. */
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
