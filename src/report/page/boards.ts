/** The rankings of an experiment: recomputed, and published. */
import { attentionOf, type AuditReport, type AuditRow } from "../../audit/index.js";
import {
  isKind,
  kinds,
  mainField,
  metricKind,
  type Conventions,
  type Kind,
} from "../../metrics/index.js";
import { byPlace, firstOf, groupsOf } from "../../platform/index.js";
import type { Warehouse } from "../../warehouse/index.js";
import { lookupBy, itemIn, keyOfExperiment, rowsBy, type OfItem } from "./rows.js";
import { pageLimits } from "./html.js";

/** Published numbers of one kind and dimension, for the whole experiment. */
export interface Board {
  readonly kind: Kind;
  readonly dimension: string;
  readonly title: string;
  readonly field: string;
  /** The rows are taken from the first; the others have no other numbers. */
  readonly places: readonly [string, ...string[]];
  readonly rows: readonly BoardRow[];
  /** Items that `rows` leaves out. */
  readonly more: number;
  /** What the intervals are; "" if the kind has none. */
  readonly interval: string;
  /** Numbers of other fields: how many, and those that differ. */
  readonly others: { readonly numbers: number; readonly differing: readonly AuditRow[] };
}

export interface BoardRow {
  readonly row: AuditRow;
  readonly beside: NumberRow | undefined;
}

interface NumberRow extends OfItem {
  readonly kind: string;
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly interval: string | null;
  readonly n: number | null;
  /** Of an online Elo, over random orders of the sessions. */
  readonly p025_over_orders: number | null;
  readonly p975_over_orders: number | null;
  /** Rank interval by the Bradley-Terry model over resampled raters. */
  readonly rank_best: number | null;
  readonly rank_worst: number | null;
  readonly is_reference: boolean;
}

/** As recomputed: by Bradley-Terry where items are compared, otherwise by means. */
export interface Ranking {
  readonly experiment_id: string;
  readonly dimension: string;
  readonly kind: "bradley_terry" | "mean";
  readonly title: string;
  readonly interval: string;
  /** Best first. The hidden reference is set aside from the first and the next. */
  readonly rows: readonly NumberRow[];
  readonly first: string;
  readonly next: string | null;
  readonly reference: string | null;
  /** Items that `rows` leaves out. */
  readonly more: number;
}

interface LeaderboardRows {
  readonly conventions: Conventions;
  readonly ofItem: (key: string) => readonly NumberRow[];
  readonly ofExperiment: (id: string) => readonly NumberRow[];
}

export async function leaderboardOf(
  warehouse: Warehouse,
  conventions: Conventions,
  ids: readonly string[],
): Promise<LeaderboardRows> {
  const ofExperiment = await rowsBy<NumberRow>(warehouse, "page/leaderboard", ids, keyOfExperiment);
  return { conventions, ofExperiment, ofItem: lookupBy(ids.flatMap(ofExperiment), itemIn) };
}

const intervalOf = (kind: Kind, conventions: Conventions): string =>
  metricKind(kind).interval?.(conventions, conventions.stats.level) ?? "";

/** One for each dimension. */
export function rankingsOf(id: string, { ofExperiment }: LeaderboardRows): Ranking[] {
  return [...groupsOf(ofExperiment(id), ({ dimension }) => dimension)].flatMap(
    ([dimension, numbers]): Ranking[] => {
      const ofKind = groupsOf(numbers, ({ kind }) => kind);
      const kind = ofKind.has("bradley_terry") ? "bradley_terry" : "mean";
      const all = (ofKind.get(kind) ?? []).filter(({ value }) => value !== null);
      const [first, next] = all.filter(({ is_reference }) => !is_reference);
      if (first === undefined) return [];
      const { shown, more } = firstOf(all, pageLimits.items);
      return [
        {
          experiment_id: id,
          dimension,
          kind,
          title: metricKind(kind).title,
          interval: all.find(({ interval }) => interval !== null)?.interval ?? "",
          rows: shown,
          first: first.item,
          next: next?.item ?? null,
          reference: all.find(({ is_reference }) => is_reference)?.item ?? null,
          more,
        },
      ];
    },
  );
}

/** The kinds by which items can be ranked, preferred first. */
const preferredKinds = kinds.toSorted(
  (a, b) => (metricKind(a).ranks ?? Infinity) - (metricKind(b).ranks ?? Infinity),
);

/** The boards of each experiment among `ids`. */
export function boardsOf(
  { rows }: AuditReport,
  leaderboard: LeaderboardRows,
  ids: readonly string[],
): (experiment: string) => readonly Board[] {
  const whole = rows.filter(
    (row) => row.source === "" && isKind(row.kind) && ids.includes(row.experiment_id),
  );
  const published = preferredKinds.filter((kind) => whole.some((row) => row.kind === kind));
  const ofExperiment = lookupBy(whole, (row) => row.experiment_id);
  return (id) =>
    [...groupsOf(ofExperiment(id), (row) => row.dimension).values()].flatMap((own) =>
      published
        .map((kind) => ({ kind, all: own.filter((row) => row.kind === kind) }))
        .filter(({ all }) => all.length > 0)
        .map(({ kind, all }) => boardOf(all, kind, leaderboard)),
    );
}

/** @param all the numbers of one kind and dimension, in every place */
function boardOf(all: readonly AuditRow[], kind: Kind, leaderboard: LeaderboardRows): Board {
  const field = mainField(kind);
  const [[place, own] = ["", []], ...copies] = [...groupsOf(all, (row) => row.published_in)].sort(
    ([a], [b]) => byPlace(a, b),
  );
  const ranked = kind === "stats" ? "mean" : kind;
  const sorted = own
    .filter((row) => row.field === field)
    .toSorted(
      (a, b) =>
        (b.recomputed ?? b.published ?? -Infinity) - (a.recomputed ?? a.published ?? -Infinity),
    );
  const { shown, more } = firstOf(sorted, pageLimits.items);
  const others = own.filter((row) => row.field !== field);
  const numbers = new Map(sorted.map((row) => [row.item, row.published]));
  const repeats = copies.filter(([, rows]) =>
    rows.every(
      (row) =>
        row.field !== field || row.published === null || row.published === numbers.get(row.item),
    ),
  );
  return {
    kind,
    title: metricKind(kind).title,
    field,
    more,
    places: [place, ...repeats.map(([name]) => name)],
    dimension: all[0]?.dimension ?? "",
    rows: shown.map((row) => ({
      row,
      beside: leaderboard.ofItem(itemIn(row)).find((one) => one.kind === ranked),
    })),
    interval: intervalOf(kind, leaderboard.conventions),
    others: {
      numbers: others.length,
      differing: others.filter((row) => attentionOf(row.verdict) > 0),
    },
  };
}
