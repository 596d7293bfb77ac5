/** Recomputes a kind under any scenario, from one experiment's ratings. */
import {
  mainField,
  metricKind,
  raterPairCountsOf,
  type Kind,
  type NamedScores,
  type Sample,
  type Table,
} from "../../metrics/index.js";
import {
  comparisonsOfRatings,
  createLatest,
  pairingsOf,
  pairsOf,
  type CountedPairings,
  type Pairs,
} from "./comparisons.js";
import { plainestKey, itemsOf, loadRatings, type RatingColumns } from "./ratings.js";
import type { Warehouse } from "../../warehouse/index.js";
import { itemKeys } from "../read/item-names.js";
import { selectRatings, inServiceOrder, populationKey, type Population } from "./population.js";
import { cached, sumOf } from "../../platform/index.js";
import { scenarioKey, shownAs, type Scenario } from "./scenario.js";

export interface Evaluator {
  readonly ratings: RatingColumns;
  /** Ratings, comparisons and updates processed: a clock equal on every machine. */
  work: number;
  readonly qualityWork: number;
  /** `withEnds` false: without costly interval ends. */
  table(kind: Kind, scenario: Scenario, withEnds?: boolean): Table;
  sample(scenario: Scenario): Sample;
}

/** Items times tables: a few hundred megabytes. */
const numbersKept = 2e6;

const tablesKept = 3e4;

export function createEvaluator(ratings: RatingColumns): Evaluator {
  const slates = ratings.score.length / 2;
  const mostTables = Math.min(
    tablesKept,
    Math.max(200, Math.floor(numbersKept / Math.max(1, ratings.stimuli.length))),
  );
  const memories = new Map<string, Map<string, unknown>>();
  const plainest = new Map(itemKeys.map((key) => [key, plainestKey(ratings, key)]));
  const plain = cached((population: Population): Population => {
    const item = plainest.get(population.item)!;
    return item === population.item ? population : { ...population, item };
  });
  const evaluator: Evaluator = {
    ratings,
    work: 0,
    qualityWork: 50 * slates,
    table,
    sample: ({ population }) => sampleOf(plain(population)),
  };
  return evaluator;

  function table(kind: Kind, scenario: Scenario, withEnds = true): Table {
    const population = plain(scenario.population);
    const key = `${scenarioKey(kind, { ...scenario, population })}:${withEnds}`;
    const made = kept("tables", mostTables, key, () => {
      const { evaluate, forms = {} } = metricKind(kind);
      const [last, ...before] = scenario.forms.toReversed();
      const form = last === undefined ? undefined : forms[last];
      if (form === undefined) return evaluate(sampleOf(population), scenario.conventions, withEnds);
      const unformed = { ...scenario, forms: before.reverse(), relative: null, rescaled: null };
      return form(table(kind, unformed, withEnds), sampleOf(population), scenario.conventions);
    });
    return shownAs(scenario, made, mainField(kind));
  }

  function sampleOf(population: Population): Sample {
    const inService = inServiceOrder(population);
    const [key, serviceKey] = [populationKey(population), populationKey(inService)];
    const pairings = (): CountedPairings =>
      kept("pairings", 2, serviceKey, () => {
        spend(slates);
        return pairingsOf(ratings, inService);
      });
    const pairs = (): Pairs => kept("pairs", 500, serviceKey, () => pairsOf(pairings()));
    const comparisons = () =>
      kept("comparisons", 2, serviceKey, () => {
        spend(3 * slates);
        return comparisonsOfRatings(ratings, inService);
      });
    return {
      spend,
      pairs,
      comparisons,
      scores: () =>
        kept("scores", 3, serviceKey, () => {
          spend(2 * ratings.score.length);
          return scoresByItem(ratings, inService);
        }),
      raterPairs: () =>
        kept("raterPairs", 2, serviceKey, () => {
          const { items, ...columns } = comparisons();
          spend(5 * columns.a.length);
          return raterPairCountsOf(items.length, ratings.raters.length, columns);
        }),
      latest: (wanted) =>
        kept("latest", 4, key, () => {
          const known = pairs();
          return createLatest(ratings, pairings(), known, population, spend);
        })(wanted),
      kept: (what, most, make) => kept(`kept ${what}`, most, key, make),
    };
  }

  function spend(work: number): void {
    evaluator.work += work;
  }

  function kept<V>(what: string, most: number, key: string, make: () => V): V {
    const values = memories.get(what) ?? new Map<string, unknown>();
    memories.set(what, values);
    const isKnown = values.has(key);
    // Until values are forgotten, nothing depends on which was used last.
    if (isKnown && values.size < most) return values.get(key) as V;
    const value = isKnown ? (values.get(key) as V) : make();
    values.delete(key);
    values.set(key, value);
    const [oldest = ""] = values.keys();
    if (values.size > most) values.delete(oldest);
    return value;
  }
}

/** Not two at once, as loading makes tables of the same names. */
export type EvaluatorOf = (experiment: string) => Promise<Evaluator>;

const keptRatings = 2_000_000;

export function keepEvaluators(engine: () => Warehouse): EvaluatorOf {
  const kept = new Map<string, Evaluator>();
  return async (experiment) => {
    const known = kept.get(experiment);
    if (known !== undefined) return known;
    const made = createEvaluator(await loadRatings(engine(), experiment));
    const sizes = [made, ...kept.values()].map(({ ratings }) => ratings.score.length);
    if (sumOf(sizes) > keptRatings) kept.clear();
    kept.set(experiment, made);
    return made;
  };
}

function scoresByItem(ratings: RatingColumns, population: Population): NamedScores {
  const { names, ofStimulus } = itemsOf(ratings, population.item);
  const chosen = names.map((): number[] => []);
  selectRatings(ratings, population).forEach((isChosen, rating) => {
    if (isChosen === 1) chosen[ofStimulus[ratings.stimulus[rating]!]!]!.push(rating);
  });
  const present = chosen.filter(({ length }) => length > 0);
  const unsorted = present.map((rows) => {
    const scores = new Float64Array(rows.length);
    rows.forEach((rating, i) => (scores[i] = ratings.score[rating]!));
    return scores;
  });
  return {
    items: names.filter((_, item) => chosen[item]!.length > 0),
    unsorted,
    raters: present.map((rows) => Int32Array.from(rows, (rating) => ratings.rater[rating]!)),
    scores: unsorted.map((scores) => scores.toSorted()),
  };
}
