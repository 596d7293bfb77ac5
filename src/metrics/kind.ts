import type Type from "typebox";
import type { Sample } from "./sample.js";

/** Recomputed numbers of one kind: `columns[field][i]` belongs to `items[i]`; NaN where there is none. */
export interface Table {
  readonly items: readonly string[];
  readonly columns: Readonly<Record<string, Float64Array>>;
}

export const emptyTable: Table = { items: [], columns: {} };

/** Main values of a kind, none further off than `error`. */
export interface Rough {
  readonly table: Table;
  readonly error: number;
}

/** How rough: to 0.01 Elo or to 1 Elo. */
export type RoughPrecision = "fine" | "coarse";

/** Counts are integers and never rounded; interval ends are quantiles; others are estimates. */
export type FieldRole = "estimate" | "count" | "interval end";

/** Numbers are sums over comparisons, sums over scores, or a replay of comparisons in their order. */
export type KindInfluence = "pair sums" | "score sums" | "replay";

/** The orders of comparisons that an order-dependent kind may be computed in. */
export const orders = ["service", "created", "slate_updated", "slate_id", "session_id", "reversed"] as const;
export type Order = (typeof orders)[number];

/** The conventions that differ from a scenario's own, and the order of comparisons where it differs. */
export interface Patch<C> {
  readonly conventions?: { readonly [K in keyof C]?: C[K] extends object ? Partial<C[K]> : C[K] };
  readonly population?: { readonly order?: Order };
}

/** One convention that a service may have used. */
interface KindHypothesis<P> {
  /** Hypotheses of one axis exclude each other. */
  readonly axis: string;
  /** What it is called on its axis: `ties` and `half` make `ties=half`. Unique within a kind. */
  readonly value: string;
  /** What it costs to name it, in bits: the rarer, the more. */
  readonly bits: number;
  /** Completes "The published numbers match when …". */
  readonly says: string;
  readonly set: P;
}

/** One convention that published `options` may name, under any of its usual names. */
export interface OptionSpelling<P> {
  readonly axis: string;
  readonly names: readonly string[];
  /** What a value means, or undefined where it means nothing here. */
  readonly read: (value: unknown) => P | undefined;
}

/** Everything about a metric kind that is not its SQL. `C`: the conventions that it reads. */
export interface MetricKind<C, P = Patch<C>> {
  /** As the interface spells it; its model is `metric_<name>`. */
  readonly name: string;
  /** Computed from comparisons of two items, or from the scores of one. */
  readonly family: "pairwise" | "scored";
  /** The fields that have a definition, in the order they are reported; the first is the main one. */
  readonly fields: Readonly<Record<string, FieldRole>>;
  /** Fields that the model names otherwise, by the model's name. */
  readonly columns?: Readonly<Record<string, string>>;
  /** What published fields are called here, where that depends on the kind. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Which items are the best; `either` where a scale may be one of impairment. */
  readonly direction: "higher" | "either";
  /** Which kind ranks an experiment that publishes several: the lowest number. Absent where a kind ranks nothing. */
  readonly ranks?: number;
  /** True where numbers depend on the order of comparisons; `metric_<name>_order` has their range over orders. */
  readonly isOrdered?: true;
  /** Share by which interval ends of two correct implementations may differ: their quantile functions do. */
  readonly intervalNoise?: number;
  /** The conventions that decide the numbers, by name. */
  readonly decidedBy: (conventions: C) => Readonly<Record<string, unknown>>;
  /** `withEnds` false leaves out interval ends where they cost the most. */
  readonly evaluate: (sample: Sample, conventions: C, withEnds: boolean) => Table;
  /** Main values at a fraction of the cost; null where the exact ones are as cheap. */
  readonly rough?: (sample: Sample, conventions: C, precision: RoughPrecision) => Rough | null;
  /** How single ratings add to the numbers, for repairs. Absent: no repair is looked for. */
  readonly influence?: KindInfluence;
  readonly hypotheses: readonly KindHypothesis<P>[];
  readonly options: readonly OptionSpelling<P>[];
  /** Options that are one when their parts are beside each other: `alpha` and `beta` are `rater_quality`. */
  readonly joinedOptions?: Readonly<Record<string, readonly string[]>>;
}

/** A kind and the conventions that are its own: their schema and defaults. */
export interface DefinedKind<N extends string, S extends Type.TProperties> extends MetricKind<
  Type.Static<Type.TObject<S>>
> {
  readonly name: N;
  readonly conventions: S;
  readonly defaults: NoInfer<Type.Static<Type.TObject<S>>>;
}

export function defineKind<const N extends string, S extends Type.TProperties>(
  kind: DefinedKind<N, S>,
): DefinedKind<N, S> {
  return kind;
}
