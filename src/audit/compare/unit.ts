/** The unit of ratings whose zero is a convention: a listed scale, and a level that most share. */
import {
  hasFreeLevel,
  isCount,
  isHalfWidth,
  isOfInterval,
  mainField,
  metricKind,
  quantile,
  type Table,
  type UnitScale,
} from "../../metrics/index.js";
import { cached, groupsOf, sumOf } from "../../platform/index.js";
import type { Evaluator } from "../recompute/evaluator.js";
import {
  isSameScenario,
  patched,
  type Rescaling,
  type Scenario,
  type Rounding,
} from "../recompute/scenario.js";
import { allowance } from "./tolerances.js";
import { centreOf, modelOf, roomOf, type Target } from "./target.js";
import { statedIn, unitScales, whatIs, type Hypothesis } from "../recompute/hypotheses.js";

interface UnitNumbers {
  readonly items: readonly string[];
  readonly published: readonly number[];
  readonly recomputed: readonly number[];
  /** The largest distance at which a number agrees, in the board's unit. */
  readonly room: readonly number[];
  /** More of it, in the kind's own unit. */
  readonly reach: readonly number[];
}

export interface FittedUnit extends Rescaling, Pick<UnitNumbers, "items" | "published"> {
  readonly unit: UnitScale;
  /** Lowest and highest shift at which as many agree. */
  readonly levels: Levels;
  readonly isFree: boolean;
  /** Published less recomputed, in the board's unit. */
  readonly off: readonly number[];
  readonly agreeing: number;
  /** The smallest difference that is none of rounding; infinite if all agree. */
  readonly gap: number;
  readonly room: number;
  /** To name the scale, and the numbers that do not agree. */
  readonly bits: number;
  /** log2 of the chance that as many agree in some unit by accident. */
  readonly chance: number;
}

type Levels = readonly [number, number];

/** log2 of a chance below which nothing is taken for an accident. */
export const sure = -13.3;

/** Units of the last decimal between the lowest and the highest number. */
const fewestSteps = 25;

const edge = 1 + 1e-6;

const isOwn = ({ scale, shift }: Rescaling): boolean => scale === 1 && shift === 0;

function fitUnit(
  { items, published, recomputed, room, reach }: UnitNumbers,
  units: readonly UnitScale[],
  level: ((scale: number) => number) | null,
): FittedUnit {
  const n = published.length;
  const fits = units.flatMap((unit) => {
    const { scale } = unit;
    const rooms = room.map((width, i) => edge * (width + scale * reach[i]!));
    const half = medianOf(rooms);
    const rest = published.map((y, i) => y - scale * recomputed[i]!);
    const stated = level?.(scale);
    const best: Levels = stated === undefined ? levelsOf(rest, rooms) : [stated, stated];
    // The run's own unit, if it does as well.
    const tried: Levels[] = scale === 1 && level === null ? [[0, 0], best] : [best];
    return tried.map((levels) => {
      const shift = (levels[0] + levels[1]) / 2;
      const off = rest.map((by) => by - shift);
      const missed = off.map(Math.abs).filter((by, i) => !(by <= rooms[i]!));
      return {
        ...{ unit, scale, shift, levels, items, published, off, room: half },
        isFree: level === null && !isOwn({ scale, shift }),
        agreeing: n - missed.length,
        gap: Math.min(...missed),
        bits: sumOf([
          unit.bits,
          ...missed.map((by) => Math.log2(n) + 1 + 2 * Math.log2(1 + by / (2 * half))),
        ]),
      };
    });
  });
  const best = fits.reduce((a, b) => (b.bits < a.bits ? b : a));
  const middle = medianOf(published);
  const spread = 2.5 * 1.4826 * medianOf(published.map((y) => Math.abs(y - middle)));
  // Rounded or truncated.
  const scales = isOwn(best) ? 0 : Math.log2(2 * units.length);
  const step = 2 * best.room;
  // Over so few values, another rule agrees in some scale.
  const isCoarse = Math.max(...published) - Math.min(...published) < fewestSteps * step;
  const isTelling = !isCoarse || level !== null || best.scale === 1 || units.length === 1;
  return { ...best, chance: isTelling ? scales + accident(best, step / spread) : 0 };
}

/** log2 of the chance that as many agree, each at chance `p`; a free level takes one of them. */
export const accident = (
  { agreeing, isFree, off: { length: n } }: Pick<FittedUnit, "agreeing" | "isFree" | "off">,
  p: number,
): number => (isFree ? Math.log2(n) + log2Tail(n - 1, p, agreeing - 1) : log2Tail(n, p, agreeing));

