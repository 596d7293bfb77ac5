/** The numbers of a result that do not follow, each in a sentence. */
import { isKind, mainField, metricKind } from "../../metrics/index.js";
import { groupsOf, listed } from "../../platform/index.js";
import type { AuditRow } from "../judge/rows.js";
import { decimalsOf } from "../read/precision.js";

const alwaysNamed = 10;

const namedShare = 0.2;

const mostOfMany = 3;

const decimalsOfUnrounded = 6;

export function namedNumbers(rows: readonly AuditRow[], isExplained: boolean): string[] {
  const wrong = rows.filter(({ verdict }) => verdict === "unexplained");
  const isMain = ({ kind, field }: AuditRow): boolean => isKind(kind) && field === mainField(kind);
  const mains = rows.filter(isMain);
  // Where most do not follow, something else was published.
  const missed = mains.filter(({ verdict }) => verdict === "unexplained").length;
  const isOpen =
    !isExplained && (missed === mains.length || missed > Math.max(1, (mains.length - 1) / 2));
  if (wrong.length === 0 || isOpen) return [];
  const given = (row: AuditRow): number | null =>
    row.under_explanation ?? (isExplained ? null : row.recomputed);
  const offBy = (row: AuditRow): number | null => {
    const value = given(row);
    return row.published === null || value === null ? null : row.published - value;
  };
  const shownDecimals = new Map(
    [...groupsOf(rows, ({ field }) => field)].map(([field, column]) => {
      const all = column.map(({ published }) => decimalsOf(published ?? 0));
      return [field, Math.min(decimalsOfUnrounded, Math.max(...all))];
    }),
  );
  const clauseOf = (row: AuditRow): string => {
    const decimals = shownDecimals.get(row.field) ?? 0;
    const [value, by] = [given(row), offBy(row)];
    if (row.published === null) return "not published";
    const published = `${rounded(row.published, decimals)} published`;
    if (value === null || by === null) return `${published}, no number from the ratings`;
    return `${published}, ${rounded(value, decimals)} recomputed (${signed(by, decimals + 1)})`;
  };
  const placesText = (row: AuditRow): string => {
    const value = given(row);
    const isRanked = isKind(row.kind) && metricKind(row.kind).family === "pairwise";
    if (!isRanked || !isMain(row) || value === null || row.published === null) return "";
    const above = (than: number): number =>
      mains.filter(({ item, published }) => item !== row.item && (published ?? NaN) > than).length;
    const [before, after] = [above(row.published), above(value)];
    return before === after ? "" : `, so ${ordinal(before + 1)} instead of ${ordinal(after + 1)}`;
  };
  const sentenceOf = ([first, ...others]: readonly [AuditRow, ...AuditRow[]]): string => {
    const name = isMain(first) ? first.item : `${first.item}, ${first.field}`;
    const fields = others.map(({ field }) => field);
    const more =
      others.length === 0
        ? ""
        : `; its ${listed(fields)} ${fields.length === 1 ? "does" : "do"} not follow either`;
    return `${name}: ${clauseOf(first)}${placesText(first)}${more}.`;
  };
  const byItem = [...groupsOf(wrong, ({ item }) => item).values()].map((numbers) => {
    const sorted = numbers.toSorted((a, b) => Number(isMain(b)) - Number(isMain(a)));
    return sorted as [AuditRow, ...AuditRow[]];
  });
  if (wrong.length <= Math.max(alwaysNamed, namedShare * rows.length))
    return byItem.map(sentenceOf);
  const size = ([row]: readonly [AuditRow, ...AuditRow[]]): number => Math.abs(offBy(row) ?? 0);
  const most = byItem.toSorted((a, b) => size(b) - size(a)).slice(0, mostOfMany);
  return [
    `${wrong.length} of ${rows.length} numbers do not follow; these differ most:`,
    ...most.map(([row]) => sentenceOf([row])),
  ];
}

const rounded = (value: number, decimals: number): string =>
  String(Number(value.toFixed(decimals)));

export function signed(by: number, decimals: number): string {
  const size = Math.abs(by);
  const text = rounded(size, decimals);
  return `${by < 0 ? "−" : "+"}${Number(text) === 0 ? size.toPrecision(1) : text}`;
}

const ordinals = "first second third fourth fifth sixth seventh eighth ninth tenth".split(" ");

export function ordinal(place: number): string {
  const tens = Math.floor(place / 10) % 10;
  const suffix = tens === 1 ? "th" : (["th", "st", "nd", "rd"][place % 10] ?? "th");
  return ordinals[place - 1] ?? `${place}${suffix}`;
}
