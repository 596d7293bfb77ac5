import type { Kind } from "../../../../src/metrics/kinds.js";
import type { Random } from "../../../../src/platform/random.js";
import { avg, grouped, mapped } from "./plain.js";
import {
  countFields,
  isCounted,
  type Numbers,
  type Published,
  type Row,
  type Study,
} from "./world.js";

/** What may go wrong, or which ratings a service may count instead: before scoring (`rows`) or after it (`numbers`). */
export interface Change {
  readonly name: string;
  readonly names: readonly string[];
  readonly rows?: (study: Study, random: Random) => readonly Row[];
  readonly numbers?: (published: Published, kind: Kind, random: Random) => Published;
  /** To the nearest unless it says otherwise. */
  readonly round?: (value: number, decimals: number) => number;
}

const counting = (
  name: string,
  names: readonly string[],
  rows: (all: readonly Row[], study: Study) => readonly Row[],
): Change => ({
  name,
  names,
  rows(study) {
    const own = study.rows.filter((r) => r.dimension !== "other");
    return rows(own, study);
  },
});

/** One slate a dimension, as dimensions are pooled. */
const apart = (rows: readonly Row[]): Row[] =>
  rows.map((r) => (r.dimension === "other" ? { ...r, slate: r.slate + 0.5 } : r));

function oneAnswer(rows: readonly Row[], which: "first" | "last"): Row[] {
  const kept = new Map<string, number>();
  for (const [slate, own] of grouped(rows, (r) => r.slate)) {
    const items = own.map((r) => r.item).sort();
    const key = `${own[0]!.rater}:${items.join()}`;
    if (which === "last" || !kept.has(key)) kept.set(key, slate);
  }
  const left = new Set(kept.values());
  return rows.filter((r) => left.has(r.slate));
}
const withoutFailed =
  (key: (row: Row) => number) =>
  (all: readonly Row[]): Row[] => {
    const bad = new Set(all.filter((r) => r.correct === 0).map(key));
    return all.filter((r) => isCounted(r) && !bad.has(key(r)));
  };

export const populations: readonly Change[] = [
  counting("training too", ["training=include"], (all) => all.filter((r) => r.completed)),
  counting("incomplete too", ["incomplete=include"], (all) => all.filter((r) => !r.training)),
  counting("one job", ["job=job-a"], (all) => all.filter((r) => isCounted(r) && r.job === "job-a")),
  counting("everything", ["training=include", "incomplete=include"], (all) => all),
  counting("training alone", ["training=only"], (all) =>
    all.filter((r) => r.completed && r.training),
  ),
  counting("training too, one job", ["training=include", "job=job-a"], (all) =>
    all.filter((r) => r.completed && r.job === "job-a"),
  ),
  counting("without the first job", ["without_job=job-a", "job=job-b"], (all) =>
    all.filter((r) => isCounted(r) && r.job !== "job-a"),
  ),
  counting("incomplete, last answers", ["incomplete=include", "repeats=last"], (all) =>
    oneAnswer(
      all.filter((r) => !r.training),
      "last",
    ),
  ),
  counting("first answers", ["repeats=first"], (all) => oneAnswer(all.filter(isCounted), "first")),
  counting("last answers", ["repeats=last"], (all) => oneAnswer(all.filter(isCounted), "last")),
  counting(
    "without failed checks",
    ["incorrect=exclude_ratings", "incorrect=exclude_slates"],
    withoutFailed((r) => r.slate),
  ),
  counting(
    "without sessions with a failed check",
    ["incorrect=exclude_sessions"],
    withoutFailed((r) => r.session),
  ),
  counting(
    "without raters with a failed check",
    ["incorrect=exclude_raters"],
    withoutFailed((r) => r.rater),
  ),
  counting("all dimensions", ["dimension=all"], (_, study) =>
    apart(study.rows).filter((r) => r.completed && !r.training),
  ),
  counting("the other dimension", ["dimension=other"], (_, study) =>
    study.rows.filter((r) => r.dimension === "other" && r.completed && !r.training),
  ),
];

