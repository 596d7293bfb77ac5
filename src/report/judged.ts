/** The list of judged numbers: one for each value, with every place that publishes it. */
import { scaleAmong, sourceText, type AuditReport, type AuditRow } from "../audit/index.js";
import { isKind, mainField, metricKind } from "../metrics/index.js";
import { cachedBy, groupsOf, joinParts, keyOf } from "../platform/index.js";
import { numberText } from "./numbers.js";
import { toneOf } from "./tones.js";

export interface JudgedNumber {
  readonly row: AuditRow;
  readonly places: readonly string[];
  /** What follows from the ratings, in the unit of the published numbers. */
  readonly follows: number | null;
  /** Published less what follows. */
  readonly difference: number | null;
  /** Of the published numbers of its result and field; null: they are not rounded. */
  readonly decimals: number | null;
  readonly isMain: boolean;
}

/** More decimals are those of a number that nobody has rounded. */
const mostRounded = 6;

function sharedDecimals(values: readonly (number | null)[]): number | null {
  const each = values.map((value) => /\.(\d+)$/.exec(String(value ?? 0))?.[1]?.length ?? 0);
  const most = Math.max(0, ...each);
  return most > mostRounded ? null : most;
}

const inAllPlaces = ({ experiment_id, kind, dimension, field }: AuditRow): string =>
  keyOf(experiment_id, kind, dimension, field);

export type JudgedRow = Pick<JudgedNumber, "row">;

export const numberRows = ({ rows }: Pick<AuditReport, "rows">): AuditRow[] =>
  rows.filter(({ item }) => item !== "");

/**
 * An item's number that several places or jobs publish is one. Only of experiments with a number
 * that `is` so: all of a large project would take more memory than its audit.
 */
export const judgedNumbers = cachedBy(
  (report: Pick<AuditReport, "rows">, is: (one: JudgedRow) => boolean): JudgedNumber[] => {
    const each = groupsOf(numberRows(report), ({ experiment_id }) => experiment_id);
    return [...each.values()].flatMap((own) =>
      own.some((row) => is({ row })) ? judgedTogether(own) : [],
    );
  },
);

function judgedTogether(numbers: readonly AuditRow[]): JudgedNumber[] {
  const decimals = new Map(
    [...groupsOf(numbers, inAllPlaces)].map(([key, own]) => [
      key,
      sharedDecimals(own.map(({ published }) => published)),
    ]),
  );
  const alike = groupsOf(numbers, (row) =>
    JSON.stringify({ ...row, source: null, published_in: null }),
  );
  return [...alike.values()].map((same): JudgedNumber => {
    const [row] = same;
    const follows = row.under_explanation ?? row.recomputed;
    const isKnown = row.published !== null && follows !== null;
    return {
      row,
      places: same.map((one) =>
        same.every(({ source }) => source === row.source)
          ? one.published_in
          : joinParts([one.published_in, sourceText(one.source)], " of "),
      ),
      follows,
      difference: isKnown ? row.published - follows : null,
      decimals: decimals.get(inAllPlaces(row)) ?? null,
      isMain: isKind(row.kind) && row.field === mainField(row.kind),
    };
  });
}

export const isFalse = ({ row }: JudgedRow): boolean => toneOf(row.verdict) === "bad";

/** How far a false number is from what follows, in ranges of its result's published numbers. */
export function weightsOf(all: readonly JudgedNumber[]): (of: JudgedNumber) => number {
  const ranges = new Map(
    [...groupsOf(all, ({ row }) => inAllPlaces(row))].map(([key, own]) => {
      const values = own.flatMap(({ row, follows }) => [row.published, follows]);
      const known = values.filter((value) => value !== null);
      return [key, Math.max(...known) - Math.min(...known)];
    }),
  );
  return ({ row, difference }) =>
    difference === null ? Infinity : Math.abs(difference) / (ranges.get(inAllPlaces(row)) || 1);
}

interface RankPair {
  readonly published: number;
  readonly follows: number;
}

/**
 * The rank that a main number is published with, and the one that follows. Null without a known
 * order: of a kind that ranks nothing, without a direction, in several groups, or tied.
 */
export function rankChange(
  { row, isMain, follows }: JudgedNumber,
  all: readonly JudgedNumber[],
  { scales }: Pick<AuditReport, "scales">,
): RankPair | null {
  const scale = scaleAmong(scales, row);
  const isRanked = isKind(row.kind) && metricKind(row.kind).fields[row.field] === "estimate";
  if (!isMain || !isRanked || follows === null || row.published === null) return null;
  if (scale === undefined || scale.direction === null) return null;
  if (scale.groups.length > 0 && metricKind(row.kind).family === "pairwise") return null;
  const others = all.filter(
    (one) =>
      inAllPlaces(one.row) === inAllPlaces(row) &&
      one.row.source === row.source &&
      one.row.published_in === row.published_in &&
      one.row.item !== row.item,
  );
  if (others.some((one) => one.follows === follows)) return null;
  const sign = scale.direction === "lower" ? -1 : 1;
  const rank = (than: number, of: (one: JudgedNumber) => number | null): number =>
    1 + others.filter((one) => sign * (of(one) ?? NaN) > sign * than).length;
  return {
    published: rank(row.published, (one) => one.row.published),
    follows: rank(follows, (one) => one.follows),
  };
}

export const decimalsFor = (difference: number): number =>
  difference === 0
    ? 2
    : Math.min(12, Math.max(0, 1 - Math.floor(Math.log10(Math.abs(difference)))));

interface NumberTexts {
  readonly published: string;
  readonly follows: string;
  readonly difference: string;
}

/**
 * Published with its decimals; what follows and the difference with one more.
 * @param digits decimals of numbers that are not rounded
 */
export function numberTexts(
  published: number | null,
  follows: number | null,
  decimals: number | null,
  digits: number,
): NumberTexts {
  const more = decimals === null ? digits : decimals + 1;
  const text = (value: number | null, own: number): string =>
    value === null ? "–" : numberText(value, own);
  const difference = published === null || follows === null ? null : published - follows;
  const shown = text(difference, more);
  const isZero = difference !== null && !/[1-9]/.test(shown);
  const sign = difference !== null && difference > 0 ? "+" : "";
  return {
    published: text(published, decimals ?? digits),
    follows: text(follows, more),
    difference: isZero ? "0" : sign + shown,
  };
}

export const ownTexts = ({ row, follows, difference, decimals }: JudgedNumber): NumberTexts =>
  numberTexts(row.published, follows, decimals, 1 + decimalsFor(difference ?? 0));
