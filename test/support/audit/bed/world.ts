import type { RatingColumns } from "../../../../src/audit/recompute/ratings.js";
import type { Kind } from "../../../../src/metrics/kinds.js";
import { seededRandom, type Random } from "../../../../src/platform/random.js";

export type Family = "pairwise" | "acr" | "mushra" | "approval";

export interface Row {
  readonly session: number;
  readonly rater: number;
  readonly slate: number;
  readonly item: string;
  readonly score: number;
  readonly training: boolean;
  readonly completed: boolean;
  readonly job: string;
  /** "" is the dimension of the published numbers. */
  readonly dimension: string;
  /** 1 or 0 for an attention check that was passed or failed, otherwise -1. */
  readonly correct: number;
}

export interface Shape {
  readonly family: Family;
  readonly items: number;
  readonly sessions: number;
  readonly slates: number;
  /** Which items meet: any, in a ring of neighbours, all against one, or a few far more often than the others. */
  readonly design: "even" | "ring" | "hub" | "crowded";
  /** Share of comparisons without a preference, about. */
  readonly ties: number;
  /** How many sessions a rater has: one each, about the same, or most of them by one rater. */
  readonly load: "single" | "equal" | "unequal";
  readonly jobs: number;
  /** Sessions in order, so that jobs follow each other, or mixed. */
  readonly jobsFollow: boolean;
  readonly training: number;
  readonly incomplete: "none" | "last" | "anywhere";
  /** Share of slates with an attention check, a third of which are failed. */
  readonly checks: number;
  readonly dimensions: number;
  /** From what a rater feels, 0 on average, to a score. */
  readonly scale: (felt: number) => number;
  readonly withCounts: boolean;
  /** The fields of `stats` that are published. */
  readonly fields: readonly string[];
}

export interface Study {
  readonly name: string;
  readonly family: Family;
  readonly shape: Shape;
  readonly rows: readonly Row[];
  /** The ratings that count by default: completed sessions, no training. */
  readonly counted: readonly Row[];
  readonly items: readonly string[];
  readonly ratings: RatingColumns;
  /** The ratings of another experiment with the same items. */
  readonly another: () => readonly Row[];
}

export type Numbers = Record<string, number>;
export type Published = Map<string, Numbers>;

/** Published numbers that are counts: never rounded, scaled or noisy. */
export const countFields: ReadonlySet<string> = new Set([
  "n",
  "wins",
  "losses",
  "ties",
  "approved",
]);

/** A way to compute a kind's numbers. `names`: what the audit may call it; none if no convention has a name for it. */
export interface Algorithm {
  readonly name: string;
  readonly kind: Kind;
  readonly families: readonly Family[];
  readonly names: readonly string[];
  readonly of: (rows: readonly Row[], random: Random) => Published;
}

const graded =
  (low: number, high: number, middle: number, spread: number, step: number) => (felt: number) => {
    const value = Math.min(high, Math.max(low, middle + spread * felt));
    return Number((Math.round(value / step) * step).toFixed(6));
  };

const scales: Record<Family, readonly Shape["scale"][]> = {
  pairwise: [(felt) => felt],
  acr: [
    graded(1, 5, 3, 1, 1),
    graded(1, 5, 4.3, 0.8, 1),
    graded(1, 7, 4, 1.4, 1),
    graded(0, 10, 6, 2, 1),
    graded(1, 5, 3, 1, 0.5),
    graded(1, 5, 2.5, 1, 0.1),
  ],
  mushra: [
    graded(0, 100, 50, 20, 1),
    graded(0, 100, 80, 20, 1),
    graded(0, 100, 50, 20, 5),
    graded(0, 100, 40, 18, 0.1),
  ],
  approval: [
    (felt) => (felt > 0 ? 1 : 0),
    (felt) => (felt > -1.2 ? 1 : 0),
    (felt) => (felt > 0.5 ? 1 : felt > -0.5 ? 0 : -1),
  ],
};

