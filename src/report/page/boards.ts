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

/** The numbers that a kind publishes for the whole experiment, in one dimension. */
export interface Board {
  readonly kind: Kind;
  readonly dimension: string;
  /** Its name in a sentence. */
  readonly title: string;
  /** The main field. */
  readonly field: string;
  /**
   * Where these rows are published: the first is where they are taken from, the others have no
   * other numbers.
   */
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
  /** What is recomputed of the item beside its number. */
  readonly beside: NumberRow | undefined;
}

/** A recomputed number of the leaderboard, with its interval. */
interface NumberRow extends OfItem {
  readonly kind: string;
  readonly rank: number;
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
  /** Whether it is the hidden reference, as its name says. */
  readonly is_reference: boolean;
}

/**
 * The ranking of an experiment in one dimension, as recomputed: by the Bradley-Terry model where
 * items are compared, otherwise by means.
 */
export interface Ranking {
  readonly experiment_id: string;
  readonly dimension: string;
  readonly kind: "bradley_terry" | "mean";
  readonly title: string;
  /** What the intervals are. */
  readonly interval: string;
  /** Best first. The hidden reference is set aside from the first and the next. */
  readonly rows: readonly NumberRow[];
  readonly first: string;
  readonly next: string | null;
  readonly reference: string | null;
  /** Numbers of other metrics. */
  readonly others: readonly { readonly kind: string; readonly rows: readonly NumberRow[] }[];
  /** Items that `rows` leaves out. */
  readonly more: number;
}

/** Published rankings of parts of an experiment beside each other, such as one for each job. */
export interface PartTable {
  readonly dimension: string;
  readonly kind: Kind;
  readonly items: readonly string[];
  /** What is published for the whole experiment, in the order of the items; empty if nothing is. */
  readonly whole: readonly (number | null)[];
  readonly columns: readonly PartColumn[];
  /** Jobs whose ranking is that of the whole experiment. */
  readonly repeats: readonly string[];
  /** What the table leaves out. */
  readonly more: { readonly items: number; readonly columns: number };
}

export interface PartColumn {
  /** The jobs; "" for another ranking of the whole experiment. */
  readonly source: string;
  readonly places: readonly string[];
  /** Every number that is published with these. */
  readonly all: readonly Pick<AuditRow, "verdict">[];
  /**
   * Numbers of the main field, in the order of the table's items; null where an item is missing.
   */
  readonly rows: readonly (AuditRow | null)[];
}

/** The recomputed numbers of experiments. */
export interface LeaderboardRows {
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

/** The rankings of an experiment, one for each dimension. */
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
          others: [...ofKind]
            .filter(([other]) => other !== kind)
            .map(([other, rows]) => ({ kind: other, rows })),
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

/**
 * The boards of each experiment among `ids`: published numbers of the whole experiment with what is
 * known beside them.
 */
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

type RankingKey = Pick<PartTable, "dimension" | "kind">;

const boardIn = ({ dimension, kind }: RankingKey, boards: readonly Board[]): Board | undefined =>
  boards.find((board) => board.dimension === dimension && board.kind === kind);

/** A published ranking: the numbers of one dimension, source and place. */
interface PublishedRanking extends RankingKey {
  readonly source: string;
  readonly places: readonly string[];
  readonly all: readonly AuditRow[];
  /** Of the main field. */
  readonly own: readonly AuditRow[];
}

/**
 * The published rankings that `boards` do not show: of jobs, and of lists with other numbers for
 * the whole experiment. Each is shown by the preferred one of its kinds.
 */
export function partTablesOf({
  rows,
}: AuditReport): (experiment: string, boards: readonly Board[]) => PartTable[] {
  const ofExperiment = lookupBy(rows, (row) => row.experiment_id);
  return (id, boards) => {
    const rankings = new Map<string, PublishedRanking>();
    for (const all of groupsOf(ofExperiment(id), rankingKey).values()) {
      const [{ dimension, source, published_in }] = all;
      const kind = preferredKinds.find((each) =>
        all.some((row) => row.kind === each && row.field === mainField(each)),
      );
      if (kind === undefined) continue;
      if (source === "" && boardIn({ dimension, kind }, boards)?.places.includes(published_in))
        continue;
      const own = all.filter((row) => row.kind === kind && row.field === mainField(kind));
      const key = JSON.stringify([
        dimension,
        kind,
        source,
        own.map(({ item, published }) => [item, published]),
      ]);
      const same = rankings.get(key);
      rankings.set(key, {
        dimension,
        kind,
        source,
        own,
        places: [...(same?.places ?? []), published_in],
        all: [...(same?.all ?? []), ...all],
      });
    }
    const tables = groupsOf([...rankings.values()], ({ dimension, kind }) =>
      JSON.stringify([dimension, kind]),
    );
    return [...tables.values()].map((own) => partTableOf(own, boardIn(own[0], boards)));
  };
}

const rankingKey = ({ dimension, source, published_in }: AuditRow): string =>
  JSON.stringify([dimension, source, published_in]);

const urgency = ({ all }: PublishedRanking): number =>
  Math.max(...all.map(({ verdict }) => attentionOf(verdict)));

/**
 * The most urgent rankings first. Items in the order of the whole experiment, then in that of the
 * first ranking that has them.
 */
function partTableOf(
  all: readonly [PublishedRanking, ...PublishedRanking[]],
  board: Board | undefined,
): PartTable {
  const [{ dimension, kind }] = all;
  const whole = new Map((board?.rows ?? []).map(({ row }) => [row.item, row.published]));
  const isRepeat = ({ source, own }: PublishedRanking): boolean =>
    source !== "" &&
    own.length === whole.size &&
    own.every((row) => row.published === whole.get(row.item));
  const columns = firstOf(
    all.filter((one) => !isRepeat(one)).toSorted((a, b) => urgency(b) - urgency(a)),
    pageLimits.parts,
  );
  const best = columns.shown.flatMap(({ own }) =>
    own
      .toSorted((a, b) => (b.published ?? -Infinity) - (a.published ?? -Infinity))
      .map(({ item }) => item),
  );
  const has = new Set(best);
  const items = firstOf(
    [...new Set([...[...whole.keys()].filter((item) => has.has(item)), ...best])],
    pageLimits.items,
  );
  return {
    dimension,
    kind,
    items: items.shown,
    whole: board === undefined ? [] : items.shown.map((item) => whole.get(item) ?? null),
    columns: columns.shown.map(({ source, places, all: numbers, own }) => {
      const rows = new Map(own.map((row) => [row.item, row]));
      return {
        source,
        places,
        all: numbers.map(({ verdict }) => ({ verdict })),
        rows: items.shown.map((item) => rows.get(item) ?? null),
      };
    }),
    repeats: all.filter(isRepeat).map(({ source }) => source),
    more: { items: items.more, columns: columns.more },
  };
}
