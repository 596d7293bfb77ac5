import type { Alteration, ItemChange } from "../../../src/audit/repair/repair.js";
import type { Kind } from "../../../src/metrics/kinds.js";
import { countFields, type Numbers, type Published, type Row, type Study } from "./bed/world.js";

/** Something done to a study before scoring (`rows`) or to its numbers after it, and what the audit may call it. */
export interface Plant {
  readonly name: string;
  readonly origin: "ratings" | "items" | "no small change" | "another algorithm";
  readonly repairs: readonly (ItemChange | "stale" | Alteration)[];
  readonly rows?: readonly Row[];
  /** The ratings that were left out, repeated, reversed, tied or added. */
  readonly touched?: readonly Row[];
  readonly numbers?: (own: Published, kind: Kind) => Published;
}

/** All plants for one study, with units drawn by `random`. */
export function plantsOf({ counted, rows, family, items }: Study, random: () => number): Plant[] {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const some = <T>(of: (row: Row) => T, count: number): ReadonlySet<T> => {
    const all = [...new Set(counted.map(of))];
    const chosen = new Set<T>();
    while (chosen.size < Math.min(count, all.length - 1)) chosen.add(pick(all));
    return chosen;
  };
  const session = (row: Row): unknown => row.session;
  const rater = (row: Row): unknown => row.rater;
  const slate = (row: Row): unknown => row.slate;
  const among = (of: (row: Row) => unknown, count: number): Row[] => {
    const chosen = some(of, count);
    return counted.filter((row) => chosen.has(of(row)));
  };
  const dropped = (name: string, touched: readonly Row[]): Plant => {
    const gone = new Set(touched);
    const left = counted.filter((row) => !gone.has(row));
    return {
      name: `${name} left out`,
      origin: "ratings",
      repairs: ["dropped", "stale"],
      rows: left,
      touched,
    };
  };
  const doubled = (name: string, touched: readonly Row[]): Plant => {
    const again = touched.map((row) => ({ ...row, slate: row.slate + 1_000_000 }));
    const all = [...counted, ...again].sort(
      (a, b) => a.session - b.session || (a.slate % 1e6) - (b.slate % 1e6),
    );
    return {
      name: `${name} counted twice`,
      origin: "ratings",
      repairs: ["doubled"],
      rows: all,
      touched,
    };
  };
  const answered = (name: string, change: "flipped" | "tied", touched: readonly Row[]): Plant => {
    const odd = new Set(touched.filter((row) => row.score !== 0));
    const factor = change === "flipped" ? -1 : 0;
    const all = counted.map((row) => (odd.has(row) ? { ...row, score: factor * row.score } : row));
    return {
      name: `${name} ${change}`,
      origin: "ratings",
      repairs: [change],
      rows: all,
      touched: [...odd],
    };
  };
  const added = (name: string, touched: readonly Row[]): Plant => {
    const more = new Set(touched);
    const all = rows.filter((row) => (row.completed && !row.training) || more.has(row));
    return {
      name: `${name} counted too`,
      origin: "ratings",
      repairs: ["added"],
      rows: all,
      touched,
    };
  };
  const sessions = [...new Set(counted.map((row) => row.session))].sort((a, b) => a - b);
  const stale = (name: string, count: number): Plant => {
    const end = sessions.at(-count) ?? 0;
    const left = counted.filter((row) => row.session < end);
    const touched = counted.filter((row) => row.session >= end);
    return {
      name: `before the last ${name}`,
      origin: "ratings",
      repairs: ["stale", "dropped"],
      rows: left,
      touched,
    };
  };
  const unfinished = rows.filter((row) => !row.completed && !row.training);
  const trained = rows.filter((row) => row.completed && row.training);
  const oneSession = pick(sessions);
  const [a, b] = [pick(items), pick(items)];
  const other = a === b ? (items.find((item) => item !== a) as string) : b;
  const onReals =
    (of: (value: number, item: string, n: number) => number): NonNullable<Plant["numbers"]> =>
    (own) =>
      new Map(
        [...own].map(([item, numbers]): [string, Numbers] => [
          item,
          Object.fromEntries(
            Object.entries(numbers).map(([f, v]) => [
              f,
              countFields.has(f) ? v : of(v, item, numbers.n ?? 0),
            ]),
          ),
        ]),
      );
  const onMain =
    (of: (value: number, n: number) => number): NonNullable<Plant["numbers"]> =>
    (own, kind) => {
      const main = kind === "stats" ? "mean" : kind === "win_loss" ? "wins" : "value";
      return new Map(
        [...own].map(([item, numbers]) => [
          item,
          main in numbers
            ? { ...numbers, [main]: of(numbers[main] as number, numbers.n ?? 0) }
            : numbers,
        ]),
      );
    };
  const item = (
    name: string,
    repairs: Plant["repairs"],
    numbers: NonNullable<Plant["numbers"]>,
  ): Plant => ({
    ...{ name, origin: "items", repairs, numbers },
  });
  const noise = (name: string, numbers: NonNullable<Plant["numbers"]>): Plant => ({
    ...{ name, origin: "no small change", repairs: [], numbers },
  });
  const isHalf = some(session, Math.floor(sessions.length / 2));
  const isQuarter = some(slate, Math.floor(counted.length / 8));
  return [
    dropped("a session", among(session, 1)),
    dropped("two sessions", among(session, 2)),
    dropped("a rater", among(rater, 1)),
    dropped("two raters", among(rater, 2)),
    dropped("a slate", among(slate, 1)),
    dropped("two slates", among(slate, 2)),
    doubled("a session", among(session, 1)),
    doubled("two sessions", among(session, 2)),
    doubled("a rater", among(rater, 1)),
    doubled("a slate", among(slate, 1)),
    doubled("two slates", among(slate, 2)),
    ...(family !== "pairwise"
      ? []
      : [
          answered("a session", "flipped", among(session, 1)),
          answered("two sessions", "flipped", among(session, 2)),
          answered("a rater", "flipped", among(rater, 1)),
          answered("a slate", "flipped", among(slate, 1)),
          answered("two slates", "flipped", among(slate, 2)),
          answered("a slate", "tied", among(slate, 1)),
          answered("two slates", "tied", among(slate, 2)),
        ]),
    added(
      "an incomplete session",
      unfinished.filter((row) => row.session === unfinished[0]?.session),
    ),
    added(
      "the training of a session",
      trained.filter((row) => row.session === oneSession),
    ),
    added(
      "the training of two sessions",
      trained.filter((row) => row.session <= (sessions[1] ?? 0)),
    ),
    stale("session", 1),
    stale("two sessions", 2),
    stale("half", Math.floor(sessions.length / 2)),
    item("two items swapped", ["exchanged"], (own) => {
      return new Map(
        [...own].map(([of, numbers]) => [of === a ? other : of === other ? a : of, numbers]),
      );
    }),
    item("an item renamed", ["renamed"], (own) => {
      return new Map([...own].map(([of, numbers]) => [of === a ? "sys-new" : of, numbers]));
    }),
    item("an item with another's numbers", ["copied"], (own) => {
      return new Map(
        [...own].map(([of, numbers]) => [of, of === a ? (own.get(other) ?? numbers) : numbers]),
      );
    }),
    item(
      "an item not published",
      ["missing"],
      (own) => new Map([...own].filter(([of]) => of !== a)),
    ),
    noise(
      "an item 1 higher",
      onReals((v, of) => (of === a ? v + 1 : v)),
    ),
    noise(
      "an item 5 % higher",
      onReals((v, of) => (of === a ? 1.05 * v : v)),
    ),
    {
      name: "an item merged",
      origin: "items",
      repairs: ["merged"],
      rows: counted.map((r) => (r.item === a ? { ...r, item: other } : r)),
    },
    noise(
      "2 % jitter",
      onReals((v) => v * (1 + 0.02 * (2 * random() - 1))),
    ),
    noise(
      "0.5 % jitter",
      onReals((v) => v * (1 + 0.005 * (2 * random() - 1))),
    ),
    noise(
      "noise of one",
      onReals((v) => v + 2 * random() - 1),
    ),
    noise(
      "168/167 times",
      onMain((v) => (v * 168) / 167),
    ),
    noise(
      "167/168 times",
      onMain((v) => (v * 167) / 168),
    ),
    noise(
      "n/(n - 1) times",
      onMain((v, n) => (n > 1 ? (v * n) / (n - 1) : v)),
    ),
    noise(
      "n/(n + 1) times",
      onMain((v, n) => (v * n) / (n + 1)),
    ),
    noise(
      "every n one lower",
      (own) => new Map([...own].map(([of, m]) => [of, "n" in m ? { ...m, n: m.n - 1 } : m])),
    ),
    noise(
      "every n one higher",
      (own) => new Map([...own].map(([of, m]) => [of, "n" in m ? { ...m, n: m.n + 1 } : m])),
    ),
    noise(
      "every number 0.3 higher",
      onMain((v) => v + 0.3),
    ),
    {
      name: "half of the sessions",
      origin: "no small change",
      repairs: ["stale", "dropped"],
      rows: counted.filter((r) => isHalf.has(r.session)),
      touched: counted.filter((r) => !isHalf.has(r.session)),
    },
    {
      name: "three quarters of the slates",
      origin: "no small change",
      repairs: [],
      rows: counted.filter((r) => !isQuarter.has(r.slate)),
    },
  ];
}