const wrong = (
  name: string,
  rows: (counted: readonly Row[], study: Study, random: Random) => readonly Row[],
): Change => ({
  name,
  names: [],
  rows: (study, random) => (study.counted.length === 0 ? [] : rows(study.counted, study, random)),
});
const pick = <T>(all: readonly T[], random: Random): T => all[Math.floor(random() * all.length)]!;
const slatesOf = (rows: readonly Row[]): number[] => [...new Set(rows.map((r) => r.slate))];
const ends = (rows: readonly Row[], at: 0 | -1): ReadonlySet<number> =>
  new Set([...grouped(rows, (r) => r.session).values()].map((own) => own.at(at)!.slate));

export const errors: readonly Change[] = [
  wrong("the second page of slates missing", (rows) => {
    const slates = slatesOf(rows);
    const page = Math.max(2, slates.length >> 3);
    const gone = new Set(slates.slice(page, 2 * page));
    return rows.filter((r) => !gone.has(r.slate));
  }),
  wrong("the first slate of each session missing", (rows) => {
    const gone = ends(rows, 0);
    return rows.filter((r) => !gone.has(r.slate));
  }),
  wrong("the last slate of each session missing", (rows) => {
    const gone = ends(rows, -1);
    return rows.filter((r) => !gone.has(r.slate));
  }),
  wrong("one rater's answers as another's", (rows, _, random) => {
    const [from, to] = [pick(rows, random).rater, pick(rows, random).rater];
    return [
      ...rows.filter((r) => r.rater !== to),
      ...rows
        .filter((r) => r.rater === from)
        .map((r) => ({ ...r, slate: r.slate + 3_000_000, rater: to })),
    ];
  }),
  wrong("raters with one session only", (rows) => {
    const raters = [...grouped(rows, (r) => r.rater).values()];
    return raters.filter((own) => own.every((r) => r.session === own[0]!.session)).flat();
  }),
  wrong("each rater's first session only", (rows) => {
    const first = new Map(rows.toReversed().map((r) => [r.rater, r.session]));
    return rows.filter((r) => first.get(r.rater) === r.session);
  }),
  wrong("an item missing in one job", (rows) =>
    rows.filter((r) => r.item !== "sys-01" || r.job !== "job-a"),
  ),
  wrong("two items exchanged for one rater", (rows, _, random) => {
    const bad = pick(rows, random).rater;
    const swapped = (item: string): string =>
      item === "sys-00" ? "sys-02" : item === "sys-02" ? "sys-00" : item;
    return rows.map((r) => (r.rater === bad ? { ...r, item: swapped(r.item) } : r));
  }),
  wrong("every fifth rating one step higher", (rows, { family }, random) => {
    const top = { pairwise: 1, acr: 5, mushra: 100, approval: 1 }[family];
    return rows.map((r) => (random() < 0.2 ? { ...r, score: Math.min(top, r.score + 1) } : r));
  }),
  wrong("five sessions of another experiment too", (rows, study) => {
    const others = study.another().filter((r) => r.session < 5);
    return [...rows, ...others.map((r) => ({ ...r, slate: r.slate + 4_000_000 }))];
  }),
  wrong("three training slates counted", (rows, { rows: all }) => {
    const training = all.filter((r) => r.training && r.completed && r.dimension !== "other");
    const some = new Set(slatesOf(training).slice(0, 3));
    return [...rows, ...training.filter((r) => some.has(r.slate))];
  }),
  wrong("most of the training counted", (_, { rows: all }) =>
    all.filter(
      (r) =>
        isCounted(r) ||
        (r.training && r.completed && r.dimension !== "other" && r.session % 5 !== 0),
    ),
  ),
  wrong("sessions of the night missing", (rows) => rows.filter((r) => r.session % 24 < 18)),
  wrong("answers by chance of one rater in five", (rows, { family }, random) =>
    rows.map((r) =>
      r.rater % 5 === 2 && family !== "pairwise" ? { ...r, score: pick(rows, random).score } : r,
    ),
  ),
  wrong("the first 100 slates", (rows) => {
    const kept = new Set(slatesOf(rows).slice(0, 100));
    return rows.filter((r) => kept.has(r.slate));
  }),
];

const sorted = (published: Published): [string, Numbers][] =>
  [...published].sort(([a], [b]) => (a < b ? -1 : 1));