const allFields = [
  "n",
  "mean",
  "std",
  "sem",
  "ci_low",
  "ci_high",
  "min",
  "q1",
  "median",
  "q3",
  "max",
];
const published = [
  allFields,
  ["mean", "ci_low", "ci_high"],
  ["n", "mean", "std"],
  ["median", "q1", "q3"],
  ["mean", "std", "n", "ci_low", "ci_high"],
];

const families: readonly Family[] = ["pairwise", "acr", "pairwise", "mushra", "approval"];

/** 20 seeds in a row have every family with few and many items, small and real-sized, in mixed order. */
function shapeOf(seed: number, random: Random): Shape {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
  const between = (low: number, high: number): number =>
    low + Math.floor(random() * (high - low + 1));
  const at = (13 * seed) % 20;
  const isLarge = (at >> 1) % 2 === 1;
  const family = families[at >> 2]!;
  const items = at % 2 === 1 ? between(10, 22) : between(3, 6);
  const slates = family === "mushra" ? between(2, 5) : isLarge ? between(12, 24) : between(5, 12);
  return {
    family,
    items,
    sessions: isLarge ? between(70, 140) : between(7, 20),
    slates,
    design: pick(["even", "even", "ring", "hub", "crowded"]),
    ties: pick([0, 0.04, 0.12, 0.35]),
    load: pick(["single", "equal", "unequal"]),
    jobs: pick([1, 2, 2, 4]),
    jobsFollow: random() < 0.5,
    training: pick([0, 1, 1, 3]),
    incomplete: pick(["none", "last", "anywhere"]),
    checks: pick([0, 0, 0.08]),
    dimensions: pick([1, 1, 2]),
    scale: pick(scales[family]),
    withCounts: random() < 0.6,
    fields: pick(published),
  };
}

export function studyOf(
  seed: number,
  shape = shapeOf(seed, seededRandom(seed * 7919 + 13)),
): Study {
  const { family, items, sessions, slates } = shape;
  const names = Array.from({ length: items }, (_, i) => `sys-${String(i).padStart(2, "0")}`);
  const rows = rowsOf(shape, names, seed * 104_729 + 7);
  return {
    name: `${family} ${items}x${sessions}x${slates} ${shape.design} ties ${shape.ties} load ${shape.load} #${seed}`,
    family,
    shape,
    rows,
    counted: rows.filter(isCounted),
    items: names,
    ratings: columnsOf(rows),
    another: () => rowsOf(shape, names, seed * 104_729 + 5_000_011).filter(isCounted),
  };
}

export const isCounted = (r: Row): boolean => r.completed && !r.training && r.dimension !== "other";

