import type { Kind } from "../../../../src/metrics/kinds.js";
import type { Numbers, Published } from "./algorithm.js";
import type { Row, Study } from "./study.js";

/** What may go wrong, or which ratings a service may count instead: before scoring (`rows`) or after it (`numbers`). */
export interface Change {
  readonly name: string;
  /** What the audit may call it; none if it is an error. */
  readonly names: readonly string[];
  /** What the smallest difference may say, as `change unit`. */
  readonly repairs: readonly string[];
  readonly rows?: (study: Study, random: () => number) => readonly Row[];
  readonly numbers?: (published: Published, kind: Kind, random: () => number) => Published;
  /** To the nearest unless it says otherwise. */
  readonly round?: (value: number, decimals: number) => number;
}

const counts = new Set(["n", "wins", "losses", "ties", "approved"]);
const pick = <T>(all: readonly T[], random: () => number): T => all[Math.floor(random() * all.length)] as T;
const sessionsOf = (rows: readonly Row[]): number[] => [...new Set(rows.map((r) => r.session))].sort((a, b) => a - b);
const fresh = (row: Row): Row => ({ ...row, slate: row.slate + 1_000_000 });

const population = (name: string, names: readonly string[], counts: (row: Row) => boolean): Change => ({
  name,
  names,
  repairs: [],
  rows: ({ rows }) => rows.filter(counts),
});
const damaged = (name: string, repairs: readonly string[], rows: NonNullable<Change["rows"]>): Change => ({
  name,
  names: [],
  repairs,
  rows,
});
const onReals = (
  name: string,
  repairs: readonly string[],
  change: (value: number, random: () => number, item: string, first: string) => number,
): Change => ({
  name,
  names: [],
  repairs,
  numbers: (published, _, random) => {
    const first = [...published.keys()].sort()[1] ?? "";
    return new Map(
      [...published].map(([item, own]): [string, Numbers] => [
        item,
        Object.fromEntries(
          Object.entries(own).map(([field, v]) => [field, counts.has(field) ? v : change(v, random, item, first)]),
        ),
      ]),
    );
  },
});
const onCounts = (name: string, by: number): Change => ({
  name,
  names: [],
  repairs: ["shifted item"],
  numbers: (published) =>
    new Map(
      [...published].map(([item, own]): [string, Numbers] => [item, "n" in own ? { ...own, n: own.n + by } : own]),
    ),
});
const mainOnly = (kind: Kind): string => (kind === "stats" ? "mean" : "value");

export const changes: readonly Change[] = [
  population("training too", ["training=include"], (r) => r.completed),
  population("incomplete too", ["incomplete=include"], (r) => !r.training),
  population("one job", ["job=job-a"], (r) => r.completed && !r.training && r.job === "job-a"),
  population("everything", ["training=include", "incomplete=include"], () => true),
  damaged("half of the sessions missing", ["dropped session", "dropped rater"], ({ counted }, random) => {
    const kept = new Set(sessionsOf(counted).filter((_, i) => i === 1 || (i !== 0 && random() < 0.5)));
    return counted.filter((r) => kept.has(r.session));
  }),
  damaged("the last half missing", ["stale session"], ({ counted }) => {
    const all = sessionsOf(counted);
    const end = all[all.length >> 1] as number;
    return counted.filter((r) => r.session < end);
  }),
  damaged("the last session missing", ["stale session", "dropped session"], ({ counted }) => {
    const last = sessionsOf(counted).at(-1);
    return counted.filter((r) => r.session !== last);
  }),
  damaged("one session missing", ["dropped session", "dropped rater"], ({ counted }, random) => {
    const gone = pick(sessionsOf(counted), random);
    return counted.filter((r) => r.session !== gone);
  }),
  damaged("a rater missing", ["dropped rater", "dropped session"], ({ counted }, random) => {
    const gone = pick(counted, random).rater;
    return counted.filter((r) => r.rater !== gone);
  }),
  damaged("a rater counted twice", ["doubled rater", "doubled session"], ({ counted }, random) => {
    const twice = pick(counted, random).rater;
    return [...counted, ...counted.filter((r) => r.rater === twice).map(fresh)];
  }),
  damaged("a session counted twice", ["doubled session", "doubled rater"], ({ counted }, random) => {
    const twice = pick(sessionsOf(counted), random);
    return [...counted, ...counted.filter((r) => r.session === twice).map(fresh)];
  }),
  damaged("three slates missing", ["dropped slate"], ({ counted }, random) => {
    const gone = new Set([pick(counted, random).slate, pick(counted, random).slate, pick(counted, random).slate]);
    return counted.filter((r) => !gone.has(r.slate));
  }),
  damaged("a session reversed", ["flipped session", "flipped rater"], ({ counted, family }, random) => {
    const bad = pick(sessionsOf(counted), random);
    const top = { pairwise: 0, acr: 6, mushra: 100, approval: 1 }[family];
    return counted.map((r) => (r.session === bad ? { ...r, score: top - r.score } : r));
  }),
  damaged("a quarter of the ratings missing", ["dropped slate"], ({ counted }, random) => {
    const gone = new Set([...new Set(counted.map((r) => r.slate))].filter(() => random() < 0.25));
    return counted.filter((r) => !gone.has(r.slate));
  }),
  onReals("2 % jitter", [], (v, random) => v * (1 + 0.02 * (2 * random() - 1))),
  onReals("0.5 % jitter", [], (v, random) => v * (1 + 0.005 * (2 * random() - 1))),
  onReals("one item five higher", ["shifted item", "items item"], (v, _, item, first) => (item === first ? v + 5 : v)),
  onReals("one item 40 higher", ["shifted item", "items item"], (v, _, item, first) => (item === first ? v + 40 : v)),
  onReals("one item 7 % higher", ["scaled item", "items item"], (v, _, item, first) => (item === first ? 1.07 * v : v)),
  onReals("random noise of one", [], (v, random) => v + 2 * random() - 1),
  onCounts("every n one lower", -1),
  onCounts("every n one higher", 1),
  {
    name: "two items swapped",
    names: [],
    repairs: ["exchanged item"],
    numbers: (published) => {
      const [a, b] = [...published.keys()].sort() as [string, string];
      return new Map([...published].map(([item, own]) => [item === a ? b : item === b ? a : item, own]));
    },
  },
  {
    name: "spread stretched by 1.13",
    // The K of an Elo is measured in its scale.
    names: ["scale", "shift", "k"],
    repairs: [],
    numbers: (published, kind) => {
      const field = mainOnly(kind);
      const all = [...published.values()].map((own) => own[field] ?? 0);
      const centre = all.reduce((a, b) => a + b, 0) / all.length;
      return new Map(
        [...published].map(([item, own]) => [
          item,
          field in own ? { ...own, [field]: centre + 1.13 * ((own[field] as number) - centre) } : own,
        ]),
      );
    },
  },
  {
    name: "all five higher",
    names: ["shift", "start", "anchor"],
    repairs: ["shifted item"],
    numbers: (published, kind) =>
      new Map(
        [...published].map(([item, own]) => {
          const field = mainOnly(kind);
          return [item, field in own ? { ...own, [field]: (own[field] as number) + 5 } : own];
        }),
      ),
  },
];
