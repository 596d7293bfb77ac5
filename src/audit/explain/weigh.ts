/** How much published numbers say for a candidate, and what it has to outweigh, in bits. */
import { hasFreeLevel, isCount, isHalfWidth, mainField, metricKind } from "../../metrics/index.js";
import { cachedBy, groupsOf, keyOf, sumOf } from "../../platform/index.js";
import { type Population, populationKey, selectRatings } from "../recompute/population.js";
import {
  atMost,
  maxBits,
  maxOutliers,
  middlesOf,
  missesOf,
  modelOf,
  noiseOf,
  roomOf,
  rowsOf,
  type Target,
} from "../compare/target.js";
import { type Hypothesis, whatIs } from "../recompute/hypotheses.js";
import { type Candidate, candidateName, refitted, type SearchResult, sizeOf } from "./search.js";
import { accident, isScale, medianOf, stands, sure } from "../compare/unit.js";
import { patched } from "../recompute/scenario.js";
import type { Evaluator } from "../recompute/evaluator.js";
import { rowByItem } from "../result.js";

export interface EvidenceBits {
  readonly evidence: number;
  readonly cost: number;
  readonly margin: number;
}

/** Bits against chance beyond those for the number of candidates: 1 in 4. */
export const chanceBits = 2;

export function weigh(result: SearchResult, candidate: Candidate): EvidenceBits {
  const { hypotheses, unit } = candidate;
  const areKnown = hypotheses.every(isKnownIn(result));
  if (unit !== null && hypotheses.every(isScale))
    return { evidence: Math.max(0, -unit.chance), cost: 0, margin: areKnown ? 0 : -sure };
  const own = besideOf(result, candidate);
  const areShared = hypotheses.every((h) => isShared(result, h));
  const cost = candidate.nameBits + sumOf(missBits(candidate, own));
  const direct = stepFrom(result, candidate, own);
  // Known from other results: these numbers only have to agree.
  const marginOf = ({ choice }: Step): number =>
    areShared ? 0 : chanceBits + (areKnown ? 0 : choice);
  const isEnough = (step: Step): boolean => step.evidence >= cost + marginOf(step);
  const steps =
    isEnough(direct) || areKnown ? [direct] : [direct, ...stepsTo(result, candidate, own)];
  const shown = steps.find(isEnough) ?? direct;
  return { evidence: shown.evidence, cost, margin: marginOf(shown) };
}

interface Step {
  readonly evidence: number;
  readonly choice: number;
}

/** Each part last: an end that follows from a value tells only its formula. */
const stepsTo = (result: SearchResult, candidate: Candidate, own: Candidate): Step[] =>
  partsOf(candidate).map((part) => {
    const rest = withoutPart(result, candidate, part);
    const last = stepFrom(result, candidate, rest);
    const first = stepFrom(result, rest, own);
    return {
      evidence: first.evidence + last.evidence,
      choice: first.choice + chanceBits + last.choice,
    };
  });

const stepFrom = (result: SearchResult, candidate: Candidate, beside: Candidate): Step => ({
  evidence: evidenceBeside(candidate, beside),
  choice: bitsOfChoice(result, candidate, beside),
});

const partsOf = ({ hypotheses }: Candidate): Hypothesis[] => hypotheses.filter((h) => !isScale(h));

const withoutPart = (result: SearchResult, candidate: Candidate, part: Hypothesis): Candidate =>
  result.inUnitOf(
    candidate,
    candidate.hypotheses.filter((h) => h !== part),
  );

const besideOf = (result: SearchResult, candidate: Candidate): Candidate =>
  candidate.unit === null ? result.own : result.inUnitOf(candidate, []);

/**
 * Of a wrong convention's numbers, those that agree: it moves them by a tenth of the sampling
 * error, or by half of what is left without it.
 */
function agreeingByChance(room: number, error: number, left: readonly number[]): number {
  const scatter = 1.4826 * medianOf(left.map(Math.abs));
  return room / (room + Math.max(0.1 * error, 0.5 * scatter));
}