function rowsOf(shape: Shape, names: readonly string[], seed: number): Row[] {
  const { family, items, sessions, slates, design, load, jobs } = shape;
  const random = seededRandom(seed);
  const normal = (): number =>
    Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const any = (count: number): number => Math.floor(random() * count);
  const quality = names.map(() => normal());
  const raters = Array.from(
    { length: load === "equal" ? Math.max(3, sessions >> 1) : sessions },
    () => ({
      level: 0.5 * normal(),
      spread: 0.5 + random(),
      noise: 0.5 + random(),
    }),
  );
  const raterOf = (session: number): number =>
    load === "single"
      ? session
      : load === "equal"
        ? session % raters.length
        : random() < 0.4
          ? 0
          : session;
  const rows: Row[] = [];
  let slate = 0;
  for (let session = 0; session < sessions; session++) {
    const rater = raterOf(session);
    const completed = {
      none: true,
      last: session < sessions - Math.max(1, sessions >> 4),
      anywhere: random() > 0.12,
    }[shape.incomplete];
    const job = shape.jobsFollow ? Math.floor((session * jobs) / sessions) : any(jobs);
    const own = { session, rater, completed, job: `job-${"abcd"[job]}` };
    const { level, spread, noise } = raters[rater]!;
    const shown = completed ? slates : Math.ceil(slates / 2);
    const order = names.map((_, i) => ({ i, at: random() })).sort((x, y) => x.at - y.at);
    for (let s = 0; s < shown; s++, slate++) {
      const training = s < Math.min(shape.training, shown - 1);
      const isChecked = random() < shape.checks;
      const correct = isChecked ? Number(random() > 0.33) : -1;
      const feel = (item: number): number =>
        quality[item]! * spread + level + noise * normal() + (training ? 0.7 * normal() : 0);
      for (const dimension of shape.dimensions === 2 ? ["", "other"] : [""]) {
        const add = (item: number, score: number): void => {
          rows.push({ ...own, slate, training, dimension, correct, item: names[item]!, score });
        };
        if (family === "pairwise") {
          const [a, b] = pairOf(design, items, random);
          const lead = feel(a) - feel(b);
          const outcome = Math.abs(lead) < 1.8 * shape.ties ? 0 : Math.sign(lead);
          add(a, outcome);
          add(b, -outcome);
        } else if (family === "mushra") {
          const kept =
            design === "crowded" ? order.filter(({ i }) => i < 2 || (i + s) % 2 === 0) : order;
          for (const { i } of kept)
            add(i, i === 0 && random() < 0.8 ? shape.scale(9) : shape.scale(feel(i)));
        } else {
          const item =
            design === "even"
              ? order[s % items]!.i
              : design === "crowded"
                ? crowded(items, random)
                : any(items);
          add(item, shape.scale(feel(item)));
        }
      }
    }
  }
  return rows;
}

const crowded = (items: number, random: Random): number => Math.floor(items * random() ** 1.7);

function pairOf(design: Shape["design"], items: number, random: Random): [number, number] {
  const any = (count: number): number => Math.floor(random() * count);
  const first = design === "hub" ? 0 : design === "crowded" ? crowded(items, random) : any(items);
  const step = design === "ring" ? 1 + any(Math.min(2, items - 1)) : 1 + any(items - 1);
  const second = (first + step) % items;
  return first < second ? [first, second] : [second, first];
}

/** When a session was created: not in the order of the sessions. */
export const createdAt = (session: number): number => (session * 7919) % 1009;

function columnsOf(rows: readonly Row[]): RatingColumns {
  const place = (r: Row): string => `${r.dimension}/${r.item}`;
  const sorted = rows.toSorted(
    (x, y) => x.session - y.session || x.slate - y.slate || (place(x) < place(y) ? -1 : 1),
  );
  const indexed = <T>(of: (row: Row) => T): { names: T[]; column: Int32Array } => {
    const names = [...new Set(sorted.map(of))].sort((a, b) => (a < b ? -1 : 1));
    const at = new Map(names.map((name, i) => [name, i]));
    return { names, column: Int32Array.from(sorted, (row) => at.get(of(row))!) };
  };
  const item = indexed((r) => r.item);
  const dimension = indexed((r) => r.dimension);
  const job = indexed((r) => r.job);
  const rater = indexed((r) => `rater-${String(r.rater).padStart(3, "0")}`);
  const session = indexed((r) => r.session);
  const slate = indexed((r) => r.slate);
  return {
    experiment_id: "made-up",
    score: Float64Array.from(sorted, (r) => r.score),
    stimulus: item.column,
    dimension: dimension.column,
    slate: slate.column,
    session: session.column,
    job: job.column,
    rater: rater.column,
    training: Uint8Array.from(sorted, (r) => Number(r.training)),
    completed: Uint8Array.from(sorted, (r) => Number(r.completed)),
    screened: new Uint8Array(sorted.length),
    correct: Int8Array.from(sorted, (r) => r.correct),
    slateUpdated: Float64Array.from(slate.column),
    stimuli: item.names.map((name) => ({ id: name, name, item: name })),
    dimensions: dimension.names,
    jobs: job.names,
    raters: rater.names,
    sessions: session.names.map((n) => ({ id: `s${n}`, created: createdAt(n) })),
    slateIds: BigInt64Array.from(slate.names, (n) => BigInt(10_000 + n)),
  };
}
