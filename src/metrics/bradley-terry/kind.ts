import { withValues } from "../forms.js";
import { defineKind, type Patch, type Table } from "../kind.js";
import { axis } from "../options.js";
import { comparisonsOfItems, winsWithHalfTies, type PairCounts } from "../pair-counts.js";
import type { Sample } from "../sample.js";
import { likelihoodClasses, membersOf, restrict } from "./classes.js";
import { bradleyTerrySchema, fitWorths, type BradleyTerryConvention, type TieModel } from "./model.js";

const set = (own: Partial<BradleyTerryConvention>): Patch<{ bradley_terry: BradleyTerryConvention }> => ({
  conventions: { bradley_terry: own },
});

const tieRules = axis("ties", (ties) => set({ ties }), {
  half: [3, "a tie is half a win for each"],
  davidson: [4, "ties have a parameter of their own (Davidson 1970)"],
  generalised_davidson: [5, "ties have two parameters of their own (Firth's generalisation of Davidson 1970)"],
});

const withoutTies = {
  axis: "ties",
  value: "exclude",
  bits: 3,
  says: "ties are left out",
  set: { form: "without_ties" },
} as const;

const statedTies = {
  axis: "ties",
  names: ["ties", "tie_model"],
  read: (value: unknown) => (value === "exclude" ? withoutTies.set : tieRules.option().read(value)),
};

const levels = [0, 1000, 1200, 1500, 2000] as const;

/** Log worths on the Elo scale, around each usual level. */
const onEloScale = Object.fromEntries(
  levels.map((level) => [`elo_${level}`, (table: Table) => mapped(table, (log) => level + (400 * log) / Math.LN10)]),
);

const units = axis("unit", (form) => ({ form }), {
  worth_sum: [3, "worths that sum to 1 are published"],
  worth_mean: [3, "worths with a geometric mean of 1 are published"],
  half_log: [4, "half log worths are published, whose difference is half the log odds (Kousgaard 1984)"],
  ...Object.fromEntries(
    levels.map((level) => [`elo_${level}`, [3, `ratings on the Elo scale are published, with a mean of ${level}`]]),
  ),
});

export const bradleyTerryKind = defineKind({
  name: "bradley_terry",
  title: "Bradley-Terry",
  model: "metric_bradley_terry",
  family: "pairwise",
  fields: { value: "estimate", wins: "count", n: "count" },
  direction: "higher",
  definition: "P(i beats j) = λ_{i} / (λ_{i} + λ_{j}); the log worth ln λ_{i} of highest likelihood, with a mean of 0",
  source: "Bradley and Terry, Rank analysis of incomplete block designs, Biometrika 39 (1952)",
  isIterative: true,
  canBeRelative: true,
  conventions: { bradley_terry: bradleyTerrySchema },
  defaults: { bradley_terry: { ties: "half", rater_samples: 200, seed: 1 } },
  decidedBy: ({ bradley_terry: { ties } }) => ({ ties }),
  evaluate(sample, { bradley_terry: { ties } }) {
    const { items, counts } = sample.pairs();
    return tableOf(items, counts, logWorths(sample, counts, ties));
  },
  forms: {
    without_ties(_, sample) {
      const { items, counts } = sample.pairs();
      const counted = { ...counts, ties: counts.ties.map(() => 0) };
      return tableOf(items, counted, logWorths(sample, counted, "half"));
    },
    worth_mean: (table) => mapped(table, Math.exp),
    half_log: (table) => mapped(table, (log) => log / 2),
    worth_sum(table) {
      const worths = table.columns.value!.map(Math.exp);
      const sum = worths.reduce((all, worth) => all + worth, 0);
      return withValues(
        table,
        worths.map((worth) => worth / sum),
      );
    },
    ...onEloScale,
  },
  sums: () => ({
    wins: { of: (x) => (x === 0 ? 0.5 : Number(x > 0)) },
    n: { of: () => 1 },
  }),
  hypotheses: [...tieRules.hypotheses, withoutTies, ...units.hypotheses],
  options: [statedTies, units.option("unit", "normalisation", "normalization", "scale")],
});

/** Log worths of highest likelihood, natural logarithms that sum to zero within each class of comparable items. */
function logWorths(sample: Sample, counts: PairCounts, ties: TieModel): Float64Array {
  const { ofItem, classes } = likelihoodClasses(counts);
  const logs = new Float64Array(counts.items);
  for (const members of membersOf(ofItem, classes)) {
    const part = restrict(counts, members);
    const { logWorth, iterations } = fitWorths(part, ties);
    sample.spend(iterations * part.a.length);
    members.forEach((item, i) => (logs[item] = logWorth[i]!));
  }
  return logs;
}

const tableOf = (items: readonly string[], counts: PairCounts, value: Float64Array): Table => ({
  items,
  columns: { value, wins: winsWithHalfTies(counts), n: comparisonsOfItems(counts) },
});

const mapped = (table: Table, map: (log: number) => number): Table => withValues(table, table.columns.value!.map(map));
