import type { Numbers, Published } from "../bed/algorithm.js";
import type { Change } from "../bed/corruptions.js";
import type { Row } from "../bed/study.js";
import { isCounted, type HeldOutStudy } from "../held-out/study.js";

/** Errors in the ratings that were counted. */
const wrong = (
  name: string,
  rows: (counted: readonly Row[], study: HeldOutStudy, random: () => number) => readonly Row[],
): Change => ({
  ...{ name, names: [], repairs: [] },
  rows: (study, random) => (study.counted.length === 0 ? [] : rows(study.counted, study as HeldOutStudy, random)),
});
const pick = <T>(all: readonly T[], random: () => number): T => all[Math.floor(random() * all.length)] as T;
const firstIn = (rows: readonly Row[], key: (row: Row) => number, end: "first" | "last"): ((row: Row) => boolean) => {
  const found = new Map<number, number>();
  for (const row of rows) if (end === "last" || !found.has(key(row))) found.set(key(row), row.slate);
  return (row) => found.get(key(row)) === row.slate;
};

export const drawnErrors: readonly Change[] = [
  wrong("the second page of slates missing", (rows) => {
    const slates = [...new Set(rows.map((r) => r.slate))];
    const page = Math.max(2, slates.length >> 3);
    const gone = new Set(slates.slice(page, 2 * page));
    return rows.filter((r) => !gone.has(r.slate));
  }),
  wrong("the first slate of each session missing", (rows) => {
    const isFirst = firstIn(rows, (r) => r.session, "first");
    return rows.filter((r) => !isFirst(r));
  }),
  wrong("the last slate of each session missing", (rows) => {
    const isLast = firstIn(rows, (r) => r.session, "last");
    return rows.filter((r) => !isLast(r));
  }),
  wrong("one rater's answers as another's", (rows, _, random) => {
    const [from, to] = [pick(rows, random).rater, pick(rows, random).rater];
    return [
      ...rows.filter((r) => r.rater !== to),
      ...rows.filter((r) => r.rater === from).map((r) => ({ ...r, slate: r.slate + 3_000_000, rater: to })),
    ];
  }),
  wrong("raters with one session only", (rows) => {
    const sessions = new Map<number, Set<number>>();
    for (const r of rows) sessions.set(r.rater, (sessions.get(r.rater) ?? new Set()).add(r.session));
    return rows.filter((r) => sessions.get(r.rater)?.size === 1);
  }),
  wrong("each rater's first session only", (rows) => {
    const first = new Map<number, number>();
    for (const r of rows) if (!first.has(r.rater)) first.set(r.rater, r.session);
    return rows.filter((r) => first.get(r.rater) === r.session);
  }),
  wrong("an item missing in one job", (rows) => rows.filter((r) => r.item !== "sys-01" || r.job !== "job-a")),
  wrong("two items exchanged for one rater", (rows, _, random) => {
    const bad = pick(rows, random).rater;
    const swapped = (item: string): string => (item === "sys-00" ? "sys-02" : item === "sys-02" ? "sys-00" : item);
    return rows.map((r) => (r.rater === bad ? { ...r, item: swapped(r.item) } : r));
  }),
  wrong("every fifth rating one step higher", (rows, { family }, random) => {
    const top = { pairwise: 1, acr: 5, mushra: 100, approval: 1 }[family];
    return rows.map((r) => (random() < 0.2 ? { ...r, score: Math.min(top, r.score + 1) } : r));
  }),
  wrong("five sessions of another experiment too", (rows, study) => [
    ...rows,
    ...study
      .another()
      .filter((r) => r.session < 5)
      .map((r) => ({ ...r, slate: r.slate + 4_000_000 })),
  ]),
  wrong("three training slates counted", (rows, { rows: all }) => {
    const training = all.filter((r) => r.training && r.completed && r.dimension !== "other");
    const some = new Set([...new Set(training.map((r) => r.slate))].slice(0, 3));
    return [...rows, ...training.filter((r) => some.has(r.slate))];
  }),
  wrong("most of the training counted", (_, { rows: all }) =>
    all.filter((r) => isCounted(r) || (r.training && r.completed && r.dimension !== "other" && r.session % 5 !== 0)),
  ),
  wrong("sessions of the night missing", (rows) => rows.filter((r) => r.session % 24 < 18)),
  wrong("answers by chance of one rater in five", (rows, { family }, random) =>
    rows.map((r) => (r.rater % 5 === 2 && family !== "pairwise" ? { ...r, score: pick(rows, random).score } : r)),
  ),
  wrong("the first 100 slates", (rows) => {
    const kept = new Set([...new Set(rows.map((r) => r.slate))].slice(0, 100));
    return rows.filter((r) => kept.has(r.slate));
  }),
];

