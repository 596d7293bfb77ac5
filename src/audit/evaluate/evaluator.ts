import {
  mainField,
  metricKind,
  raterPairCountsOf,
  type Kind,
  type NamedScores,
  type RaterPairCounts,
  type Rough,
  type RoughPrecision,
  type Sample,
  type Table,
} from "../../metrics/index.js";
import {
  comparisonsOf,
  pairsOf,
  type Comparisons,
  type Pairs,
  plainestKey,
  pairingsOf,
  type CountedPairings,
  itemKeys,
  inServiceOrder,
  populationKey,
  type Population,
  type RatingColumns,
} from "../ratings/index.js";
import { createLatest, type Latest } from "./latest.js";
import { createMemory, type Memory } from "./memory.js";
import { relativeTo, rescaled } from "./rescaled.js";
import { scenarioKey, type Scenario } from "./scenario.js";
import { scoresByItem } from "./scores.js";

/** Recomputes a kind under any scenario from one experiment's ratings; counts the work it does. */
export interface Evaluator {
  readonly ratings: RatingColumns;
  /** Number of ratings, comparisons and pair updates processed so far: a clock that is the same on every machine. */
  work: number;
  /** Maximum work of one fit with rater quality. */
  readonly qualityWork: number;
  /** `withEnds` false omits the interval ends that are expensive to compute. */
  table(kind: Kind, scenario: Scenario, withEnds?: boolean): Table;
  /**
   * Approximate main values at a fraction of the cost, each within `error`: enough to rule a scenario out. Null if
   * exact values cost no more.
   */
  rough(kind: Kind, scenario: Scenario, precision?: RoughPrecision): Rough | null;
  /** The ratings of a scenario, in every form that a kind may need. */
  sample(scenario: Scenario): Sample;
  comparisons(population: Population): Comparisons;
  pairs(population: Population): Pairs;
  scores(population: Population): NamedScores;
}

/** Cache limits, in items times tables and in tables: a few hundred megabytes at most. */
const [numbersKept, tablesKept] = [2e6, 3e4];

export function createEvaluator(ratings: RatingColumns): Evaluator {
  /** Item keys that give every stimulus the same name are treated as one. */
  const plainest = new Map(itemKeys.map((key) => [key, plainestKey(ratings, key)]));
  const plains = new WeakMap<Population, Population>();
  const slates = ratings.score.length / 2;
  const mostTables = Math.min(tablesKept, Math.max(200, Math.floor(numbersKept / Math.max(1, ratings.stimuli.length))));
  const tables = createMemory<Table>(mostTables);
  const roughTables = createMemory<Rough | null>(mostTables);
  const pairings = createMemory<CountedPairings>(2);
  const comparisons = createMemory<Comparisons>(2);
  const latest = createMemory<Latest>(4);
  const scores = createMemory<NamedScores>(3);
  const pairs = createMemory<Pairs>(2000);
  const raterPairs = createMemory<RaterPairCounts>(2);
  const kept = new Map<string, Memory<object>>();

  const evaluator: Evaluator = {
    ratings,
    work: 0,
    qualityWork: 50 * slates,
    table(kind, scenario, withEnds = true) {
      const population = plain(scenario.population);
      const key = `${scenarioKey(kind, { ...scenario, population })}:${withEnds}`;
      const table = tables.get(key, () =>
        metricKind(kind).evaluate(sampleOf(population), scenario.conventions, withEnds),
      );
      const shown = scenario.relative === null ? table : relativeTo(table, mainField(kind), scenario.relative);
      return scenario.rescaled === null ? shown : rescaled(shown, scenario.rescaled);
    },
    rough(kind, scenario, precision = "fine") {
      const { rough } = metricKind(kind);
      if (scenario.rescaled !== null || scenario.relative !== null || rough === undefined) return null;
      const population = plain(scenario.population);
      return roughTables.get(`${scenarioKey(kind, { ...scenario, population })}:${precision}`, () =>
        rough(sampleOf(population), scenario.conventions, precision),
      );
    },
    sample: ({ population }) => sampleOf(plain(population)),
    comparisons(population) {
      const own = plain(population);
      return comparisons.get(populationKey(own), () => {
        evaluator.work += 3 * slates;
        return comparisonsOf(ratings, own);
      });
    },
    pairs(population) {
      const own = inServiceOrder(plain(population));
      return pairs.get(populationKey(own), () => pairsOf(pairingsIn(own)));
    },
    scores(population) {
      const own = inServiceOrder(plain(population));
      return scores.get(populationKey(own), () => {
        evaluator.work += 2 * ratings.score.length;
        return scoresByItem(ratings, own);
      });
    },
  };
  return evaluator;

  function plain(population: Population): Population {
    const known = plains.get(population);
    if (known !== undefined) return known;
    const item = plainest.get(population.item) ?? population.item;
    const own = item === population.item ? population : { ...population, item };
    plains.set(population, own);
    return own;
  }

  function pairingsIn(population: Population): CountedPairings {
    return pairings.get(populationKey(population), () => {
      evaluator.work += slates;
      return pairingsOf(ratings, population);
    });
  }

  function sampleOf(population: Population): Sample {
    const inService = inServiceOrder(population);
    const spend = (work: number): void => {
      evaluator.work += work;
    };
    return {
      spend,
      pairs: () => evaluator.pairs(population),
      scores: () => evaluator.scores(population),
      comparisons: () => evaluator.comparisons(inService),
      raterPairs: () =>
        raterPairs.get(populationKey(inService), () => {
          const { items, ...own } = evaluator.comparisons(inService);
          spend(5 * own.a.length);
          return raterPairCountsOf(items.length, ratings.raters.length, own);
        }),
      latest(wanted) {
        const own = latest.get(populationKey(population), () => {
          const { present } = evaluator.pairs(population);
          return createLatest(ratings, pairingsIn(inService), population.order, present, spend);
        });
        return own.last(wanted);
      },
      kept<T extends object>(kind: string, most: number, make: () => T) {
        const memory = kept.get(kind) ?? createMemory<object>(most);
        kept.set(kind, memory);
        return memory.get(populationKey(population), make) as T;
      },
    };
  }
}