/** The levels at which most numbers agree, nearest to the median. */
function levelsOf(rest: readonly number[], rooms: readonly number[], within?: Levels): Levels {
  const [least, highest] = within ?? [-Infinity, Infinity];
  const starts = rest.map((by, i) => Math.max(least, by - rooms[i]!)).sort((a, b) => a - b);
  const ends = rest.map((by, i) => Math.min(highest, by + rooms[i]!)).sort((a, b) => a - b);
  const middle = medianOf(rest);
  const distance = ([low, high]: Levels): number => Math.abs((low + high) / 2 - middle);
  let [best, most, passed]: [Levels, number, number] = [[middle, middle], 0, 0];
  for (const [i, start] of starts.entries()) {
    while (ends[passed]! < start) passed++;
    const agreeing = i + 1 - passed;
    const levels: Levels = [start, ends[passed]!];
    if (agreeing > most || (agreeing === most && distance(levels) < distance(best)))
      [best, most] = [levels, agreeing];
  }
  return best;
}

export const medianOf = (values: readonly number[]): number =>
  quantile(Float64Array.from(values).sort(), 0.5);

function log2Tail(n: number, p: number, least: number): number {
  if (least <= 0 || !(p < 1)) return 0;
  const chances = Array.from({ length: n + 1 - least }, (_, i) => {
    const k = least + i;
    return log2Choose(n, k) + k * Math.log2(p) + (n - k) * Math.log2(1 - p);
  });
  const most = Math.max(...chances);
  return most === -Infinity ? most : most + Math.log2(sumOf(chances.map((c) => 2 ** (c - most))));
}

/** Whether all follow, as far as so few numbers tell. */
export const isTooFew = (unit: FittedUnit): boolean =>
  unit.gap === Infinity && !isOwn(unit) && unit.chance > sure;

/**
 * Whether what agrees is right, and what does not is wrong: in a unit that is no accident, few of
 * them, not near, and not as the end of a scatter.
 * @param share of a wrong convention's numbers that agree
 * @param choice log2 of the candidates
 */
export function stands(unit: FittedUnit, isKnown: boolean, share = 0, choice = 0): boolean {
  const { off, agreeing, gap, room, chance } = unit;
  const isMost = off.length - agreeing > Math.max(1, (off.length - 1) / 2);
  if (isMost || gap <= 2 * room || (!isKnown && !isOwn(unit) && chance > sure)) return false;
  return choice + accident(unit, Math.max(share, room / gap)) <= sure;
}

/** Whether most numbers are those of a table: the others are wrong, and not its kind. */
export function areMostly(target: Target, table: Table): boolean {
  const numbers = valuesIn(target, table, "nearest");
  if (numbers.published.length === 0) return false;
  const asIs = fitUnit(numbers, [{ name: "", scale: 1, bits: 0, says: "" }], () => 0);
  return asIs.chance <= sure && stands(asIs, true);
}

function valuesIn(target: Target, table: Table, rounding: Rounding) {
  const { kind, cells, halfWidth, tolerances } = target;
  const model = modelOf(target, table);
  const reach = roomOf(target, table);
  const used = [...cells.entries()].filter(
    ([i, { field }]) => field === mainField(kind) && Number.isFinite(model[i]),
  );
  return {
    items: used.map(([, { item }]) => item),
    published: used.map(([i, cell]) => centreOf(target, cell, rounding, model[i]!)),
    recomputed: used.map(([i]) => model[i]!),
    room: used.map(
      ([i, { field }]) => halfWidth[i]! + allowance(tolerances, kind, field, model[i]!),
    ),
    reach: used.map(([i]) => reach[i]!),
  };
}

export const isScale = ({ set }: Hypothesis): boolean => set.unit !== undefined;

const statedOf = cached(({ kind, group }: Target) => statedIn(kind, group.options));

interface InUnit {
  /** Null for a kind's own unit where zero is real, and for other forms of its numbers. */
  readonly unit: FittedUnit | null;
  readonly scenario: Scenario;
}

/** Null: as computed, where zero is real. */
type ShownAs = Pick<FittedUnit, "unit"> | null;

