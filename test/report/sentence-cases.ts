import type { AuditOptions } from "../../src/audit/index.js";
import { ownScenario, patched, type ScenarioPatch } from "../../src/audit/evaluate/scenario.js";
import { defaultConventions } from "../../src/metrics/conventions.js";
import type { Kind } from "../../src/metrics/kinds.js";
import { fixtureOf } from "../support/audit/fixture.js";
import { golden, type Golden, type Lists, type Numbers } from "../support/audit/published-case.js";

type Block = Record<string, Numbers>;

export const dimensionOf = (file: string): string => Object.keys(golden(file).expected)[0] ?? "";

/** The numbers of a golden case under its own or another convention. */
export function numbersOf(file: string, kind: string): Block {
  const { variants, ...own } = golden(file).expected[dimensionOf(file)] as Golden["expected"][string];
  const block = (variants[kind] ?? (own as Golden["expected"][string])[kind]) as Record<string, number | Numbers>;
  return Object.fromEntries(Object.entries(block).map(([item, n]) => [item, typeof n === "number" ? { value: n } : n]));
}

/** The numbers with `change` applied to each. */
export const changed = (block: Block, change: (value: number, field: string, i: number) => number): Block =>
  Object.fromEntries(
    Object.entries(block).map(([item, n], i) => [
      item,
      Object.fromEntries(Object.entries(n).map(([field, value]) => [field, change(value, field, i)])),
    ]),
  );
const values = (block: Block): Block =>
  Object.fromEntries(Object.entries(block).map(([item, { value }]) => [item, { value: value as number }]));
export const digits = (block: Block, decimals: number): Block => changed(block, (v) => Number(v.toFixed(decimals)));

export const preference = "codec-preference";
export const elo = numbersOf(preference, "elo");
export const elo16 = numbersOf(preference, "elo k=16 initial=1000");
export const percent = numbersOf(preference, "percent_chosen");
const bayes = values(numbersOf(preference, "bayesian_elo"));
const opinion = numbersOf("mushra", "stats");
export const mushra = values(numbersOf("mushra", "mean"));
const training = numbersOf(preference, "percent_chosen training=include");

const odd = [0.7, -1.3, 2.2, 0.4, -0.9, 1.7, -2.1, 0.3];
const few = changed(percent, (v, _, i) => v + ([3.77, 1.2, -4.2][i] ?? 0));
const unvouched = "Not documented or accepted.";
const fit = "start is fitted to the numbers themselves, so it is not evidence.";

interface Case {
  readonly says: string;
  readonly kind: string;
  readonly numbers: Block;
  readonly file?: string;
  readonly options?: object;
  /** Where they are published; a leaderboard may show some items only. */
  readonly lists?: readonly (keyof Lists)[];
  readonly audit?: AuditOptions;
}

/** The numbers under conventions for which a golden case has no numbers. */
async function under(file: string, kind: Kind, patch: ScenarioPatch): Promise<Block> {
  const { evaluator } = await fixtureOf(file);
  const { items, columns } = evaluator.table(kind, patched(ownScenario(defaultConventions, "", ""), patch));
  const row = (i: number): Numbers => Object.fromEntries(Object.entries(columns).map(([f, c]) => [f, c[i] as number]));
  return Object.fromEntries(items.map((item, i) => [item, row(i)]));
}
const only = (block: Block, count: number, fields: readonly string[] = ["value"]): Block =>
  Object.fromEntries(
    Object.entries(block)
      .slice(0, count)
      .map(([item, n]) => [item, Object.fromEntries(fields.map((field) => [field, n[field] as number]))]),
  );
const normal = await under("mushra", "stats", { conventions: { stats: { interval: "normal" } } });
const hinges = await under("mushra", "stats", { conventions: { stats: { quartiles: "hinges" } } });
const elo200 = await under(preference, "elo", { conventions: { elo: { k: 16, start: 1000, scale: 200 } } });
const trainedElo = await under(preference, "elo", { population: { training: "include" } });
const board = ["leaderboards"] as const;
const accepted = [{ experiment: "exp2", kind: "elo", convention: "k=16 start=1000", reason: "So says the protocol." }];