/** Whether the unit of ratings is no accident, nor what agrees in it. */
export function isBelieved(result: SearchResult, candidate: Candidate): boolean {
  const { of, unit, hypotheses } = candidate;
  if (unit === null) return true;
  const isKnown = isKnownIn(result);
  const isUnitKnown = hypotheses.some((h) => isScale(h) && isKnown(h));
  const own = besideOf(result, candidate);
  const { unit: beside } = own;
  const isGained = (): boolean =>
    beside!.off.some((by, i) => Math.abs(by) > unit.room !== Math.abs(unit.off[i]!) > unit.room);
  if (partsOf(candidate).every(isKnown) || beside === null || !isGained())
    return stands(unit, isUnitKnown);
  if (!hasFreeLevel(of.kind)) return isUnitKnown || unit.chance <= sure;
  const errors = samplingErrors(candidate);
  const share = agreeingByChance(unit.room, errors[mainField(of.kind)] ?? 0, beside.off);
  const choice = choiceAmong(result.candidates, candidate, own, new Set([mainField(of.kind)]));
  return stands(unit, isUnitKnown, share, choice);
}

function asSeen(result: SearchResult, candidate: Candidate, of: Target): [SearchResult, Candidate] {
  const whole =
    candidate.unit === null
      ? refitted(candidate, of)
      : result.inUnitOf({ ...candidate, of }, candidate.hypotheses);
  const isEnough = (rest: Candidate): boolean => sizeOf(rest) > 0 && missesOf(rest.fit) === 0;
  const rests = partsOf(whole).map((part) => withoutPart(result, whole, part));
  const [own, ...candidates] = [result.own, ...result.candidates].map((one) => refitted(one, of));
  const all = { ...result, own: own!, candidates };
  return [all, rests.find(isEnough) ?? whole];
}

const fewerDecimals = [6, 5, 4, 3, 2, 1, 0, -1, -2, -3];

/** Of all digits, else of fewer if all numbers follow. @returns null if none show it */
export function shownBits(result: SearchResult, candidate: Candidate): EvidenceBits | null {
  if (!isEachPartShown(result, candidate) || !missesOnlyWrong(candidate)) return null;
  const { of: whole, fit } = candidate;
  const fewer = missesOf(fit) > 0 ? [] : fewerDecimals.flatMap((d) => atMost(whole, d) ?? []);
  for (const of of [whole, ...fewer]) {
    const [all, one] = of === whole ? [result, candidate] : asSeen(result, candidate, of);
    const bits = weigh(all, one);
    if (bits.evidence >= bits.cost + bits.margin && isBelieved(all, one)) return bits;
  }
  return null;
}

const isOther = (candidate: Candidate, beside: Candidate): boolean =>
  populationKey(candidate.scenario.population) !== populationKey(beside.scenario.population);

function evidenceBeside(
  candidate: Candidate,
  beside: Candidate,
  errors: Readonly<Record<string, number>> = {},
): number {
  const { of: target } = candidate;
  const gained = gainedBy(candidate, beside);
  const sds = noiseOf(target, candidate.table());
  const drawn = gained.filter((i) => sds[i]! > 0);
  const carried = carriedBits(
    { of: target, table: beside.table },
    widthsOf(candidate, isOther(candidate, beside)),
    gained.filter((i) => sds[i] === 0),
    supposedBy(beside, candidate),
    errors,
  );
  return carried + drawnBits(candidate, drawn);
}

function gainedBy(candidate: Candidate, beside: Candidate): number[] {
  const { kind, cells } = candidate.of;
  const misses = new Set(candidate.fit.misses);
  const isEvidence = (i: number): boolean =>
    isOther(candidate, beside) || !isCount(kind, cells[i]?.field ?? "");
  return beside.fit.misses.filter((i) => !misses.has(i) && isEvidence(i));
}

function drawnBits({ of: target, table: tableOf }: Candidate, drawn: readonly number[]): number {
  const { cells, halfWidth, kind } = target;
  const table = tableOf();
  const model = modelOf(target, table);
  const centres = middlesOf(target, table);
  const sds = noiseOf(target, table);
  const bits = drawn.map((i) => {
    const half = isHalfWidth(kind, cells[i]!.field) ? model[i]! : model[i]! - centres[i]!;
    return Math.log2(1 + (2 * Math.abs(half)) / (2 * halfWidth[i]! + normalRange * sds[i]!));
  });
  return sumOf(bits);
}

/** Standard errors whose uniform range has the entropy of a normal: √(2πe). */
const normalRange = Math.sqrt(2 * Math.PI * Math.E);

const mapsItems = (one: Hypothesis): boolean => whatIs(one) === "unit" && !isScale(one);