export function inUnit(
  target: Target,
  evaluator: Pick<Evaluator, "table">,
  scenario: Scenario,
  supposed: readonly Hypothesis[],
  { as, withEnds = target.hasEnds }: { as?: ShownAs; withEnds?: boolean } = {},
): InUnit {
  const { kind } = target;
  const { units } = metricKind(kind);
  if (units === undefined) return { unit: null, scenario };
  const isFree = hasFreeLevel(kind);
  if (!isFree && (scenario.relative !== null || scenario.rescaled !== null))
    return { unit: null, scenario };
  const bare = { ...scenario, relative: null, rescaled: null };
  const { conventions, rounding, unit: stated } = bare;
  const table = evaluator.table(kind, bare, withEnds);
  const numbers = valuesIn(target, table, rounding);
  if (
    supposed.some((h) => h.set.form !== undefined && whatIs(h) === "unit" && !isScale(h)) ||
    numbers.published.length === 0
  )
    return { unit: null, scenario: bare };
  const isSame = ({ set }: Hypothesis): boolean => isSameScenario(patched(bare, set), bare);
  const known = [...supposed, ...statedOf(target).filter(isSame)];
  const isLevelStated = isFree && known.some(({ axis }) => axis === units.level);
  const isScaleStated = known.some((h) => whatIs(h) === "unit" && h.set.conventions !== undefined);
  const all = units.of(conventions);
  const scales =
    stated !== null
      ? all.filter(({ name }) => name === stated.name)
      : as
        ? [as.unit]
        : all.slice(0, isScaleStated || isLevelStated || (as === null && !isFree) ? 1 : all.length);
  const { level = null, item = isFree ? heldIn(target) : undefined } = stated ?? {};
  const held = table.columns[mainField(kind)]?.[table.items.indexOf(item ?? "")];
  const centre = held ?? sumOf(numbers.recomputed) / numbers.recomputed.length;
  const fixed = level === null ? null : (scale: number) => level - scale * centre;
  const unit = fitUnit(numbers, scales, isLevelStated || !isFree ? () => 0 : fixed);
  if (isOwn(unit)) return { unit: isFree ? unit : null, scenario: bare };
  const shift = levelOfEnds(target, table, unit);
  const relative =
    item === undefined || held === undefined
      ? null
      : ({ to: item, as: "difference", shown: held } as const);
  return { unit, scenario: { ...bare, relative, rescaled: { scale: unit.scale, shift } } };
}

/** Of the levels at which as many values agree, that at which most ends do. */
function levelOfEnds(target: Target, table: Table, { scale, shift, levels }: FittedUnit): number {
  const { kind, cells, halfWidth } = target;
  const model = modelOf(target, table);
  const ends = cells.flatMap(({ field, published: { value, about } }, i) => {
    const rest = value - scale * model[i]!;
    const room = halfWidth[i]!;
    const isEnd = about === undefined && isOfInterval(kind, field) && !isHalfWidth(kind, field);
    return isEnd && rest + room >= levels[0] && rest - room <= levels[1] ? [{ rest, room }] : [];
  });
  const [rests, rooms] = [ends.map(({ rest }) => rest), ends.map(({ room }) => room)];
  const [low, high] = ends.length === 0 ? [shift, shift] : levelsOf(rests, rooms, levels);
  return (low + high) / 2;
}

const heldIn = cached(({ kind, cells }: Target): string | undefined => {
  const numbers = cells.filter(({ field }) => !isCount(kind, field));
  const held = [...groupsOf(numbers, ({ item }) => item).values()].filter(
    (some) => some.length > 2 && new Set(some.map(({ published }) => published.value)).size === 1,
  );
  return held.length === 1 ? held[0]![0].item : undefined;
});

/** The run's own conventions: another level is none, unless options state it. */
export function ownInUnit(
  target: Target,
  evaluator: Pick<Evaluator, "table">,
  own: Scenario,
): InUnit {
  const { units } = metricKind(target.kind);
  if (units === undefined) return { unit: null, scenario: own };
  const isStated = statedOf(target).some(
    (h) => h.axis === units.level || (whatIs(h) === "unit" && h.set.conventions === undefined),
  );
  const as = { unit: units.of(own.conventions)[0]! };
  const { unit, scenario } = inUnit(target, evaluator, own, [], { as });
  const isShown = unit !== null && !isStated && (stands(unit, false) || isTooFew(unit));
  return isShown ? { unit, scenario } : { unit: null, scenario: own };
}

/** None for another level alone, unless `isOpen`: of the run's own, and not sure. */
export const unitHypotheses = (
  target: Target,
  unit: FittedUnit | null,
  isOpen: boolean,
): readonly Hypothesis[] =>
  unit === null || isOwn(unit) || (unit.scale === 1 && !isOpen)
    ? []
    : unitScales
        .filter((h) => h.kinds.includes(target.kind) && h.set.unit!.name === unit.unit.name)
        .map(({ says, ...h }) => ({
          ...{ ...h, bits: unit.unit.bits },
          says: hasFreeLevel(target.kind) ? `${says}, ${levelText(unit)}` : says,
        }));

/** A board that holds an item holds it at one of these. */
const heldLevels = [0, 100, 800, 1000, 1114, 1200, 1400, 1500, 2000];

/** How a person would state the level; it decides nothing. */
function levelText({ items, published, off, room }: FittedUnit): string {
  const shown = items.map((item, i) => ({ item, value: published[i]! - off[i]! }));
  const mean = sumOf(shown.map(({ value }) => value)) / shown.length;
  const round = 50 * Math.round(mean / 50);
  if (Math.abs(mean - round) <= room) return `with a mean of ${round}`;
  const held = shown.flatMap(({ item, value }) =>
    heldLevels.filter((l) => Math.abs(value - l) <= room).map((l) => `with ${item} at ${l}`),
  );
  return held[0] ?? `with a mean of ${Number(mean.toFixed(1))}`;
}

export function log2Choose(n: number, k: number): number {
  let bits = 0;
  for (let i = 0; i < k; i++) bits += Math.log2((n - i) / (i + 1));
  return bits;
}