/** Each with the case that leads to it. */
export const sentences: Case[] = [
  {
    says: `all 8 numbers match in each of 2 lists when K is 16 and start = 1000 (± 9e-7) (k=16 start=1000). ${unvouched}`,
    ...{ kind: "elo", numbers: elo16, lists: ["metrics", "leaderboards"] },
  },
  {
    says: "all 8 numbers match when K is 16 and start = 1000 (± 9e-7) (k=16 start=1000). Accepted: So says the protocol.",
    ...{ kind: "elo", numbers: elo16, audit: { accept: accepted } },
  },
  {
    says: "all 8 numbers match when k = 16, initial_rating = 1000 and scale = 200, all as the published options state (k=16 initial_rating=1000 scale=200).",
    ...{ kind: "elo", numbers: values(elo200), options: { k: 16, initial_rating: 1000, scale: 200 } },
  },
  {
    says: `the number matches when training ratings are counted too (training=include). ${unvouched}`,
    ...{ kind: "elo", numbers: only(trainedElo, 1), lists: board },
  },
  {
    says: `both numbers match when training ratings are counted too (training=include). ${unvouched}`,
    ...{ kind: "elo", numbers: only(trainedElo, 2), lists: board },
  },
  {
    says: `the number that differs matches when the interval uses the normal distribution (interval=normal). ${unvouched}`,
    ...{ file: "mushra", kind: "stats", numbers: only(normal, 1, ["mean", "ci_low"]), lists: board },
  },
  {
    says: `all 12 numbers that differ match when the interval uses the normal distribution (interval=normal). ${unvouched}`,
    ...{ file: "mushra", kind: "stats", numbers: normal },
  },
  {
    says: `all 11 numbers that differ match when quartiles are medians of the halves, without the middle score (quartiles=halves). The published numbers cannot distinguish it from: quartiles=hinges; quartiles=type_5. ${unvouched}`,
    ...{ file: "mushra", kind: "stats", numbers: hinges },
  },
  {
    says: `7 of 8 numbers match when K is 16 and start = 1000 (± 9e-7) (k=16 start=1000). ${unvouched}`,
    ...{ kind: "elo", numbers: changed(elo16, (v, _, i) => (i === 2 ? v + 3.77 : v)) },
  },
  {
    says: "no convention explains the 8 numbers (175 tried); training=include gives 5 of 8, which is too few.",
    ...{ kind: "percent_chosen", numbers: changed(training, (v, _, i) => v + ([3.77, 1.2, -4.2][i] ?? 0)) },
  },
  {
    says: "no convention explains the only number (21 tried); training=include gives it, which may be chance.",
    ...{ kind: "percent_chosen", numbers: only(training, 1), lists: board },
  },
  {
    says: "no convention explains the 2 numbers (22 tried); training=include gives both, which may be chance.",
    ...{ kind: "percent_chosen", numbers: digits(only(training, 2), 0), lists: board },
  },
  {
    says: "no convention explains the one number of 8 that differs (175 tried); only codec-c differs; every other item matches; the difference is +0.7.",
    ...{ kind: "percent_chosen", numbers: changed(percent, (v, _, i) => (i === 2 ? v + 0.7 : v)) },
  },
  {
    says: "no convention explains the 8 numbers (1 tried); not tried within the work limit: single conventions, parameters, pairs of conventions, parameters under one convention.",
    ...{ kind: "elo", numbers: elo16, audit: { limits: { depth: 2, work: 1000 } } },
  },
  {
    says: "all 6 numbers match when scale = 0.994047 (± 3e-6, 167/168: is n + 1 the denominator?) (scale=0.994047). scale is fitted to the numbers themselves, so it is not evidence.",
    ...{
      file: "mushra",
      kind: "mean",
      numbers: digits(
        changed(mushra, (v) => (v * 167) / 168),
        3,
      ),
    },
  },
  {
    says: "all 8 numbers match when k = 16 and initial_rating = 1000, both as the published options state (k=16 initial_rating=1000).",
    ...{ kind: "elo", numbers: elo16, options: { k: 16, initial_rating: 1000 } },
  },
  {
    says: `all 8 numbers match when start = 1000 (± 9e-7); and k = 16, as the published options state (k=16 start=1000). ${unvouched}`,
    ...{ kind: "elo", numbers: elo16, options: { k: 16 } },
  },
  {
    says: `all 8 numbers match when training ratings are counted too, although the published options state training=false (training=include). ${unvouched}`,
    ...{ kind: "percent_chosen", numbers: training, options: { training: false } },
  },
  {
    says: `all 8 numbers match when start = 2040 (± 2e-6) (start=2040). ${fit}`,
    ...{ kind: "elo", numbers: changed(elo, (v) => v + 40) },
  },
  {
    says: `all 8 numbers match when start = 2040 (2039.999 to 2040.022) (start=2040). ${fit}`,
    ...{
      kind: "elo",
      numbers: digits(
        changed(elo, (v) => v + 40),
        1,
      ),
    },
  },
  {
    says: `all 8 numbers match when ratings are natural logarithms of strengths, with the prior mode at 0 (unit=natural). ${unvouched}`,
    ...{ kind: "bayesian_elo", numbers: changed(bayes, (v) => ((v - 2000) * Math.LN10) / 400) },
  },
  {
    says: "all 6 numbers match when scale = 1.00599 (± 2e-6, 168/167: is n - 1 the denominator?) (scale=1.00599). scale is fitted to the numbers themselves, so it is not evidence.",
    ...{
      file: "mushra",
      kind: "mean",
      numbers: digits(
        changed(mushra, (v) => (v * 168) / 167),
        3,
      ),
    },
  },
  {
    says: "no convention explains the 8 numbers (175 tried).",
    ...{ kind: "percent_chosen", numbers: changed(percent, (v, _, i) => v + (odd[i] ?? 0)) },
  },
  {
    says: "no convention explains the 3 of 8 numbers that differ (175 tried); only codec-a, codec-b and codec-c differ; every other item matches.",
    ...{ kind: "percent_chosen", numbers: few },
  },
  {
    says: "no convention explains the 4 of 66 numbers that differ (118 tried); only q1 and q3 differ, in 2 items; every other number matches.",
    ...{ file: "mushra", kind: "stats" },
    numbers: changed(opinion, (v, field, i) => (i < 2 && /^q[13]/.test(field) ? v + 0.11 + 0.37 * i : v)),
  },
];