/** Of the project's sum: no more than is beyond the sampling error. A map pays for itself. */
export function bitsForPool(result: SearchResult, candidate: Candidate): number {
  const { evidence, cost } = weigh(result, candidate);
  const { hypotheses } = candidate;
  const beyond = hypotheses
    .filter(mapsItems)
    .reduce(
      (sum, { bits }) => sum + bits,
      evidenceBeside(candidate, besideOf(result, candidate), samplingErrors(candidate)) +
        (hypotheses.some(isScale) ? Math.max(0, -candidate.unit!.chance) : 0),
    );
  const isStated = hypotheses.every((h) => result.stated.includes(h));
  return (isStated ? evidence : Math.min(evidence, beyond)) - (cost - candidate.nameBits);
}

/** Choice among candidates that suppose `beside`, not ruled out by agreement. */
function bitsOfChoice(
  { candidates }: SearchResult,
  candidate: Candidate,
  beside: Candidate,
): number {
  const { of } = candidate;
  const differing = new Set(beside.fit.misses);
  const allowed = maxOutliers(differing.size);
  const isPossible = (c: Candidate): boolean =>
    sizeOf(c) <= sizeOf(candidate) &&
    beside.hypotheses.every(({ name }) => c.hypotheses.some((h) => h.name === name)) &&
    c.fit.misses.filter((i) => !differing.has(i)).length <= allowed;
  const telling = tellingIn(of, gainedBy(candidate, beside)).map((i) => of.cells[i]!.field);
  return choiceAmong(candidates.filter(isPossible), candidate, beside, new Set(telling));
}

/**
 * In bits: those that suppose no more than `candidate`, and differ in what concerns some of
 * `fields`, or anything if there are none.
 */
function choiceAmong(
  candidates: readonly Candidate[],
  candidate: Candidate,
  beside: Candidate,
  fields: ReadonlySet<string>,
): number {
  const bearing = ({ hypotheses }: Candidate): Hypothesis[] =>
    hypotheses.filter(
      (one) =>
        !isScale(one) &&
        (fields.size === 0 || one.fields?.some((field) => fields.has(field)) !== false) &&
        beside.hypotheses.every((h) => h.name !== one.name),
    );
  const most = bearing(candidate).length;
  const names = candidates.flatMap((c) => {
    const parts = bearing(c);
    const isOther = parts.length > 0 || sizeOf(c) === sizeOf(beside);
    return isOther && parts.length <= most ? [candidateName({ hypotheses: parts })] : [];
  });
  return Math.log2(Math.max(1, new Set(names).size));
}

const isRating = ({ unit, of: { kind } }: Candidate): boolean =>
  unit !== null && hasFreeLevel(kind);

/** Else the counts of a true convention would carry a chance one. */
function isEachPartShown(result: SearchResult, candidate: Candidate): boolean {
  if (sizeOf(candidate) < 2) return true;
  return partsOf(candidate).every((part) => {
    if (isKnownIn(result)(part)) return true;
    const rest = withoutPart(result, candidate, part);
    const { evidence, choice } = stepFrom(result, candidate, rest);
    return evidence >= choice && (isRating(candidate) || isNoAccident(candidate, rest, part));
  });
}

/**
 * Where zero is real: whether a wrong part would leave as many of the numbers that it moves. Few
 * numbers never tell a truncation so well: it is weighed alone.
 */
function isNoAccident(candidate: Candidate, rest: Candidate, part: Hypothesis): boolean {
  if (whatIs(part) === "rounding") return true;
  const { kind, cells, halfWidth } = candidate.of;
  const models = [candidate, rest].map(({ of, table }) => modelOf(of, table()));
  const missed = new Set(candidate.fit.misses);
  const errors = samplingErrors(candidate);
  const moved = gainedBy(candidate, rest).map((i) => cells[i]!.field);
  const chances = [...new Set(moved)].flatMap((field) => {
    if (isCount(kind, field)) return [];
    const column = [...cells.keys()].filter(
      (i) => cells[i]!.field === field && models.every((model) => Number.isFinite(model[i])),
    );
    const off = column.map((i) => cells[i]!.published.value - models[1]![i]!);
    const room = medianOf(column.map((i) => halfWidth[i]!));
    const agreeing = column.filter((i) => !missed.has(i)).length;
    const share = agreeingByChance(room, errors[field] ?? 0, off);
    return [column.length === 0 ? 0 : accident({ agreeing, isFree: false, off }, share)];
  });
  return chances.length === 0 || sumOf(chances) <= sure;
}

