import { explain } from "../../../../src/audit/explain/find-cause.js";
import { hypothesesFor, type Hypothesis } from "../../../../src/audit/recompute/hypotheses.js";
import {
  createCandidates,
  candidateName,
  scenarioUnder,
  search,
  shownIn,
  totalBits,
  type Candidate,
  type SearchResult,
  type SharedConventions,
} from "../../../../src/audit/explain/search.js";
import { isBelieved, weigh } from "../../../../src/audit/explain/weigh.js";
import { maxOutliers } from "../../../../src/audit/compare/target.js";
import { type Table } from "../../../../src/metrics/index.js";
import { own } from "../synthetic-ratings.js";
import type { Trial } from "./bed.js";
import type { Published } from "./world.js";

/** Why nothing can name what was planted; null if the numbers can. */
type Obstacle = "no such number" | "too few" | "rivals";

/** Whether everything that a candidate supposes was planted: as such, or a convention of that name. */
const isPlanted = (names: readonly string[], text: string): boolean =>
  text.split(" ").every((word) => names.includes(word) || names.includes(word.split("=")[0] ?? ""));

/**
 * Whether the published numbers determine what was planted: it gives four of five of those that differ; they carry more
 * than it supposes; and nothing that
 * costs no more gives as many. What was planted is computed here, whether or not the search came to it.
 */
function obstacleTo(trial: Trial, result: SearchResult): Obstacle | null {
  const { target, evaluator, names } = trial;
  const { fit } = result.own;
  const allowed = maxOutliers(fit.misses.length + fit.unpublished.length);
  const missed = (c: Candidate): number => c.fit.misses.length + c.fit.unpublished.length;
  const isTrue = (c: Candidate): boolean => isPlanted(names, candidateName(c));
  const candidates = createCandidates({ target, evaluator, own });
  const built = subsetsOf(namedIn(trial, names)).flatMap((some) => {
    return some.length === 0 ? [] : [candidates.consider(some) as Candidate];
  });
  const [truth] = [...built, ...result.candidates.filter(isTrue)]
    .filter((c) => missed(c) <= allowed)
    .sort((a, b) => totalBits(a) - totalBits(b));
  if (truth === undefined) return "no such number";
  const { evidence, cost, margin } = weigh(result, truth);
  if (evidence < cost + margin || !isBelieved(result, truth)) return "too few";
  const isRival = (c: Candidate): boolean =>
    !isTrue(c) && missed(c) <= missed(truth) && totalBits(c) <= totalBits(truth);
  return result.candidates.some(isRival) ? "rivals" : null;
}

const namedIn = ({ kind, target, evaluator }: Trial, names: readonly string[]): Hypothesis[] =>
  hypothesesFor(
    kind,
    own,
    { ratings: evaluator.ratings, dimension: "", source: "", shown: shownIn(target) },
    target.isRounded,
  ).filter((h) => names.includes(h.name));

function subsetsOf<T extends { readonly axis: string }>(all: readonly T[]): T[][] {
  return all.reduce<T[][]>(
    (found, one) => [
      ...found,
      ...found
        .filter((some) => some.every((o) => o.axis !== one.axis))
        .map((some) => [...some, one]),
    ],
    [[]],
  );
}

/** Whether a table has the numbers as they were before rounding: then it is not another convention. */
function isSame({ items, columns }: Table, published: Published): boolean {
  const all = [...published].flatMap(([item, own]) =>
    Object.entries(own).map(([field, v]) => ({ item, field, v })),
  );
  const isEqual = ({ item, field, v }: (typeof all)[number]): boolean =>
    Math.abs((columns[field]?.[items.indexOf(item)] ?? NaN) - v) <= 1e-9 * Math.max(1, Math.abs(v));
  return all.length > 0 && all.every(isEqual);
}

/** The numbers that a candidate reproduces, as they were before rounding: what it misses is shown as such. */
function reproducedBy({ fit }: Candidate, { target, published }: Trial): Published {
  const found: Published = new Map();
  const missed = new Set(fit.misses);
  target.cells.forEach(({ item, field }, i) => {
    const value = published.get(item)?.[field];
    if (!missed.has(i) && value !== undefined)
      found.set(item, { ...found.get(item), [field]: value });
  });
  return found;
}

export type Outcome = "named" | "in part" | "undetermined" | "missed" | "false" | "honest";

export interface Judged {
  readonly outcome: Outcome;
  readonly says: string;
}

/** The trial as the audit explains it, without intervals that no formula gives; and its search. */
function searched(trial: Trial, shared: SharedConventions | null) {
  const { target: whole, evaluator } = trial;
  const conventions = search({ target: whole, evaluator, own, known: shared });
  const explained = explain(conventions);
  return { trial: { ...trial, target: explained.result.own.of }, ...explained };
}

export function judge(given: Trial, shared: SharedConventions | null = null): Judged {
  const { trial, result, explanation, candidate } = searched(given, shared);
  const { kind, target, evaluator, names } = trial;
  if (explanation === null) {
    const best = result.candidates[0];
    const w = best && weigh(result, best);
    const says =
      best && w
        ? `${candidateName(best)} [${w.evidence.toFixed(1)} - ${w.cost.toFixed(1)} - ${w.margin.toFixed(1)}] missed ${best.fit.misses.length} of ${result.own.fit.misses.length} differing of ${target.cells.length}`
        : "";
    if (trial.origin !== "under a convention") return { outcome: "honest", says };
    const obstacle = obstacleTo(trial, result);
    return {
      outcome: obstacle === null ? "missed" : "undetermined",
      says: `${obstacle ?? ""} ${says}`,
    };
  }
  const { name, rivals, bits } = explanation;
  const of = target.cells.length;
  const reproduced = of - candidate.fit.misses.length;
  const b = `[${bits.evidence.toFixed(0)} - ${bits.cost.toFixed(0)} - ${bits.margin.toFixed(0)}] ${reproduced}/${of}`;
  const says = `${[name, ...rivals].join(" | ")} ${b}`;
  const { hypotheses, scenario } = candidate;
  const tableWith = (others: readonly Hypothesis[]): Table =>
    evaluator.table(kind, { ...scenarioUnder(scenario, others), rounding: "nearest" });
  // What was planted too, but shows in no digit.
  const unseen = namedIn(trial, trial.assumed).filter(({ axis }) =>
    hypotheses.every((h) => h.axis !== axis),
  );
  const explained = reproducedBy(candidate, trial);
  // Of ratings that were really counted so, scored in a way that has no name: what the digits show of that is missed.
  const isRest = isPlanted(trial.assumed, name);
  const isWhole =
    [name, ...rivals].some((text) => isPlanted(names, text)) ||
    [[], unseen].some((others) => isSame(tableWith(others), explained));
  const isNamed = isWhole || isRest;
  if (!isNamed) return { outcome: "false", says };
  return { outcome: reproduced === of && isWhole ? "named" : "in part", says };
}
