import {
  type BayesianEloConvention,
  type EloConvention,
  comparisonsOfItems,
  type PairCounts,
  raterPairCountsOf,
  type RaterPairCounts,
  type Kind,
} from "../../metrics/index.js";
import {
  comparisonsOf,
  pairsOf,
  type Comparisons,
  type Pairs,
  type RatingColumns,
  plainestKey,
  pairingsOf,
  type CountedPairings,
  itemKeys,
  populationKey,
  type Population,
} from "../ratings/index.js";
import { scenarioKey, type Scenario } from "./scenario.js";
import { Latest } from "./latest.js";
import { Memory } from "./memory.js";
import { bayesian, percentChosen, winLoss } from "./pairwise.js";
import { RecentElo } from "./recent-elo.js";
import { rescaled } from "./rescaled.js";
import { mean, percentApproved, scoresByItem, stats, type RatedByItem } from "./scored.js";
import type { Table } from "../target/index.js";
import { warmStart } from "./warm-start.js";

/** Main values none of which is further off than `error`. */
export interface Rough {
  readonly table: Table;
  readonly error: number;
}

/** To 0.01 Elo, or to 1 Elo; a fit with rater quality to 1 either way. */
export type RoughPrecision = "fine" | "coarse";

/** Items times tables that are remembered: some hundred megabytes at most. */
const numbersKept = 2e6;

const eloErrors: Record<RoughPrecision, number> = { fine: 2.5e-5, coarse: 2.5e-3 };

/** Recomputes a kind under any scenario from one experiment's ratings; counts the work it does. */
export class Evaluator {
  readonly ratings: RatingColumns;
  /** Ratings, comparisons and pair updates gone through so far: a clock that is the same on every machine. */
  work = 0;
  readonly #plainest: ReadonlyMap<Population["item"], Population["item"]>;
  #met = new Memory<CountedPairings>(2);
  #comparisons = new Memory<Comparisons>(2);
  #recent = new Memory<RecentElo>(4);
  #scores = new Memory<RatedByItem>(3);
  #pairs = new Memory<Pairs>(2000);
  #raterPairs = new Memory<RaterPairCounts>(2);
  #strengths = new Memory<Float64Array>(400);
  readonly #tables: Memory<Table>;
  readonly #rough: Memory<Rough | null>;

  constructor(ratings: RatingColumns) {
    this.ratings = ratings;
    const tables = Math.max(200, Math.floor(numbersKept / Math.max(1, ratings.stimuli.length)));
    this.#tables = new Memory(tables);
    this.#rough = new Memory(tables);
    this.#plainest = new Map(itemKeys.map((key) => [key, plainestKey(ratings, key)]));
  }

  /** `withEnds` false leaves out the interval ends of a Bayesian fit, which cost the most. */
  table(kind: Kind, scenario: Scenario, withEnds = true): Table {
    const plain = { ...scenario, population: this.#plain(scenario.population) };
    const table = this.#tables.get(`${scenarioKey(kind, plain)}:${withEnds}`, () =>
      this.#compute(kind, plain, withEnds),
    );
    return scenario.rescaled === null ? table : rescaled(table, scenario.rescaled);
  }

  /**
   * Main values at a fraction of the cost, none further off than `error`: enough to see that a scenario is out of the
   * question. Null where the exact ones are as cheap.
   */
  rough(kind: Kind, scenario: Scenario, precision: RoughPrecision = "fine"): Rough | null {
    if (scenario.rescaled !== null) return null;
    const population = this.#plain(scenario.population);
    const { elo, bayesian_elo: bayesianElo } = scenario.conventions;
    const remembered = (make: () => Rough | null): Rough | null =>
      this.#rough.get(`${scenarioKey(kind, { ...scenario, population })}:${precision}`, make);
    if (kind === "elo") return remembered(() => this.#roughElo(population, elo, eloErrors[precision]));
    if (kind !== "bayesian_elo" || bayesianElo.rater_quality === null) return null;
    return remembered(() => this.#roughQuality(population, bayesianElo));
  }

  #roughElo(population: Population, convention: EloConvention, error: number): Rough | null {
    const recent = this.#recentElo(population);
    const before = recent.work;
    const value = recent.rough(convention, error);
    this.work += recent.work - before;
    return value === null
      ? null
      : { table: { items: this.pairs(population).items, columns: { value } }, error: error * convention.scale };
  }

  #roughQuality(population: Population, convention: BayesianEloConvention): Rough | null {
    const { items } = this.pairs(population);
    const byRater = this.#byRater(population);
    if (byRater.a.length < 10_000) return null;
    // Rounds that change nothing by 0.01 Elo are 0.2 Elo from the fixed point at most (measured); 1 leaves room.
    const { table, iterations } = bayesian(items, byRater, convention, false, undefined, { elo: 0.01, quality: 1 });
    this.work += iterations * byRater.a.length;
    return { table, error: convention.scale / 400 };
  }

