import { describe, expect, test } from "vitest";
import { populationFamilies, populations } from "../../src/audit/explain/hypotheses/populations.js";
import { scorings } from "../../src/audit/explain/hypotheses/scorings.js";
import { kinds, type Kind } from "../../src/metrics/kinds.js";
import { fixtureOf, ownOf } from "../support/audit/fixture.js";
import { publishingFixtures } from "../support/audit/publishing-fixtures.js";
import { outcomes, tryPlanted, type Outcome, type Trial } from "../support/audit/mutation.js";
import { combinationsOf, conventionsToPlant, type PlantedConvention } from "../support/audit/planted-conventions.js";

/**
 * `RECOUNT_MUTATIONS=all` tries every combination at both precisions and prints the table of docs/audit.md;
 * `RECOUNT_MUTATIONS=elo,mean` that of some kinds.
 */
const asked = process.env["RECOUNT_MUTATIONS"] ?? "";
const isWhole = asked !== "";
const tried = kinds.filter((kind) => asked === "" || asked === "all" || asked.split(",").includes(kind));

/** How many combinations of two of a kind and fixture are tried in a usual run; none where raters are weighed, which takes ten times as long. */
const sampled = 4;

const tables = new Map<Kind, Record<Outcome, number>>();
/** Conventions that were planted alone, made a difference and were named. */
const named = new Set<string>();

const thinned = <T>(all: readonly T[], count: number): T[] =>
  all.filter((_, i) => isWhole || i % Math.ceil(all.length / count) === 0);

const sumOf = (all: readonly Record<Outcome, number>[]): Record<Outcome, number> =>
  Object.fromEntries(outcomes.map((o) => [o, all.reduce((sum, table) => sum + table[o], 0)])) as Record<
    Outcome,
    number
  >;

function count(kind: Kind, { outcome, planted }: Trial, alone: readonly PlantedConvention[]): void {
  const table = tables.get(kind) ?? sumOf([]);
  tables.set(kind, table);
  table[outcome]++;
  if (outcome === "rightly" && alone.length === 1) named.add(`${kind} ${planted}`);
}

describe("the local service publishes under other conventions, and the audit names them", () => {
  test.each(publishingFixtures)(
    "%s %s %s",
    { timeout: isWhole ? 7_200_000 : 120_000 },
    async (variation, file, dimension, own, options) => {
      const fixture = await fixtureOf(file, options);
      const missed: string[] = [];
      for (const kind of own.filter((k) => tried.includes(k))) {
        const { alone, together } = combinationsOf(
          conventionsToPlant(kind, ownOf(fixture, dimension), fixture.evaluator.ratings, dimension, fixture.source),
        );
        for (const [i, planted] of [
          ...alone,
          ...(variation === "raters weighed" && !isWhole ? [] : thinned(together, sampled)),
        ].entries()) {
          const single = planted.length === 1;
          const precisions = isWhole || (single && variation === "") ? [undefined, 1] : i % 2 === 0 ? [undefined] : [1];
          for (const decimals of precisions) {
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
      if (isWhole && missed.length > 0) console.log([file, ...missed].join("\n"));
      expect(missed.filter((m) => m.includes(": wrongly"))).toEqual([]);
    },
  );

  test("at least 95 of 100 are explained rightly, and none wrongly", () => {
    const { rightly, wrongly, "in part": partly, "not at all": not } = sumOf([...tables.values()]);
    expect(wrongly).toBe(0);
    if (tried.length === kinds.length) expect(rightly).toBeGreaterThan(500);
    expect(rightly).toBeGreaterThanOrEqual(0.95 * (rightly + partly + not));
  });

  test.runIf(tried.length === kinds.length)(
    "each convention of the catalogue was planted where it makes a difference, and named",
    () => {
      const all = [...populations, ...scorings].flatMap((h) => h.kinds.map((kind) => `${kind} ${h.name}`));
      const families = populationFamilies.flatMap((f) => f.kinds.map((kind) => `${kind} ${f.name.replace("…", "")}`));
      const unplanted = [
        ...all.filter((name) => !named.has(name)),
        ...families.filter((name) => ![...named].some((n) => n.startsWith(name))),
      ];
      expect(unplanted).toEqual([]);
    },
  );

  test.runIf(isWhole)("the table of docs/audit.md", () => {
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