function missBits(candidate: Candidate, own: Candidate): number[] {
  const { of: target, fit } = candidate;
  const widths = widthsOf(candidate, isOther(candidate, own));
  const models = [own, candidate].map(({ table }) => modelOf(target, table()));
  return fit.misses.map((i) => {
    const { value } = target.cells[i]!.published;
    const off = models.map((model) => bitsWithin(value - model[i]!, widths[i]!));
    return target.itemBits + Math.min(target.bits[i]!, ...off.filter(Number.isFinite));
  });
}

/**
 * False for near misses (below one unit of the last digit, or within twice the room of a stop):
 * another statistic comes that near. Draws are never tried, only given.
 */
export function missesOnlyWrong({ of: target, table: tableOf, fit }: Candidate): boolean {
  const table = tableOf();
  const model = modelOf(target, table);
  const rooms = roomOf(target, table);
  const sds = noiseOf(target, table);
  return fit.misses.every((i) => {
    const off = Math.abs(target.cells[i]!.published.value - model[i]!);
    // Of an item without a number of its own, no distance is near.
    return sds[i]! > 0 || !(off < 2 * (target.halfWidth[i]! + rooms[i]!));
  });
}

const isKnownIn =
  (result: SearchResult) =>
  (one: Hypothesis): boolean =>
    result.stated.includes(one) || isShared(result, one);

export const isShared = (
  { shared }: Pick<SearchResult, "shared">,
  { name }: { readonly name: string },
): boolean => shared?.parts.some((part) => part.name === name) === true;

/** Whether it moves every number by one amount (truncation too) or one factor. */
function supposedBy(own: Candidate, { scenario }: Candidate): Supposed {
  const { rounding, relative, rescaled } = scenario;
  const isMoved = rounding !== own.scenario.rounding || relative?.as === "difference";
  const isMapped = rescaled !== null && rescaled.scale !== own.scenario.rescaled?.scale;
  return {
    shift: isMoved || isMapped,
    factor: isMapped || relative?.as === "percent",
  };
}

interface Supposed {
  readonly shift: boolean;
  readonly factor: boolean;
}

export type UnderScenario = Pick<Candidate, "of" | "evaluator" | "scenario" | "table" | "fit">;

/**
 * The smallest visible difference between two numbers.
 * @param isOther other ratings may count than under the conventions compared with
 */
export function widthsOf(candidate: UnderScenario, isOther: boolean): Float64Array {
  const { of: target, evaluator, scenario } = candidate;
  const { kind, cells, halfWidth } = target;
  const table = candidate.table();
  const rooms = roomOf(target, table);
  const share = table.stopped ? shareOfReach(target, modelOf(target, table), rooms) : 1;
  const grains =
    metricKind(kind).grain?.(evaluator.sample(scenario), scenario.conventions, isOther) ?? {};
  const rows = rowsOf(cells)(table.items);
  const scale = Math.abs(scenario.rescaled?.scale ?? 1);
  return Float64Array.from(cells, ({ field }, i) => {
    const grain = scale * (grains[field]?.[rows[i]!] ?? 0);
    const step = Math.max(grain, 2 * share * rooms[i]!);
    const width = 2 * halfWidth[i]!;
    return Number.isFinite(step) ? Math.max(width, step) : width;
  });
}

/** How early an iteration stopped: the largest share of its reach that a number takes. */
function shareOfReach({ cells, halfWidth }: Target, model: Float64Array, rooms: Float64Array) {
  return model.reduce((most, number, i) => {
    const off = Math.abs(cells[i]!.published.value - number);
    const share = off <= halfWidth[i]! + rooms[i]! ? off / rooms[i]! : 0;
    return rooms[i]! > 0 ? Math.max(most, share) : most;
  }, 0);
}

const halfOf = cachedBy(({ ratings }: Evaluator, population: Population) => {
  const chosen = selectRatings(ratings, population);
  const counted = [...new Set(ratings.session.filter((_, i) => chosen[i] === 1))];
  const first_sessions = counted[Math.ceil(counted.length / 2)];
  return first_sessions === undefined ? { every_second: true as const } : { first_sessions };
});

/** Sampling error by field: the change if half of the sessions (or slates of one) count. */
function samplingErrors({
  of,
  evaluator,
  scenario,
}: UnderScenario): Readonly<Record<string, number>> {
  const { kind } = of;
  const population = halfOf(evaluator, scenario.population);
  const half = evaluator.table(kind, patched(scenario, { population }), false);
  const whole = evaluator.table(kind, scenario, false);
  const at = rowByItem(half.items);
  return Object.fromEntries(
    Object.entries(whole.columns).map(([field, column]) => {
      const other = (item: string): number => half.columns[field]?.[at.get(item) ?? -1] ?? NaN;
      return [field, rootMeanSquare(whole.items.map((item, i) => column[i]! - other(item)))];
    }),
  );
}

