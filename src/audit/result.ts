/** What passes between the rooms: the key of a result, its numbers, and the facts about them. */
import { kinds, type Table } from "../metrics/index.js";
import { byPlace, byText, cached, groupsOf, keyOf } from "../platform/index.js";

export const resultKey = ({
  experiment_id,
  kind,
  dimension,
  source,
}: Record<"experiment_id" | "kind" | "dimension" | "source", string>): string =>
  keyOf(experiment_id, kind, dimension, source);

export interface GroupKey {
  readonly experiment_id: string;
  readonly experiment_name: string;
  readonly kind: string;
  readonly dimension: string;
  readonly source: string;
  /** `results`, `results/2` of two records, `leaderboard <id>`, `results of <experiment>`. */
  readonly published_in: string;
}

const kindRank = (kind: string): number => (kinds as readonly string[]).indexOf(kind) >>> 0;

/** The order of results in a report. */
export const byResult = (a: GroupKey, b: GroupKey): number =>
  byText(a.experiment_id, b.experiment_id) ||
  kindRank(a.kind) - kindRank(b.kind) ||
  byText(a.kind, b.kind) ||
  byText(a.dimension, b.dimension) ||
  byText(a.source, b.source) ||
  byPlace(a.published_in, b.published_in);

export const byExperiments = <T extends { readonly experiment_id: string }>(
  all: readonly T[],
): T[] =>
  [...groupsOf(all, ({ experiment_id }) => experiment_id)]
    .sort(([a], [b]) => byText(a, b))
    .flatMap(([, own]) => own);

export interface Reason {
  readonly name: string;
  readonly unstated: string;
  readonly isAccepted: boolean;
  readonly rivals: readonly string[];
  readonly isReproduced: boolean;
}

/** Texts say why; what is left out is not the case. */
export interface Facts {
  /** Equal at the published precision, within the tolerance, or neither. */
  readonly nearness: "equal" | "near" | "apart";
  readonly published?: number | null;
  readonly note?: string | undefined;
  readonly obstacle?: string | undefined;
  readonly impossible?: string | undefined;
  readonly cause?: Reason | null;
  readonly coarse?: string;
  /** The kinds that give unnamed numbers, as `kind=mean`, the simplest first. */
  readonly kinds?: readonly string[] | undefined;
  /** Why being apart shows nothing: of intervals that may be drawn, or too few to tell a unit. */
  readonly open?: string;
  readonly contrary?: string | undefined;
  readonly doubt?: string | undefined;
}

export const isApart = ({ nearness }: Facts): boolean => nearness === "apart";

export interface NumberPair extends GroupKey {
  readonly item: string;
  readonly field: string;
  readonly published: number | null;
  readonly recomputed: number | null;
  readonly difference: number | null;
  readonly tolerance: number | null;
  readonly under_explanation: number | null;
  readonly remaining: number | null;
  readonly numbers?: number | undefined;
}

export type ComparedNumber = NumberPair & Facts;

type Later = "under_explanation" | "remaining" | "cause" | "coarse" | "kinds" | "open" | "doubt";

/** Its fields are named: spread, they take more memory. */
export const numberOf = (
  { experiment_id, experiment_name, kind, dimension, source, published_in }: GroupKey,
  {
    item = "",
    field = "",
    published = null,
    recomputed = null,
    difference = null,
    tolerance = null,
    nearness = "apart",
    numbers,
    note,
    obstacle,
    impossible,
    contrary,
  }: Partial<Omit<ComparedNumber, keyof GroupKey | Later>>,
): ComparedNumber => ({
  experiment_id,
  experiment_name,
  kind,
  dimension,
  source,
  published_in,
  item,
  field,
  published,
  recomputed,
  difference,
  tolerance,
  under_explanation: null,
  remaining: null,
  nearness,
  numbers,
  note,
  obstacle,
  impossible,
  contrary,
});

/** Most tables of an evaluator share their items. */
export const rowByItem = cached(
  (items: readonly string[]): ReadonlyMap<string, number> =>
    new Map(items.map((item, i) => [item, i])),
);

/** NaN if there is none. */
export const tableNumber = ({ items, columns }: Table, item: string, field: string): number =>
  columns[field]?.[rowByItem(items).get(item) ?? -1] ?? NaN;
