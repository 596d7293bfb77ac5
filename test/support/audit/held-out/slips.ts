import type { Numbers, Published } from "../bed/algorithm.js";
import type { Change } from "../bed/corruptions.js";

/** Slips after scoring: of names, signs, units, columns, rounding. */
const counts = new Set(["n", "wins", "losses", "ties", "approved"]);
const slip = (name: string, repairs: readonly string[], numbers: NonNullable<Change["numbers"]>): Change => ({
  ...{ name, names: [], repairs, numbers },
});
type Real = (value: number, at: { item: number; field: string; random: () => number; own: Numbers }) => number;
const eachReal = (name: string, repairs: readonly string[], change: Real, names: readonly string[] = []): Change => ({
  ...{ name, names, repairs },
  numbers: (published, _, random) =>
    new Map(
      [...published]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, own], item): [string, Numbers] => [
          key,
          Object.fromEntries(
            Object.entries(own).map(([field, v]) => [
              field,
              counts.has(field) ? v : change(v, { item, field, random, own }),
            ]),
          ),
        ]),
    ),
});
const sorted = (published: Published): [string, Numbers][] => [...published].sort(([a], [b]) => (a < b ? -1 : 1));
const main = (own: Numbers): number => own.value ?? own.mean ?? own.median ?? 0;
const mainAt = (all: readonly [string, Numbers][], i: number): number => main(all[i]?.[1] ?? {});
const moved = (name: string, order: (all: [string, Numbers][], random: () => number) => number[]): Change =>
  slip(name, ["exchanged item", "renamed item", "copied item"], (published, _, random) => {
    const all = sorted(published);
    const from = order(all, random);
    return new Map(all.map(([item], i) => [item, (all[from[i] as number] as [string, Numbers])[1]]));
  });
const indices = (all: readonly unknown[]): number[] => all.map((_, i) => i);
const rounding = (name: string, round: NonNullable<Change["round"]>): Change => ({
  ...{ name, names: [], repairs: [], round },
});
const to =
  (decimals: number, of: (v: number) => number) =>
  (v: number): number =>
    of(v * 10 ** decimals) / 10 ** decimals;

export const heldOutSlips: readonly Change[] = [
  moved("numbers one row further down", (all) => indices(all).map((i) => (i + all.length - 1) % all.length)),
  moved("numbers in order of size", (all) => indices(all).sort((a, b) => mainAt(all, b) - mainAt(all, a))),
  moved("three items in a circle", (all) => indices(all).map((i) => (i < 3 ? (i + 1) % Math.min(3, all.length) : i))),
  moved("the second as the first", (all) => indices(all).map((i) => (i === 1 ? 0 : i))),
  moved("numbers shuffled", (all, random) =>
    indices(all)
      .map((i) => ({ i, at: random() }))
      .sort((x, y) => x.at - y.at)
      .map(({ i }) => i),
  ),
  eachReal("one sign lost", ["shifted item", "scaled item", "items item"], (v, { item }) => (item === 1 ? -v : v)),
  eachReal("one in another unit", ["scaled item", "items item"], (v, { item }) => (item === 1 ? v / 100 : v)),
  eachReal("half of them in another unit", [], (v, { item }) => (item % 2 ? v / 100 : v)),
  eachReal("one digit exchanged", ["shifted item", "items item"], (v, { item }) =>
    item === 1 ? v + 9 * 10 ** Math.floor(Math.log10(Math.abs(v) + 1) - 1) : v,
  ),
  eachReal("every number 2.5 % higher, roughly", [], (v, { random }) => v * (1.025 + 0.002 * random())),
  eachReal("1 % noise", [], (v, { random }) => v * (1 + 0.02 * (random() - 0.5))),
  eachReal("5 % noise", [], (v, { random }) => v * (1 + 0.1 * (random() - 0.5))),
  eachReal("noise of a tenth", [], (v, { random }) => v + 0.2 * (random() - 0.5)),
  eachReal("noise of 20", [], (v, { random }) => v + 40 * (random() - 0.5)),
  eachReal("the best pushed by 3 %", ["scaled item", "items item"], (v, { item }) => (item === 0 ? 1.03 * v : v)),
  eachReal("squeezed at both ends", [], (v) => v - (0.002 * (v - 50) ** 3) / 250),
  eachReal("the first three one higher", ["shifted item"], (v, { item }) => (item < 3 ? v + 1 : v)),
  eachReal("to the nearest five", [], (v) => 5 * Math.round(v / 5)),
  eachReal("as single precision of a tenth too many", [], (v) => Math.fround(v) + 1e-4 * Math.sin(v)),
  eachReal("by the item's number", [], (v, { item }) => v + 0.3 * item),
  eachReal("0.37 lower", [], (v, { field }) => (["value", "mean"].includes(field) ? v - 0.37 : v), [
    "shift",
    "start",
    "anchor",
    "scale",
  ]),
  slip(
    "lower and upper columns exchanged",
    [],
    (published) =>
      new Map(
        sorted(published).map(([item, own]) => [
          item,
          {
            ...own,
            ...("ci_low" in own && { ci_low: own.ci_high as number, ci_high: own.ci_low }),
            ...("q1" in own && { q1: own.q3 as number, q3: own.q1 }),
            ...("wins" in own && { wins: own.losses as number, losses: own.wins }),
          },
        ]),
      ),
  ),
  slip("n of the next item", [], (published) => {
    const all = sorted(published);
    return new Map(
      all.map(([item, own], i) => [item, "n" in own ? { ...own, n: all[(i + 1) % all.length]?.[1].n ?? 0 } : own]),
    );
  }),
  slip(
    "one n too high",
    ["shifted item", "items item"],
    (published) =>
      new Map(
        sorted(published).map(([item, own], i) => [item, "n" in own && i === 0 ? { ...own, n: own.n + 2 } : own]),
      ),
  ),
  rounding("rounded up", (v, d) => to(d, Math.ceil)(v)),
  rounding("half to even", (v, d) =>
    to(d, (x) => (Math.abs(x - Math.trunc(x)) === 0.5 ? 2 * Math.round(x / 2) : Math.round(x)))(v),
  ),
  rounding("rounded twice", (v, d) => to(d, Math.round)(to(d + 1, Math.ceil)(v))),
  rounding("to an even last digit", (v, d) => to(d, (x) => 2 * Math.round(x / 2))(v)),
  rounding("last digit off by one at random", (v, d) =>
    to(d, (x) => Math.round(x) + (Math.floor(x * 7919) % 3) - 1)(v),
  ),
  { ...rounding("truncated", (v, d) => to(d, Math.trunc)(v)), names: ["rounding=truncate"] },
];
