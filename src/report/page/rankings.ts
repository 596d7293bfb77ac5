/** Who is first in each dimension of an experiment, and how sure that is. */
import { kinds, metricKind, type Kind } from "../../metrics/index.js";
import { firstFew, groupsOf, joinParts, thousands } from "../../platform/index.js";
import type { JudgedNumber } from "../judged.js";
import { titleOfKind } from "../numbers.js";
import { directionAdvice, groupsNote, orderNote } from "../order.js";
import type { NamedText } from "../verdict-sentence.js";
import type { ExperimentData, NumberRow, StandingRow } from "./data.js";

/** As recomputed: by the main published metric, otherwise by Bradley-Terry or means. */
export interface Ranking extends Pick<NumberRow, "direction" | "ground"> {
  readonly dimension: string;
  readonly kind: string;
  /** The main published numbers of each kind that ranks. */
  readonly mains: readonly JudgedNumber[];
  /** The largest class first, then by rank; the hidden reference has none. */
  readonly rows: readonly NumberRow[];
  /** Items with rank 1 and the next ones, without the hidden reference. */
  readonly first: readonly string[];
  readonly second: string;
  readonly reference: string | null;
  readonly groups: readonly (readonly string[])[];
  /** Items with finite differences from each other. */
  readonly classes: readonly (readonly string[])[];
  /** By Bradley-Terry or means; undefined if they compare other items. */
  readonly standing: StandingRow | undefined;
}

export const inLeaderboard = (kind: string): string => (kind === "stats" ? "mean" : kind);

const precedenceOf = (kind: Kind): number => metricKind(kind).ranks ?? Infinity;

export const rankingKinds = kinds
  .filter((kind) => precedenceOf(kind) < Infinity)
  .toSorted((a, b) => precedenceOf(a) - precedenceOf(b));

export function rankingsOf({ leaderboard, numbers, standings }: ExperimentData): Ranking[] {
  return [...groupsOf(leaderboard, ({ dimension }) => dimension)].flatMap(([dimension, own]) => {
    const known = new Set(own.map((row) => row.kind));
    const mains = numbers.filter(
      ({ row, isMain }) =>
        isMain &&
        row.dimension === dimension &&
        row.source === "" &&
        known.has(inLeaderboard(row.kind)),
    );
    const estimate = known.has("bradley_terry") ? "bradley_terry" : "mean";
    const main = rankingKinds.find((kind) => mains.some(({ row }) => row.kind === kind));
    const kind = inLeaderboard(main ?? estimate);
    const ranked = own.filter((row) => row.kind === kind && row.value !== null);
    const classes = [...groupsOf(ranked, (row) => String(row.class)).values()].toSorted(
      (a, b) => b.length - a.length,
    );
    const rows = classes.flat();
    const [any] = rows;
    if (any === undefined) return [];
    const groups = groupsOf(rows, (row) => String(row.component ?? row.class));
    const others = rows.filter(({ is_reference }) => !is_reference);
    const first = others.filter(({ rank }) => rank === others[0]?.rank);
    const compared = own.filter((row) => row.kind === estimate && row.class === any.class);
    const ranking: Ranking = {
      dimension,
      kind,
      mains,
      direction: any.direction,
      ground: any.ground,
      rows,
      first: first.map(({ item }) => item),
      second: others[first.length]?.item ?? "",
      reference: rows.find(({ is_reference }) => is_reference)?.item ?? null,
      groups: [...groups.values()]
        .map((members) => members.map(({ item }) => item))
        .toSorted((a, b) => b.length - a.length),
      classes: classes.map((members) => members.map(({ item }) => item)),
      standing: standings.find(
        (one) =>
          one.dimension === dimension &&
          one.class === any.class &&
          compared.length === classes[0]?.length,
      ),
    };
    return [ranking];
  });
}

interface NoFirst {
  readonly when: (of: Ranking) => boolean;
  readonly cell: (of: Ranking) => string;
  readonly says: (of: Ranking, isOfFiles: boolean) => string;
}

const countedVotes = ({ rows }: Ranking, is: (row: NumberRow) => boolean, says: string): string => {
  const names = rows.filter(is).map(({ item }) => item);
  return names.length === 0 ? "" : `${firstFew(names, 4)} ${says} every vote.`;
};

