import type { Algorithm, Numbers } from "./algorithm.js";
import { algorithms } from "./algorithms.js";
import type { Change } from "./corruptions.js";

/** What was explained falsely, or not at all, by rules that did well on everything else. */
const counts = new Set(["n", "wins", "losses", "ties", "approved"]);

/** The same with the main number of the last item a seventh too high. */
const withOneWrong = (algorithm: Algorithm): Algorithm => ({
  ...algorithm,
  name: `${algorithm.name}, one wrong`,
  of(rows, study, random) {
    const published = algorithm.of(rows, study, random);
    const item = [...published.keys()].sort().at(-1) ?? "";
    const own = published.get(item) ?? {};
    const field = Object.keys(own)[0] ?? "";
    const value = own[field] as number;
    return new Map([...published, [item, { ...own, [field]: value + Math.abs(value) / 7 }]]);
  },
});

const asFractions = (algorithm: Algorithm): Algorithm => ({
  ...algorithm,
  name: `${algorithm.name}, as fractions`,
  names: [...algorithm.names, "scale=fraction"],
  of: (rows, study, random) => eachReal(algorithm.of(rows, study, random), (v) => v / 100),
});

function eachReal(published: ReadonlyMap<string, Numbers>, change: (value: number) => number): Map<string, Numbers> {
  const changed = (own: Numbers): Numbers =>
    Object.fromEntries(Object.entries(own).map(([field, v]) => [field, counts.has(field) ? v : change(v)]));
  return new Map([...published].map(([item, own]) => [item, changed(own)]));
}

const planted = algorithms.filter(({ names, kind }) => names.length > 0 && kind !== "stats");

export const hardAlgorithms: readonly Algorithm[] = [
  ...planted.filter((_, i) => i % 3 === 0).map(withOneWrong),
  ...planted
    .filter(({ names }) => names.includes("denominator=n-1"))
    .filter(({ kind }) => kind !== "mean")
    .map(asFractions),
];

const nearLine = (name: string, change: (value: number, random: () => number) => number): Change => ({
  name,
  names: [],
  repairs: [],
  numbers: (published, _, random) => eachReal(published, (value) => change(value, random)),
});

export const hardChanges: readonly Change[] = [
  nearLine("2 % higher, give or take 0.1 %", (v, random) => v * (1.02 + 0.001 * (2 * random() - 1))),
  nearLine("5 higher, give or take 0.02", (v, random) => v + 5 + 0.02 * (2 * random() - 1)),
  nearLine("slightly bent", (v) => v - (v / 100) ** 2),
  nearLine("to the power of 0.9", (v) => Math.sign(v) * Math.abs(v) ** 0.9),
];
