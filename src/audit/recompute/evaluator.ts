/** Recomputes a kind under any scenario, from one experiment's ratings. */
import {
  mainField,
  metricKind,
  raterPairCountsOf,
  type Kind,
  type NamedScores,
  type OrderedComparisons,
  type RaterPairCounts,
  type Sample,
  type Table,
} from "../../metrics/index.js";
import {
  comparisonsOfRatings,
  pairsOf,
  type Comparisons,
  type Pairs,
  pairingOrder,
  pairingsOf,
  type CountedPairings,
} from "./comparisons.js";
import { plainestKey, itemsOf, type RatingColumns } from "./ratings.js";
import { itemKeys } from "../read/item-names.js";
import {
  selectRatings,
  slateGroupsOf,
  inServiceOrder,
  populationKey,
  type Population,
} from "./population.js";
import { cached, sumOf } from "../../platform/index.js";
import { scenarioKey, shownAs, type Scenario } from "./scenario.js";

export interface Evaluator {
  readonly ratings: RatingColumns;
  /** Ratings, comparisons and pair updates processed: a clock equal on every machine. */
  work: number;
  readonly qualityWork: number;
  /** `withEnds` false: without costly interval ends. */
  table(kind: Kind, scenario: Scenario, withEnds?: boolean): Table;
  sample(scenario: Scenario): Sample;
  comparisons(population: Population): Comparisons;
  pairs(population: Population): Pairs;
  scores(population: Population): NamedScores;
}

/** Items times tables, and tables: a few hundred megabytes. */
const numbersKept = 2e6;

const tablesKept = 3e4;

export function createEvaluator(ratings: RatingColumns): Evaluator {
  const slates = ratings.score.length / 2;
  const mostTables = Math.min(
    tablesKept,
    Math.max(200, Math.floor(numbersKept / Math.max(1, ratings.stimuli.length))),
  );
  const tables = createMemory<Table>(mostTables);
  const comparisons = createMemory<Comparisons>(2);
  const scores = createMemory<NamedScores>(3);
  const pairs = createMemory<Pairs>(500);
  const pairings = createMemory<CountedPairings>(2);
  const plainest = new Map(itemKeys.map((key) => [key, plainestKey(ratings, key)]));
  const plain = cached((population: Population): Population => {
    const item = plainest.get(population.item)!;
    return item === population.item ? population : { ...population, item };
  });

  const evaluator: Evaluator = {
    ratings,
    work: 0,
    qualityWork: 50 * slates,
    table(kind, scenario, withEnds = true) {
      const population = plain(scenario.population);
      const key = `${scenarioKey(kind, { ...scenario, population })}:${withEnds}`;
      const table = tables.get(key, () => {
        const { evaluate, forms = {} } = metricKind(kind);
        const [last, ...before] = scenario.forms.toReversed();
        const form = last === undefined ? undefined : forms[last];
        if (form === undefined)
          return evaluate(sampleOf(population), scenario.conventions, withEnds);
        const plain = evaluator.table(
          kind,
          { ...scenario, forms: before.reverse(), relative: null, rescaled: null },
          withEnds,
        );
        return form(plain, sampleOf(population), scenario.conventions);
      });
      return shownAs(scenario, table, mainField(kind));
    },
    sample: ({ population }) => sampleOf(plain(population)),
    comparisons(population) {
      const own = plain(population);
      return comparisons.get(populationKey(own), () => {
        spend(3 * slates);
        return comparisonsOfRatings(ratings, own);
      });
    },
    pairs(population) {
      const own = inServiceOrder(plain(population));
      return pairs.get(populationKey(own), () => pairsOf(pairingsIn(own)));
    },
    scores(population) {
      const own = inServiceOrder(plain(population));
      return scores.get(populationKey(own), () => {
        spend(2 * ratings.score.length);
        return scoresByItem(ratings, own);
      });
    },
  };
  const sampleOf = createSamples(evaluator, pairingsIn, spend);
  return evaluator;

  function spend(work: number): void {
    evaluator.work += work;
  }

  function pairingsIn(population: Population): CountedPairings {
    return pairings.get(populationKey(population), () => {
      spend(slates);
      return pairingsOf(ratings, population);
    });
  }
}

/** Not two at once, as loading makes tables of the same names. */
export type EvaluatorOf = (experiment: string) => Promise<Evaluator>;

const keptRatings = 2_000_000;

export function keepEvaluators(
  ratingsOf: (experiment: string) => Promise<RatingColumns>,
): EvaluatorOf {
  const kept = new Map<string, Evaluator>();
  return async (experiment) => {
    const known = kept.get(experiment);
    if (known !== undefined) return known;
    const made = createEvaluator(await ratingsOf(experiment));
    const sizes = [made, ...kept.values()].map(({ ratings }) => ratings.score.length);
    if (sumOf(sizes) > keptRatings) kept.clear();
    kept.set(experiment, made);
    return made;
  };
}