  comparisons(population: Population): Comparisons {
    const plain = this.#plain(population);
    return this.#comparisons.get(populationKey(plain), () => {
      this.work += 3 * this.#runs;
      return comparisonsOf(this.ratings, plain);
    });
  }

  pairs(population: Population): Pairs {
    const plain = inServiceOrder(this.#plain(population));
    return this.#pairs.get(populationKey(plain), () => pairsOf(this.#pairings(plain)));
  }

  scores(population: Population): RatedByItem {
    const plain = inServiceOrder(this.#plain(population));
    return this.#scores.get(populationKey(plain), () => {
      this.work += 2 * this.ratings.score.length;
      return scoresByItem(this.ratings, plain);
    });
  }

  /** Two item keys that name every stimulus alike are one. */
  #plain(population: Population): Population {
    return { ...population, item: this.#plainest.get(population.item) ?? population.item };
  }

  /** What one fit with rater quality takes at most. */
  get qualityWork(): number {
    return 50 * this.#runs;
  }

  get #runs(): number {
    return this.ratings.score.length / 2;
  }

  #pairings(population: Population): CountedPairings {
    const plain = inServiceOrder(population);
    return this.#met.get(populationKey(plain), () => {
      this.work += this.#runs;
      return pairingsOf(this.ratings, plain);
    });
  }

  #compute(kind: Kind, { population, conventions }: Scenario, withEnds: boolean): Table {
    switch (kind) {
      case "win_loss":
        return winLoss(this.pairs(population));
      case "percent_chosen":
        return percentChosen(this.pairs(population), conventions);
      case "elo":
        return this.#elo(population, conventions.elo);
      case "bayesian_elo":
        return this.#bayesian(population, conventions.bayesian_elo, withEnds);
      case "mean":
        return mean(this.scores(population), conventions);
      case "stats":
        return stats(this.scores(population), conventions);
      case "percent_approved":
        return percentApproved(this.scores(population), conventions);
    }
  }

  #elo(population: Population, convention: EloConvention): Table {
    const { items, counts } = this.pairs(population);
    const recent = this.#recentElo(population);
    const before = recent.work;
    const value = recent.ratings(convention);
    this.work += recent.work - before;
    const n = comparisonsOfItems(convention.ties === "skip" ? { ...counts, ties: counts.ties.map(() => 0) } : counts);
    return { items, columns: { value, n } };
  }

  #recentElo(population: Population): RecentElo {
    return this.#recent.get(populationKey(population), () => {
      const { present, counts } = this.pairs(population);
      return new RecentElo(new Latest(this.ratings, this.#pairings(population), population.order, present), counts);
    });
  }

  #bayesian(population: Population, convention: BayesianEloConvention, withEnds: boolean): Table {
    const { items, counts } = this.pairs(population);
    const plain = inServiceOrder(population);
    const isConverged = convention.rater_quality === null && convention.stop_elo === null;
    const isWarm = convention.rater_quality === null && convention.stop_elo !== null && convention.start === "warm";
    const data = convention.rater_quality === null ? counts : this.#byRater(population);
    const start = isConverged
      ? this.#guess(population, convention)
      : isWarm
        ? this.#warmStart(plain, counts, convention)
        : undefined;
    const { table, iterations } = bayesian(items, data, convention, withEnds, start);
    this.work += iterations * data.a.length;
    if (isConverged) {
      const strengths = (table.columns["value"] as Float64Array).map((elo) => relative(elo, convention));
      if (strengths.every((s) => s > 1e-6 && s < 1e6)) this.#strengths.set(populationKey(population), strengths);
    }
    return table;
  }

  #warmStart(population: Population, counts: PairCounts, convention: BayesianEloConvention): Float64Array | undefined {
    const { strength, work } = warmStart(
      this.comparisons(population),
      counts,
      convention,
      convention.stop_elo as number,
    );
    this.work += work;
    return strength;
  }

  #byRater(population: Population): RaterPairCounts {
    const plain = inServiceOrder(population);
    return this.#raterPairs.get(populationKey(plain), () => {
      const c = this.comparisons(plain);
      this.work += 5 * c.a.length;
      return raterPairCountsOf(c.items.length, this.ratings.raters.length, c);
    });
  }

  /** λ of the last fit of the same ratings, in units of this prior's mode: Newton has less far to go. */
  #guess(population: Population, { shape, rate }: BayesianEloConvention): Float64Array | undefined {
    return this.#strengths.peek(populationKey(population))?.map((strength) => (strength * (shape - 1)) / rate);
  }
}

/** λ in units of the prior's mode (eloOf in src/metrics, turned round). */
function relative(elo: number, { anchor, scale }: BayesianEloConvention): number {
  return 10 ** ((elo - anchor) / scale);
}

function inServiceOrder(population: Population): Population {
  return { ...population, order: "service" };
}