const counts = new Set(["n", "wins", "losses", "ties", "approved"]);
type Real = (value: number, at: { item: number; field: string; of: number; random: () => number }) => number;
const slip = (name: string, numbers: NonNullable<Change["numbers"]>): Change => ({
  ...{ name, names: [], repairs: [], numbers },
});
const eachReal = (name: string, change: Real): Change =>
  slip(name, (published, _, random) => {
    const all = sorted(published);
    return new Map(
      all.map(([key, own], item): [string, Numbers] => [
        key,
        Object.fromEntries(
          Object.entries(own).map(([field, v]) => [
            field,
            counts.has(field) ? v : change(v, { item, field, of: all.length, random }),
          ]),
        ),
      ]),
    );
  });
const sorted = (published: Published): [string, Numbers][] => [...published].sort(([a], [b]) => (a < b ? -1 : 1));
const field = (own: Numbers): string => Object.keys(own).find((name) => !counts.has(name)) ?? "";

export const drawnSlips: readonly Change[] = [
  eachReal("to two significant digits", (v) => Number(v.toPrecision(2))),
  eachReal("to the nearest quarter", (v) => Math.round(4 * v) / 4),
  eachReal("the lower half of the items 3 % lower", (v, { item, of }) => (item < of / 2 ? 0.97 * v : v)),
  eachReal("a tenth of last week's", (v, { random }) => 0.9 * v + 0.1 * (v + 6 * (random() - 0.5))),
  eachReal("a digit dropped in every third", (v, { item }) => (item % 3 === 0 ? Math.trunc(v / 10) : v)),
  eachReal("a drift over the list", (v, { item, of }) => v * (1 + (0.03 * item) / of)),
  eachReal("a wave", (v, { item }) => v + 1.5 * Math.sin(2 * item)),
  eachReal("squares", (v) => (v * v) / 100),
  eachReal("logarithms", (v) => 20 * Math.log(1 + Math.abs(v))),
  eachReal("capped", (v, { field: name }) => (name === "value" || name === "mean" ? Math.min(v, 70) : v)),
  eachReal("0.4 % noise", (v, { random }) => v * (1 + 0.008 * (random() - 0.5))),
  eachReal("a tenth higher, if odd", (v, { item }) => (item % 2 === 1 ? v + 0.1 : v)),
  slip("smoothed over neighbours", (published) => {
    const all = sorted(published);
    return new Map(
      all.map(([item, own], i) => {
        const name = field(own);
        const near = [all[i - 1], all[i], all[i + 1]].flatMap((one) => one?.[1][name] ?? []);
        return [item, name === "" ? own : { ...own, [name]: near.reduce((a, b) => a + b, 0) / near.length }];
      }),
    );
  }),
  slip("two items averaged", (published) => {
    const all = sorted(published);
    const name = field(all[0]?.[1] ?? {});
    const mean = ((all[0]?.[1][name] ?? 0) + (all[1]?.[1][name] ?? 0)) / 2;
    return new Map(all.map(([item, own], i) => [item, i < 2 && name !== "" ? { ...own, [name]: mean } : own]));
  }),
  slip("the best and the worst exchanged", (published) => {
    const all = sorted(published);
    const name = field(all[0]?.[1] ?? {});
    const order = all.toSorted(([, x], [, y]) => (x[name] ?? 0) - (y[name] ?? 0));
    const [low, high] = [order[0], order.at(-1)];
    return new Map(
      all.map(([item, own]) => [
        item,
        item === low?.[0] ? (high?.[1] ?? own) : item === high?.[0] ? (low?.[1] ?? own) : own,
      ]),
    );
  }),
  slip(
    "every count a tenth lower",
    (published) =>
      new Map(
        sorted(published).map(([item, own]): [string, Numbers] => [
          item,
          Object.fromEntries(Object.entries(own).map(([f, v]) => [f, counts.has(f) ? Math.floor(0.9 * v) : v])),
        ]),
      ),
  ),
];
