/** Units of published numbers. */
import type { OptionSpelling, UnitChoice, UnitScale } from "./kind.js";
import { numberIn } from "./options.js";

const ln10 = Math.LN10;

/** Factor of log odds, bits, what is published. */
const unitTable = {
  elo: [400 / ln10, 1, "ratings are on the Elo scale, 400 points for odds of 10"],
  natural: [1, 1, "ratings are natural logarithms of odds"],
  log10: [1 / ln10, 3, "ratings are decimal logarithms of odds"],
  log2: [1 / Math.LN2, 3, "ratings are binary logarithms of odds"],
  hundred_logs: [100, 3, "ratings are 100 times natural logarithms of odds"],
  half_log: [1 / 2, 4, "ratings are half log odds (Kousgaard 1984)"],
  decibel: [10 / ln10, 4, "ratings are ten times decimal logarithms of odds"],
  ten_logs: [10, 4, "ratings are 10 times natural logarithms of odds"],
  four_hundred_logs: [400, 4, "ratings are 400 times natural logarithms of odds"],
  thousand_logs: [1000, 4, "ratings are 1,000 times natural logarithms of odds"],
  hundredth_elo: [4 / ln10, 4, "ratings are hundredths of Elo points"],
  half_elo: [200 / ln10, 5, "ratings are on a scale of 200 points for odds of 10"],
  probit: [1 / 1.702, 5, "ratings are log odds over 1.702, as of a normal distribution"],
  logistic_sd: [Math.sqrt(3) / Math.PI, 5, "ratings are in standard deviations of the logistic"],
} as const;

type UnitName = keyof typeof unitTable;

const allUnits = Object.keys(unitTable) as readonly UnitName[];
export const eloUnits: readonly UnitName[] = ["elo", "natural", "log10", "hundredth_elo"];
export const worthUnits = allUnits.filter((name) => name !== "hundredth_elo");

export const unitsOf = (names: readonly UnitName[], own: number): UnitScale[] =>
  multiples(own, Object.fromEntries(names.map((name) => [name, unitTable[name]])));

/** The kind's own unit first, whose factor is `own`. */
export function multiples(
  own: number,
  units: Readonly<Record<string, readonly [number, number, string]>>,
): UnitScale[] {
  const all = Object.entries(units).map(([name, [factor, bits, says]]): UnitScale => ({
    name,
    scale: factor / own,
    bits,
    says,
  }));
  const isOwn = ({ scale }: UnitScale): boolean => Math.abs(scale - 1) < 1e-9;
  const { name, says } = all.find(isOwn) ?? { name: "own", says: "ratings are as computed" };
  return [{ name, says, scale: 1, bits: 0 }, ...all.filter((unit) => !isOwn(unit))];
}

export const scoreUnits = {
  of: () =>
    multiples(1, {
      "100": [100, 3, "numbers are published 100 times as large"],
      "0.01": [0.01, 3, "numbers are published 0.01 times as large"],
    }),
};

/** `elo` or, with its mean, `elo_1000`. */
export const unitOption = (
  units: readonly UnitName[],
  ...names: string[]
): OptionSpelling<{ readonly unit: UnitChoice }> => ({
  axis: "unit",
  names,
  read(value) {
    const [, name = "", level] = /^([a-z\d_]+?)(?:_([+-]?[\d.]+))?$/.exec(String(value)) ?? [];
    return units.some((own) => own === name)
      ? { unit: { name, level: level === undefined ? null : (numberIn(level) ?? null) } }
      : undefined;
  },
});
