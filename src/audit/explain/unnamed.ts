/** Numbers that name no metric, tried as those of every kind. */
import {
  fieldsOf,
  isCount,
  isHalfWidth,
  kinds,
  mainField,
  type Kind,
} from "../../metrics/index.js";
import { compareWith, type Beside, type ComparedWith } from "../compare/compare.js";
import type { EvaluatorOf } from "../recompute/evaluator.js";
import { ownScenario } from "../recompute/scenario.js";
import { search, sizeOf, type SearchLimits } from "./search.js";
import { areMostly } from "../compare/unit.js";
import { explain, fewIn } from "./find-cause.js";
import { isApart } from "../result.js";
import type { PublishedGroup } from "../read/cells.js";
import { unrounded } from "../read/precision.js";

interface NamedKind {
  readonly result: Beside;
  /** The kinds that give as many numbers as simply, as `kind=mean`. */
  readonly names: readonly string[];
}

/** Null if no kind gives the numbers, undefined if too few can be compared. */
export async function nameKind(
  unnamed: PublishedGroup,
  run: ComparedWith & { readonly evaluatorOf: EvaluatorOf; readonly limits: SearchLimits },
): Promise<NamedKind | null | undefined> {
  const tried = [];
  const few: Kind[] = [];
  for (const reading of kinds.flatMap((kind) => readingsOf(unnamed, kind))) {
    const fits = await fitsOf(reading);
    if (fits !== null) tried.push(fits);
  }
  const [best, ...others] = tried.flat().sort((a, b) => b.numbers - a.numbers || a.parts - b.parts);
  if (best === undefined) return tried.length > 0 && few.length === 0 ? null : undefined;
  const { result, numbers, parts, reading } = best;
  const alike = others.filter((one) => one.numbers === numbers && one.parts === parts);
  return { result, names: [reading, ...alike.map(({ name }) => name)] };

  async function fitsOf({ read, kind, reading }: Reading) {
    const result = await compareWith(run, read, kind);
    const { target, values, numbers: compared } = result;
    const others = read.unread.length + read.synonyms.length;
    // Counts are of every kind: beside other numbers they name none.
    const isComparable = compared.some(
      ({ field, published, recomputed }) =>
        published !== null && recomputed !== null && (others === 0 || !isCount(kind, field)),
    );
    const isAgreed = !compared.some(isApart);
    if (!isComparable || compared.some(({ coarse }) => coarse !== undefined)) {
      if (isComparable && isAgreed) few.push(kind);
      return null;
    }
    const { group } = target;
    const fit = { result, reading, numbers: group.cells.length };
    if (isAgreed) return [{ ...fit, parts: 0, name: reading }];
    const own = ownScenario(run.conventions, group.dimension, group.source);
    const evaluator = await run.evaluatorOf(group.experiment_id);
    const searched = search({ target, evaluator, own, limits: run.limits });
    const { explanation, candidate } = explain(searched);
    if (fewIn(searched) !== null) few.push(kind);
    const agreeing = compared.filter((one) => !isApart(one)).length;
    if (explanation === null)
      return areMostly(target, values)
        ? [{ ...fit, numbers: agreeing, parts: 0, name: reading }]
        : [];
    const parts = sizeOf(candidate);
    const numbers = candidate.of.cells.length - candidate.fit.misses.length;
    return [{ ...fit, numbers, parts, name: `${reading} ${explanation.name}` }];
  }
}

interface Reading {
  readonly read: PublishedGroup;
  readonly kind: Kind;
  /** As `kind=mean`, or `kind=mean field=half_width`. */
  readonly reading: string;
}

/** As the kind's main field, or half the widths of intervals. */
function readingsOf(unnamed: PublishedGroup, kind: Kind): Reading[] {
  const read = unnamed.as?.(kind) ?? unnamed;
  const main = mainField(kind);
  const isBare = read.cells.length > 0 && read.cells.every(({ field }) => field === main);
  const widths = isBare ? fieldsOf(kind).filter((field) => isHalfWidth(kind, field)) : [];
  return [
    { read, kind, reading: `kind=${kind}` },
    ...widths.map((field) => ({
      read: {
        ...read,
        cells: read.cells.map((cell) => ({ ...cell, field })),
        precision: { [field]: read.precision[main] ?? unrounded },
      },
      kind,
      reading: `kind=${kind} field=${field}`,
    })),
  ];
}

export const noKindFits = "the record names no metric, and no kind gives its numbers";
export const tooFewToName =
  "the record names no metric, and too few numbers can be compared to tell which";

/** Whether a result could be of any kind. A board may hold other numbers than metrics. */
export const isUnnamed = ({ kind, problem, isPartial, as }: PublishedGroup): boolean =>
  kind === "" && problem === null && !isPartial && as !== undefined;