function decidedGroups({ classes }: Ranking): string {
  const several = classes.filter(({ length }) => length > 1).map((own) => firstFew(own, 4));
  return several.length > 1
    ? `Between these groups one side won every vote: ${several.join("; ")}.`
    : "";
}

/** Why nobody is called first: the first rule that holds. */
const noFirstRules: readonly NoFirst[] = [
  {
    when: ({ groups }) => groups.length > 1,
    cell: ({ groups }) => `not connected: ${groups.length} groups`,
    says: ({ groups }) => groupsNote(groups) ?? "",
  },
  {
    when: ({ classes }) => classes.length > 1,
    cell: () => "no finite ranking",
    says: (of) =>
      joinParts(
        [
          countedVotes(of, ({ wins, n }) => wins !== null && wins === n, "won"),
          countedVotes(of, ({ wins }) => wins === 0, "lost"),
          decidedGroups(of),
        ],
        " ",
      ),
  },
  {
    when: ({ rows, reference }) => rows.length - (reference === null ? 0 : 1) < 2,
    cell: () => "nothing to rank",
    says: ({ rows: [row] }) => `${row?.item ?? ""} is the only item that can be ranked.`,
  },
  {
    when: ({ direction }) => direction === null,
    cell: () => "direction not stated",
    says: (of, isOfFiles) => `${orderNote(of) ?? ""} ${directionAdvice(isOfFiles)}`,
  },
  {
    when: ({ first }) => first.length > 1,
    cell: ({ first }) => `${firstFew(first, 3)}, tied`,
    says: ({ first, rows, kind }) =>
      `${firstFew(first, 4)} are first of ${rows.length} by ${titleOfKind(kind)}, ` +
      "with the same value.",
  },
];

export const noFirstIn = (ranking: Ranking): NoFirst | undefined =>
  noFirstRules.find(({ when }) => when(ranking));

const significance = 0.05;

/** Of the first place; null with a hidden reference, or if it is unknown. */
const sureOf = ({ standing, first: [first], reference }: Ranking): StandingRow | undefined =>
  reference === null && standing?.first_item === first ? standing : undefined;

/** "0.84", never 1.00 or 0.00; null if nothing is known. */
export function probabilityOf(ranking: Ranking, above = ">", below = "<"): string | null {
  const best = sureOf(ranking)?.probability_best ?? null;
  if (best === null) return null;
  return best > 0.99 ? `${above} 0.99` : best < 0.01 ? `${below} 0.01` : best.toFixed(2);
}

export function flipOf({ standing, first: [first] }: Ranking) {
  if (standing === undefined || standing.leaving !== first) return null;
  const { at_most, units, entering } = standing;
  return at_most === null || units === null || entering === null
    ? null
    : { votes: at_most, of: units, entering };
}

export function firstSentences(ranking: Ranking, isOfFiles: boolean): NamedText {
  const none = noFirstIn(ranking);
  const side = ranking.standing?.is_biased === true && ranking.standing.side;
  if (none !== undefined) return [joinParts([none.says(ranking, isOfFiles), side], " ")];
  const { first, rows, reference, kind, second, standing } = ranking;
  const count = rows.length - (reference === null ? 0 : 1);
  const probability = probabilityOf(ranking, "above", "below");
  const p = sureOf(ranking)?.p_first ?? null;
  const flip = flipOf(ranking);
  const estimate = standing?.estimate ?? kind;
  const unit = estimate === "mean" ? "ratings" : "votes";
  const by = estimate === kind ? "" : ` and by ${titleOfKind(estimate)}`;
  const aside = reference === null ? "" : `, without the hidden reference ${reference}`;
  const test =
    p !== null && p >= significance ? `Its lead over ${second} is not significant (Holm, 5 %)` : "";
  const change =
    flip === null
      ? ""
      : `eaving out ${thousands(flip.votes)} of ${thousands(flip.of)} ${unit} would put ` +
        `${flip.entering} first`;
  const sure =
    test !== "" && change !== ""
      ? `${test}: l${change}.`
      : test !== ""
        ? `${test}.`
        : change && `L${change}.`;
  return [
    ...first.map((name) => ({ name })),
    ` is first of ${thousands(count)} by ${titleOfKind(kind)}${aside}` +
      `${probability === null ? "" : `,${by} with probability ${probability}`}. `,
    joinParts([orderNote(ranking), sure, side], " "),
  ];
}