export function rootMeanSquare(differences: readonly number[]): number {
  const squares = differences.filter(Number.isFinite).map((d) => d ** 2);
  return squares.length === 0
    ? Infinity
    : Math.sqrt(squares.reduce((a, b) => a + b) / squares.length);
}

interface Gain {
  readonly field: string;
  readonly model: number;
  readonly published: number;
  readonly width: number;
  readonly error: number;
}

/**
 * log2(1 + 2 d / w) of a number at difference d and resolution w; what a field has in common counts
 * once, unless it is supposed. With `errors`, no more than tells statistics of the same ratings.
 */
export function carriedBits(
  { of: target, table }: Pick<UnderScenario, "of" | "table">,
  widths: Float64Array,
  gained: readonly number[],
  supposed: Supposed = { shift: false, factor: false },
  errors: Readonly<Record<string, number>> = {},
): number {
  const model = modelOf(target, table());
  const gains = tellingIn(target, gained).map((i): Gain => {
    const { field, published } = target.cells[i]!;
    const error = errors[field] ?? Infinity;
    return { field, model: model[i]!, published: published.value, width: widths[i]!, error };
  });
  const isKnown = ({ model }: Gain): boolean => Number.isFinite(model);
  const unknown = gains.filter((gain) => !isKnown(gain));
  return (
    gainSum(unknown, ({ published, width }) => bitsWithin(published, width)) +
    sumOf(
      [...groupsOf(gains.filter(isKnown), ({ field }) => field).values()].map((column) =>
        bitsOf(column, supposed),
      ),
    )
  );
}

function tellingIn({ cells, kind }: Target, gained: readonly number[]): number[] {
  const differs = new Set(gained.map((i) => keyOf(cells[i]!.item, cells[i]!.field)));
  const { follows = {} } = metricKind(kind);
  return gained.filter((i) => {
    const { item, field } = cells[i]!;
    return follows[field]?.some((source) => differs.has(keyOf(item, source))) !== true;
  });
}

const bitsWithin = (difference: number, width: number): number =>
  Math.abs(difference) <= width / 2
    ? 0
    : Math.min(maxBits, Math.log2(1 + (2 * Math.abs(difference)) / width));

const gainSum = (gains: readonly Gain[], of: (gain: Gain) => number): number =>
  gains.reduce((sum, gain) => sum + of(gain), 0);

/** The fewest bits: each number by itself, or by what they have in common. */
function bitsOf(gains: readonly Gain[], { shift, factor }: Supposed): number {
  const count = gains.length;
  const most = (of: (gain: Gain) => number): number =>
    gains.reduce((bits, g) => Math.max(bits, bitsWithin(of(g), g.width)), 0);
  const rest = (of: (gain: Gain) => number): number =>
    gainSum(gains, (g) => bitsWithin(of(g), g.width));
  const difference = (g: Gain): number => g.published - g.model;
  /** Bits of an amount or factor that `count` numbers determine to their resolution. */
  const common = most(difference) + Math.log2(count);
  const centre = gainSum(gains, (g) => g.model) / count;
  const mean = gainSum(gains, (g) => g.published) / count;
  const squares = gainSum(gains, (g) => g.model ** 2);
  const ratio = squares > 0 ? gainSum(gains, (g) => g.model * g.published) / squares : 1;
  const square = gainSum(gains, (g) => (g.model - centre) ** 2);
  const slope =
    square > 0 ? gainSum(gains, (g) => (g.model - centre) * (g.published - mean)) / square : 1;
  return Math.min(
    // The chance that a normal error leaves a number within its resolution.
    gainSum(gains, ({ error, width }) => Math.log2(1 + 2 * Math.PI * (error / width) ** 2) / 2),
    rest(difference),
    most(() => mean) + rest((g) => g.published - mean),
    shift ? Infinity : common + rest((g) => difference(g) - (mean - centre)),
    factor ? Infinity : common + rest((g) => g.published - ratio * g.model),
    shift || factor
      ? Infinity
      : 2 * common + rest((g) => g.published - mean - slope * (g.model - centre)),
  );
}
