/** Numbers that name no metric, tried as those of every kind. */
import { resultKey } from "./result-key.js";
import {
  fieldsOf,
  isHalfWidth,
  kinds,
  mainField,
  metricKind,
  type Conventions,
  type Kind,
} from "../metrics/index.js";
import { hasBeside, withBeside } from "./beside.js";
import { atPrecisionOfResult, withCoarse } from "./coarse.js";
import { compareGroup, noValues, type RecomputedValues } from "./compare.js";
import type { Evaluator } from "./evaluate/evaluator.js";
import { ownScenario } from "./evaluate/scenario.js";
import { explain } from "./findings/find-cause.js";
import { isApart } from "./judge.js";
import type { PublishedGroup } from "./published/cells.js";
import { unrounded } from "./published/precision.js";
import type { SearchLimits, Tolerances } from "./settings.js";
import { targetOf } from "./target.js";

export interface NamedKind {
  readonly group: PublishedGroup;
  readonly kind: Kind;
  /** The kinds that give as many numbers as simply, as `kind=mean`. */
  readonly names: readonly string[];
}

interface NamingSettings {
  readonly recomputed: ReadonlyMap<string, RecomputedValues>;
  readonly conventions: Conventions;
  readonly tolerances: Tolerances;
  readonly limits: SearchLimits;
}

/** Gives `null` if no kind gives the numbers. */
export function kindNamer(
  evaluatorOf: (experiment: string) => Promise<Evaluator>,
  { recomputed, conventions, tolerances, limits }: NamingSettings,
): (group: PublishedGroup) => Promise<NamedKind | null> {
  return async (unnamed) => {
    const evaluator = await evaluatorOf(unnamed.experiment_id);
    const fits = kinds.flatMap((kind) =>
      readingsOf(unnamed, kind).flatMap((read) => fitsOf(read, kind, evaluator)),
    );
    const simplest = fits.toSorted((a, b) => b.numbers - a.numbers || a.parts - b.parts);
    const [best, ...others] = simplest;
    if (best === undefined) return null;
    const alike = others.filter(
      ({ numbers, parts }) => numbers === best.numbers && parts === best.parts,
    );
    return {
      group: best.group,
      kind: best.kind,
      names: [best.reading, ...alike.map(({ name }) => name)],
    };
  };

  function fitsOf({ read, reading }: Reading, kind: Kind, evaluator: Evaluator) {
    const sure = recomputed.get(resultKey(read)) ?? noValues;
    const values = hasBeside(read, kind)
      ? withBeside(sure, read, kind, conventions, evaluator)
      : sure;
    const group = atPrecisionOfResult(read, kind, values);
    if (group.cells.length === 0 || values.items.size === 0) return [];
    const compared = withCoarse(compareGroup(group, kind, values, tolerances), group, kind);
    if (compared.some(({ coarse }) => coarse !== undefined)) return [];
    const fit = { group, kind, reading, numbers: group.cells.length };
    if (!compared.some(isApart)) return [{ ...fit, parts: 0, name: reading }];
    const own = ownScenario(conventions, group.dimension, group.source);
    const { explanation, candidate } = explain(
      targetOf(group, kind, tolerances),
      evaluator,
      own,
      limits,
    );
    if (explanation === null) return [];
    const parts = candidate.hypotheses.length;
    return [
      { ...fit, numbers: explanation.reproduced, parts, name: `${reading} ${explanation.name}` },
    ];
  }
}

interface Reading {
  readonly read: PublishedGroup;
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
    { read, reading: `kind=${kind}` },
    ...widths.map((field) => ({
      read: {
        ...read,
        cells: read.cells.map((cell) => ({ ...cell, field })),
        precision: { [field]: read.precision[main] ?? unrounded },
      },
      reading: `kind=${kind} field=${field}`,
    })),
  ];
}

export const noKindFits =
  "the record names no metric, and none of " +
  `${kinds.map((kind) => metricKind(kind).title).join(", ")} gives its numbers`;

/** Whether a result could be of any kind. A board may hold other numbers than metrics. */
export const isUnnamed = ({ kind, problem, isPartial, as }: PublishedGroup): boolean =>
  kind === "" && problem === null && !isPartial && as !== undefined;
