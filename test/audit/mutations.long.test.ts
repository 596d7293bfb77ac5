import { describe, expect, test } from "vitest";
import { populationFamilies, populations, scorings } from "../../src/audit/explain/hypotheses.js";
import { kinds, type Kind } from "../../src/metrics/kinds.js";
import { fixtureOf, ownOf } from "../support/audit/fixture.js";
import { publishingFixtures } from "../support/audit/publishing-fixtures.js";
import { outcomes, tryPlanted, type Outcome, type Trial } from "../support/audit/mutation.js";
import {
  combinationsOf,
  conventionsToPlant,
  ruleOf,
  type PlantedConvention,
} from "../support/audit/planted-conventions.js";

/**
 * `npm run test:mutations` tries every combination at both precisions and prints the table of docs/records/audit-accuracy.md, which takes
 * most of an hour; with `RECOUNT_MUTATIONS=elo,mean` it tries those of some kinds. `npm run test:all` tries every
 * convention alone and a sample of the combinations at both precisions.
 */
const chosen = process.env.RECOUNT_MUTATIONS ?? "";
const isExhaustive = chosen !== "";
const tried = kinds.filter((kind) => chosen === "" || chosen === "all" || chosen.split(",").includes(kind));

/** The combinations to try for a kind and fixture: few with rater quality, which takes ten times as long. */
function combinations(variation: string, all: readonly PlantedConvention[][]): readonly PlantedConvention[][] {
  const step = Math.ceil(all.length / (variation === "raters weighed" ? 4 : 24));
  return isExhaustive ? all : all.filter((_, i) => i % step === 0);
}

/** Explained falsely, as the first answers to a slate instead of the last: one decimal hardly tells them apart. */
const knownFalse = ["percent_chosen repeats=last denominator=n-1 decimals 1"];
const isFalse = (line: string): boolean =>
  line.includes(": wrongly") && !knownFalse.some((known) => line.startsWith(known));

/** No fixture has another value of these as its own convention, so that planting them makes no difference. */
const neverOpposed = [
  ...["percent_chosen share=wins", "percent_chosen denominator=n", "percent_approved denominator=n"],
  ...["mean denominator=n", "stats level=95", "stats quartiles=linear", "bayesian_elo ties=half", "elo k=32"],
];

/** The emulator publishes no worths; import/published.test.ts plants the conventions of Bradley-Terry. */
const isPublished = (kind: Kind): boolean => kind !== "bradley_terry";

/** Families that the emulator's rules do not publish; forms.test.ts plants them. */
const plantedElsewhere = ["mean relative=", "mean unit=0_to_100", "stats unit=0_to_100"];

const tables = new Map<Kind, Record<Outcome, number>>();
/** Conventions that were planted alone, made a difference and were found, even if few numbers show it. */
const named = new Set<string>();

const sumOf = (all: readonly Record<Outcome, number>[]): Record<Outcome, number> =>
  Object.fromEntries(outcomes.map((o) => [o, all.reduce((sum, table) => sum + table[o], 0)])) as Record<
    Outcome,
    number
  >;

function count(kind: Kind, { outcome, planted, closest }: Trial, alone: readonly PlantedConvention[]): void {
  const table = tables.get(kind) ?? sumOf([]);
  tables.set(kind, table);
  table[outcome]++;
  if (alone.length === 1 && (outcome === "rightly" || (outcome === "not at all" && closest === planted)))
    named.add(`${kind} ${planted}`);
}

describe("the audit names the conventions under which the emulator publishes", () => {
  test.each(publishingFixtures)(
    "%s %s %s",
    { timeout: isExhaustive ? 7_200_000 : 1_800_000 },
    async (variation, file, dimension, own, options) => {
      const fixture = await fixtureOf(file, options);
      const missed: string[] = [];
      for (const kind of own.filter((k) => tried.includes(k))) {
        const { alone, together } = combinationsOf(
          conventionsToPlant(kind, ownOf(fixture, dimension), fixture.evaluator.ratings, dimension, fixture.source),
        );
        for (const planted of [...alone, ...combinations(variation, together)]) {
          for (const decimals of [undefined, 1]) {
            const trial = tryPlanted(fixture, kind, dimension, planted, decimals);
            count(kind, trial, planted);
            if (trial.outcome !== "rightly" && trial.outcome !== "no difference") {
              missed.push(
                `${kind} ${trial.planted} decimals ${decimals}: ${trial.outcome} ${trial.explanation?.name ?? ""}`,
              );
            }
          }
        }
      }
      if (isExhaustive && missed.length > 0) console.log([file, ...missed].join("\n"));
      expect(missed.filter(isFalse)).toEqual([]);
    },
  );

  // The others are a few numbers of one decimal: they carry 1 to 8 bits, of the 7 to 14 that must be outweighed.
  test("at least 88 of 100 are explained correctly, and none incorrectly but the known ones", () => {
    const { rightly, wrongly, "in part": partly, "not at all": not } = sumOf([...tables.values()]);
    expect(wrongly).toBeLessThanOrEqual(knownFalse.length);
    if (tried.length === kinds.length) expect(rightly).toBeGreaterThan(500);
    expect(rightly).toBeGreaterThanOrEqual(0.88 * (rightly + partly + not));
  });

  test.runIf(tried.length === kinds.length)(
    "each convention of the catalogue was planted where it makes a difference, and found",
    () => {
      const all = [...populations, ...scorings]
        // Screening is not the emulator's; test/statistics/screen.test.ts plants it.
        .filter((h) => ruleOf(h) !== null && h.axis !== "screen")
        .flatMap((h) => h.kinds.filter(isPublished).map((kind) => `${kind} ${h.name}`));
      const families = populationFamilies.flatMap((f) =>
        f.kinds.filter(isPublished).map((kind) => `${kind} ${f.name.replace("…", "")}`),
      );
      const unplanted = [
        ...all.filter((name) => !named.has(name)),
        ...families.filter((name) => ![...named].some((n) => n.startsWith(name))),
      ];
      expect(unplanted.filter((name) => ![...neverOpposed, ...plantedElsewhere].includes(name))).toEqual([]);
    },
  );

  test.runIf(isExhaustive)("the table of docs/records/audit-accuracy.md", () => {
    const row = (name: string, table: Record<Outcome, number>): string => {
      const trials = outcomes.reduce((sum, o) => sum + table[o], 0);
      return `| ${[name, trials, ...outcomes.map((o) => table[o])].join(" | ")} |`;
    };
    const known = kinds.flatMap((kind) =>
      tables.has(kind) ? [[kind, tables.get(kind) as Record<Outcome, number>] as const] : [],
    );
    console.log(
      [
        ...known.map(([kind, table]) => row(kind, table)),
        row("all kinds", sumOf(known.map(([, table]) => table))),
      ].join("\n"),
    );
    expect(known).toHaveLength(tried.length);
  });
});
