/** The rankings of an experiment: recomputed, and published. */
import { attentionOf, type AuditReport, type AuditRow, type Scale } from "../../audit/index.js";
import {
  isKind,
  kinds,
  mainField,
  metricKind,
  type Conventions,
  type Kind,
} from "../../metrics/index.js";
import { byPlace, firstOf, groupsOf, thousands } from "../../platform/index.js";
import type { Warehouse } from "../../warehouse/index.js";
import { lookupBy, itemIn, keyOfExperiment, rowsBy, type OfItem } from "./rows.js";
import { fewOf } from "../findings.js";
import { groupsNote, sortedFor, orderFor } from "../order.js";
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
  readonly direction: Scale["direction"];
  readonly ground: Scale["ground"];
  /** Items that can be ranked together. */
  readonly class: number;
  readonly rank: number;
  /** Of Bradley-Terry: items that votes link, and wins with ties as half. */
  readonly component: number | null;
  readonly wins: number | null;
  readonly is_reference: boolean;
}

/** Of a class, as recomputed: by Bradley-Terry where items are compared, otherwise by means. */
export interface Ranking extends Pick<NumberRow, "direction" | "ground" | "class"> {
  readonly experiment_id: string;
  readonly dimension: string;
  readonly kind: "bradley_terry" | "mean";
  readonly title: string;
  readonly interval: string;
  /** By rank. The hidden reference is set aside from the first and the next. */
  readonly rows: readonly NumberRow[];
  readonly first: string;
  /** Items with the same rank as the first. */
  readonly tied: readonly string[];
  readonly next: string | null;
  readonly reference: string | null;
  /** Items that `rows` leaves out. */
  readonly more: number;
  /** Why there are other classes; in the first of a dimension. */
  readonly apart: readonly string[];
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

/** One for each dimension and class of items, the largest first. */
export function rankingsOf(id: string, { ofExperiment }: LeaderboardRows): Ranking[] {
  return [...groupsOf(ofExperiment(id), ({ dimension }) => dimension)].flatMap(
    ([dimension, numbers]): Ranking[] => {
      const ofKind = groupsOf(numbers, ({ kind }) => kind);
      const kind = ofKind.has("bradley_terry") ? "bradley_terry" : "mean";
      const ranked = (ofKind.get(kind) ?? []).filter(({ value }) => value !== null);
      const classes = [...groupsOf(ranked, (row) => String(row.class)).values()].toSorted(
        (a, b) => b.length - a.length,
      );
      const several = classes.filter(({ length }) => length > 1);
      const shownClasses = (several.length > 0 ? several : classes).slice(0, pageLimits.classes);
      const left = several.length - pageLimits.classes;
      const unshown = left > 0 ? [`${thousands(left)} of these groups are not shown.`] : [];
      return shownClasses.flatMap((all, i): Ranking[] => {
        const [first, ...others] = all.filter(({ is_reference }) => !is_reference);
        if (first === undefined) return [];
        const tied = others.filter(({ rank }) => rank === first.rank);
        const { shown, more } = firstOf(all, pageLimits.items);
        const { direction, ground, class: own } = first;
        return [
          {
            experiment_id: id,
            dimension,
            kind,
            ...{ direction, ground, class: own },
            title: metricKind(kind).title,
            interval: all.find(({ interval }) => interval !== null)?.interval ?? "",
            rows: shown,
            first: first.item,
            tied: tied.map(({ item }) => item),
            next: others[0]?.item ?? null,
            reference: all.find(({ is_reference }) => is_reference)?.item ?? null,
            more,
            apart: i === 0 ? [...apartNotes(classes), ...unshown] : [],
          },
        ];
      });
    },
  );
}

/** Why items of one dimension are in several classes. */
function apartNotes(classes: readonly (readonly NumberRow[])[]): string[] {
  const namesOf = (rows: readonly NumberRow[]): string[] => rows.map(({ item }) => item);
  const all = classes.flat();
  const components = [...groupsOf(all, ({ component }) => String(component)).values()];
  const single = classes.flatMap((own) => (own.length === 1 ? own : []));
  const named = (says: string, is: (row: NumberRow) => boolean): string | null => {
    const names = namesOf(single.filter(is));
    return names.length === 0 ? null : `${fewOf(names)} ${says} every vote.`;
  };
  const decided = classes.filter(
    ([row, other]) =>
      other !== undefined &&
      classes.some(([one]) => one !== row && one?.component === row?.component),
  );
  return [
    groupsNote(components.map(namesOf).toSorted((a, b) => b.length - a.length)),
    named("won", ({ wins, n }) => wins === n),
    named("lost", ({ wins }) => wins === 0),
    decided.length > 1
      ? `Between these groups one side won every vote: ` +
        `${fewOf(
          decided.map((own) => fewOf(namesOf(own))),
          "; ",
        )}.`
      : null,
  ].filter((note) => note !== null);
}

/** The kinds by which items can be ranked, preferred first. */
const preferredKinds = kinds.toSorted(
  (a, b) => (metricKind(a).ranks ?? Infinity) - (metricKind(b).ranks ?? Infinity),
);

/** The boards of each experiment among `ids`. */
export function boardsOf(
  report: AuditReport,
  leaderboard: LeaderboardRows,
  ids: readonly string[],
): (experiment: string) => readonly Board[] {
  const whole = report.rows.filter(
    (row) => row.source === "" && isKind(row.kind) && ids.includes(row.experiment_id),
  );
  const published = preferredKinds.filter((kind) => whole.some((row) => row.kind === kind));
  const ofExperiment = lookupBy(whole, (row) => row.experiment_id);
  return (id) =>
    [...groupsOf(ofExperiment(id), (row) => row.dimension).values()].flatMap((own) =>
      published
        .map((kind) => ({ kind, all: own.filter((row) => row.kind === kind) }))
        .filter(({ all }) => all.length > 0)
        .map(({ kind, all }) => boardOf(all, kind, leaderboard, orderFor(report, own[0]))),
    );
}

/** @param all the numbers of one kind and dimension, in every place */
function boardOf(
  all: readonly AuditRow[],
  kind: Kind,
  leaderboard: LeaderboardRows,
  order: Pick<Scale, "direction">,
): Board {
  const field = mainField(kind);
  const [[place, own] = ["", []], ...copies] = [...groupsOf(all, (row) => row.published_in)].sort(
    ([a], [b]) => byPlace(a, b),
  );
  const ranked = kind === "stats" ? "mean" : kind;
  const main = own.filter((row) => row.field === field);
  const sorted = sortedFor(main, order, ({ recomputed, published }) => recomputed ?? published);
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