function createSamples(
  evaluator: Evaluator,
  pairingsIn: (population: Population) => CountedPairings,
  spend: (work: number) => void,
): (population: Population) => Sample {
  const { ratings } = evaluator;
  const latest = createMemory<Latest>(4);
  const raterPairs = createMemory<RaterPairCounts>(2);
  const kept = new Map<string, Memory<object>>();
  return (population) => {
    const inService = inServiceOrder(population);
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
        return own(wanted);
      },
      kept<T extends object>(kind: string, most: number, make: () => T) {
        const memory = kept.get(kind) ?? createMemory<object>(most);
        kept.set(kind, memory);
        return memory.get(populationKey(population), make) as T;
      },
    };
  };
}

function scoresByItem(ratings: RatingColumns, population: Population): NamedScores {
  const chosen = selectRatings(ratings, population);
  const { names, ofStimulus } = itemsOf(ratings, population.item);
  const itemOf = (i: number): number => ofStimulus[ratings.stimulus[i]!]!;
  const counts = new Int32Array(names.length);
  chosen.forEach((isChosen, i) => {
    if (isChosen === 1) counts[itemOf(i)] = counts[itemOf(i)]! + 1;
  });
  const unsorted = Array.from(counts, (n) => new Float64Array(n));
  const raters = Array.from(counts, (n) => new Int32Array(n));
  const filled = new Int32Array(names.length);
  chosen.forEach((isChosen, i) => {
    if (isChosen === 0) return;
    const item = itemOf(i);
    const slot = filled[item]!;
    filled[item] = slot + 1;
    unsorted[item]![slot] = ratings.score[i]!;
    raters[item]![slot] = ratings.rater[i]!;
  });
  const present = names.map((_, i) => i).filter((i) => counts[i]! > 0);
  const pick = <T>(values: readonly T[]): T[] => present.map((i) => values[i] as T);
  return {
    items: pick(names),
    unsorted: pick(unsorted),
    raters: pick(raters),
    scores: pick(unsorted).map((scores) => scores.toSorted()),
  };
}

type Latest = (wanted: number) => OrderedComparisons;

/** `present`: index among all names, by item. `spend` receives the pairings read. */
function createLatest(
  ratings: RatingColumns,
  pairings: CountedPairings,
  order: Population["order"],
  present: Int32Array,
  spend: (work: number) => void,
): Latest {
  const pairingsInOrder = pairingOrder(ratings, pairings, order);
  const index = new Int32Array(pairings.names.length);
  present.forEach((item, i) => (index[item] = i));
  let columns = emptyPairs(0);
  let read = 0;
  let unread = pairings.counted.length;
  return (wanted) => {
    if (read < wanted && unread > 0) readTo(wanted);
    const { a, b, outcome, session, weight } = columns;
    const from = a.length - Math.min(wanted, read);
    return {
      a: a.subarray(from),
      b: b.subarray(from),
      outcome: outcome.subarray(from),
      session: session.subarray(from),
      weight: pairings.weight && weight.subarray(from),
    };
  };

  function readTo(wanted: number): void {
    const known = columns;
    const length = known.a.length;
    const room = Math.max(length, Math.min(Math.max(wanted, 2 * length), read + unread));
    columns = emptyPairs(room);
    for (const name of ["a", "b", "outcome", "session", "weight"] as const)
      columns[name].set(known[name], room - length);
    const { a, b, outcome, counted, group } = pairings;
    const { starts } = slateGroupsOf(ratings);
    const from = unread;
    while (read < wanted && unread > 0) {
      unread--;
      const pairing = pairingsInOrder === null ? unread : pairingsInOrder[unread]!;
      if (counted[pairing] === 0) continue;
      const at = room - ++read;
      columns.a[at] = index[a[pairing]!]!;
      columns.b[at] = index[b[pairing]!]!;
      columns.outcome[at] = outcome[pairing]!;
      columns.weight[at] = pairings.weight === undefined ? 1 : pairings.weight[pairing]!;
      const own = group === null ? pairing : group[pairing]!;
      columns.session[at] = ratings.session[starts[own]!]!;
    }
    spend(from - unread);
  }
}

const emptyPairs = (length: number) => ({
  a: new Int32Array(length),
  b: new Int32Array(length),
  outcome: new Int8Array(length),
  session: new Int32Array(length),
  weight: new Float64Array(length),
});

interface Memory<V> {
  get(key: string, make: () => V): V;
}

function createMemory<V>(limit: number): Memory<V> {
  const values = new Map<string, V>();
  return {
    get(key, make) {
      const isKnown = values.has(key);
      // Until values are forgotten, nothing depends on which was used last.
      if (isKnown && values.size < limit) return values.get(key) as V;
      const value = isKnown ? (values.get(key) as V) : make();
      values.delete(key);
      values.set(key, value);
      for (const oldest of values.keys()) {
        if (values.size <= limit) break;
        values.delete(oldest);
      }
      return value;
    },
  };
}
