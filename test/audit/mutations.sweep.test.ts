import { describe, expect, test } from "vitest";
import {
  populationFamilies,
  populationOptions,
  scorings,
} from "../../src/audit/recompute/hypotheses.js";
import type { NamedCause } from "../../src/audit/explain/find-cause.js";
import type { Kind } from "../../src/metrics/kinds.js";
import { fixtureOf, ownOf } from "../support/audit/fixture.js";
import { auditPublished } from "../support/audit/mutation.js";
import { conventionsToPlant, ruleOf } from "../support/audit/planted-conventions.js";
import { publishingFixtures } from "../support/audit/publishing-fixtures.js";

/** No fixture has another value of these as its own convention, so that planting them makes no difference. */
const neverOpposed = [
  ...[
    "percent_chosen share=wins",
    "percent_chosen denominator=n",
    "percent_approved denominator=n",
  ],
  ...["mean denominator=n", "stats quartiles=linear", "bayesian_elo ties=half", "elo k=32"],
  ...["bayesian_elo shape=5", "elo rounding=truncate", "bayesian_elo rounding=truncate"],
];

/** The emulator publishes no worths; import/published.test.ts plants the conventions of Bradley-Terry. */
const isPublished = (kind: Kind): boolean => kind !== "bradley_terry";

/** Families that the emulator's rules do not publish; forms.test.ts and boards.test.ts plant them. */
const plantedElsewhere = [...["mean relative=", "mean unit=0_to_100", "stats unit=0_to_100"]];

/**
 * A convention and parameters with the same meaning: `rater_quality=(alpha=10 beta=2)` is `alpha=10 beta=2`, and with beta = 1
 * every quality ends at 1 whatever alpha is, so that all raters have equal weight.
 */
const wordsOf = (name: string): string[] =>
  name
    .replace(/rater_quality=\((.*?)\)/, "$1")
    .replace(/alpha=\S+ beta=1(?= |$)/, "rater_quality=none")
    .split(" ");

function isTrue({ name, rivals }: NamedCause, planted: string): boolean {
  const words = wordsOf(planted);
  return [name, ...rivals].some((text) => wordsOf(text).every((word) => words.includes(word)));
}

/**
 * Axes that the emulator does not publish. intervals.test.ts plants intervals, import/weights.test.ts weights,
 * import/causes.test.ts votes of an item against itself, statistics/screen.test.ts screening.
 */
const axesElsewhere = ["interval", "level", "sd", "weights", "itself", "screen"];

const named = new Set<string>();

describe("the audit names the conventions under which the emulator publishes", () => {
  test.each(publishingFixtures)("%s %s %s", async (_, file, dimension, kinds, options) => {
    const fixture = await fixtureOf(file, options);
    const { ratings } = fixture.evaluator;
    const wrong: string[] = [];
    for (const kind of kinds)
      for (const { name, rule } of conventionsToPlant(
        kind,
        ownOf(fixture, dimension),
        ratings,
        dimension,
        fixture.source,
      ))
        for (const more of [{}, { decimals: 1 }]) {
          const { exact, explanation, missed, closest } = auditPublished(fixture, kind, dimension, [
            rule,
            more,
          ]);
          if (exact) continue;
          if (explanation === null ? closest === name : missed.length === 0)
            named.add(`${kind} ${name}`);
          if (explanation !== null && !isTrue(explanation, name))
            wrong.push(`${kind} ${name}: ${explanation.name}`);
        }
    expect(wrong).toEqual([]);
  });

  test("each convention of the catalogue was planted where it makes a difference, and found", () => {
    const all = [...populationOptions, ...scorings]
      .filter((h) => ruleOf(h) !== null && !axesElsewhere.includes(h.axis))
      .flatMap((h) => h.kinds.filter(isPublished).map((kind) => `${kind} ${h.name}`));
    const families = populationFamilies.flatMap((f) =>
      f.kinds.filter(isPublished).map((kind) => `${kind} ${f.name.replace("…", "")}`),
    );
    const unplanted = [
      ...all.filter((name) => !named.has(name)),
      ...families.filter((name) => ![...named].some((n) => n.startsWith(name))),
    ];
    expect(
      unplanted.filter((name) => ![...neverOpposed, ...plantedElsewhere].includes(name)),
    ).toEqual([]);
  });
});
