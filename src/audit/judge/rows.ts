/** Each number with its verdict, but for those that a person leaves out. */
import { byResult, type ComparedNumber, type NumberPair, resultKey } from "../result.js";
import { type Doubts, doubtText } from "../read/doubts.js";
import { judge } from "./judge.js";
import { isPassing, type Verdict } from "./verdict.js";
import type { Contradiction } from "../compare/contradictions.js";
import { fieldsOf, isKind } from "../../metrics/index.js";
import { byText } from "../../platform/index.js";

export interface AuditRow extends NumberPair {
  readonly verdict: Verdict;
  readonly explanation: string | null;
}

function judgedRow(number: ComparedNumber): AuditRow {
  const { verdict, explanation } = judge(number);
  const { experiment_id, experiment_name, kind, dimension, source, published_in } = number;
  const { item, field, published, recomputed, difference, tolerance, numbers } = number;
  const { under_explanation, remaining } = number;
  const row = {
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
    verdict,
    explanation,
    under_explanation,
    remaining,
  };
  return numbers === undefined ? row : { ...row, numbers };
}

const fieldRank = ({ kind, field }: AuditRow): number =>
  isKind(kind) ? fieldsOf(kind).indexOf(field) : 0;

const byNumber = (a: AuditRow, b: AuditRow): number =>
  byResult(a, b) ||
  byText(a.item, b.item) ||
  fieldRank(a) - fieldRank(b) ||
  (a.published ?? 0) - (b.published ?? 0);

export const placeOf = (of: Omit<Contradiction, "published">, published_in: string): string =>
  JSON.stringify([resultKey(of), published_in, of.item, of.field]);

function withContradictions(
  numbers: readonly ComparedNumber[],
  contradictions: readonly Contradiction[],
): readonly ComparedNumber[] {
  if (contradictions.length === 0) return numbers;
  const failing = new Set(
    numbers
      .filter((one) => !isPassing(judge({ ...one, contrary: undefined }).verdict))
      .map((one) => placeOf(one, one.published_in)),
  );
  const contraries = new Map<string, string>();
  for (const { published, ...number } of contradictions) {
    const places = published.map(({ published_in }) => placeOf(number, published_in));
    if (places.some((place) => failing.has(place))) continue;
    const each = published
      .map(({ published_in, value }) => `${value} in ${published_in}`)
      .join(", ");
    for (const place of places) contraries.set(place, `published as ${each}`);
  }
  return numbers.map((one) => {
    const contrary = contraries.get(placeOf(one, one.published_in));
    return contrary === undefined ? one : { ...one, contrary };
  });
}

export function judgeAll(
  numbers: readonly ComparedNumber[],
  contradictions: readonly Contradiction[],
  doubts: Doubts,
  ignore: readonly Ignored[],
): AuditRow[] {
  const kept = numbers.filter(
    (number) =>
      number.item !== "" || number.field === "" || ignoredAs(ignore, number, number.field) === null,
  );
  const doubted = kept.map((number) => {
    const doubt = doubtText(doubts, number);
    return doubt === undefined ? number : { ...number, doubt };
  });
  return withContradictions(doubted, contradictions).map(judgedRow).sort(byNumber);
}

/** An entry of `ignore:`. */
export interface Ignored {
  /** Identifier or name; default: every experiment. */
  readonly experiment?: string;
  /** Default: all. */
  readonly kind?: string;
  /** As the audit names it: `votes`, `options.alpha`; also all within it. */
  readonly field: string;
  readonly reason: string;
}

export function ignoredAs(
  ignore: readonly Ignored[],
  of: { readonly experiment_id: string; readonly experiment_name: string; readonly kind: string },
  field: string,
): Ignored | null {
  const isAbout = (entry: Ignored): boolean =>
    `${field}.`.startsWith(`${entry.field}.`) &&
    [undefined, of.experiment_id, of.experiment_name].includes(entry.experiment) &&
    [undefined, of.kind].includes(entry.kind);
  return ignore.find(isAbout) ?? null;
}