interface Place {
  readonly item: number;
  readonly field: string;
  /** The first field that is no count. */
  readonly isFirst: boolean;
  readonly all: readonly number[];
  readonly random: Random;
}
const eachReal = (name: string, change: (value: number, at: Place) => number): Change => ({
  name,
  names: [],
  numbers(published, _, random) {
    const items = sorted(published);
    const first = firstField(published);
    const changed = (own: Numbers, item: number): Numbers =>
      Object.fromEntries(
        Object.entries(own).map(([field, v]) => {
          if (countFields.has(field)) return [field, v];
          const all = items.map(([, numbers]) => numbers[field]!);
          return [field, change(v, { item, field, isFirst: field === first, all, random })];
        }),
      );
    return new Map(items.map(([key, own], item) => [key, changed(own, item)]));
  },
});
const firstField = (published: Published): string => {
  const [own = {}] = published.values();
  return Object.keys(own).find((field) => !countFields.has(field)) ?? "";
};
const isMain = ({ field }: Place): boolean => field === "value" || field === "mean";

/** Lines, which no convention has a name for, and another rounding. */
export const maps: readonly Change[] = [
  eachReal("spread stretched by 1.13", (v, at) =>
    isMain(at) ? avg(at.all) + 1.13 * (v - avg(at.all)) : v,
  ),
  eachReal("all five higher", (v, at) => (isMain(at) ? v + 5 : v)),
  eachReal("0.37 lower", (v, at) => (isMain(at) ? v - 0.37 : v)),
  {
    name: "truncated",
    names: ["rounding=truncate"],
    round: (v, decimals) => Math.trunc(v * 10 ** decimals) / 10 ** decimals,
  },
];

export const slips: readonly Change[] = [
  eachReal("to two significant digits", (v) => Number(v.toPrecision(2))),
  eachReal("to the nearest quarter", (v) => Math.round(4 * v) / 4),
  eachReal("the lower half of the items 3 % lower", (v, { item, all }) =>
    item < all.length / 2 ? 0.97 * v : v,
  ),
  eachReal("a tenth of last week's", (v, { random }) => 0.9 * v + 0.1 * (v + 6 * (random() - 0.5))),
  eachReal("a digit dropped in every third", (v, { item }) =>
    item % 3 === 0 ? Math.trunc(v / 10) : v,
  ),
  eachReal("a drift over the list", (v, { item, all }) => v * (1 + (0.03 * item) / all.length)),
  eachReal("a wave", (v, { item }) => v + 1.5 * Math.sin(2 * item)),
  eachReal("squares", (v) => (v * v) / 100),
  eachReal("logarithms", (v) => 20 * Math.log(1 + Math.abs(v))),
  eachReal("capped", (v, at) => (isMain(at) ? Math.min(v, 70) : v)),
  eachReal("0.4 % noise", (v, { random }) => v * (1 + 0.008 * (random() - 0.5))),
  eachReal("a tenth higher, if odd", (v, { item }) => (item % 2 === 1 ? v + 0.1 : v)),
  eachReal("smoothed over neighbours", (v, { item, isFirst, all }) =>
    isFirst ? avg(all.slice(Math.max(0, item - 1), item + 2)) : v,
  ),
  eachReal("two items averaged", (v, { item, isFirst, all }) =>
    isFirst && item < 2 ? (all[0]! + all[1]!) / 2 : v,
  ),
  {
    name: "the best and the worst exchanged",
    names: [],
    numbers(published) {
      const field = firstField(published);
      const order = sorted(published).sort(([, x], [, y]) => (x[field] ?? 0) - (y[field] ?? 0));
      const low = order[0];
      const high = order.at(-1);
      return mapped(published, (own, item) =>
        item === low?.[0] ? high![1] : item === high?.[0] ? low![1] : own,
      );
    },
  },
  {
    name: "every count a tenth lower",
    names: [],
    numbers: (published) =>
      mapped(published, (own) =>
        Object.fromEntries(
          Object.entries(own).map(([f, v]) => [f, countFields.has(f) ? Math.floor(0.9 * v) : v]),
        ),
      ),
  },
];
