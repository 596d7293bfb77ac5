import { mmStrengths } from "../../metrics/bayesian-strengths.js";
import type { BayesianEloConvention } from "../../metrics/conventions.js";
import { pairCountsOf, type PairCounts } from "../../metrics/pair-counts.js";
import { raterPairCountsOf, type RaterPairCounts } from "../../metrics/rater-pair-counts.js";
import { comparisonsOf, type Comparisons } from "../facts/comparisons.js";
import type { Facts } from "../facts/facts.js";
import { populationKey, type Population } from "../facts/population.js";
import { scenarioKey, type Scenario } from "../hypotheses/scenario.js";
import type { Kind } from "../kinds.js";
import { Memory } from "./memory.js";
import { bayesian, elo, percentChosen, winLoss } from "./pairwise.js";
import { rescaled } from "./rescaled.js";
import { mean, percentApproved, scoresByItem, stats, type RatedByItem } from "./scored.js";
import type { Table } from "./table.js";

/** Recomputes a kind under any scenario from one experiment's facts; counts the work it does. */
export class Evaluator {
  readonly facts: Facts;
  /** Ratings, comparisons and pair updates gone through so far: a clock that is the same on every machine. */
  work = 0;
  #comparisons = new Memory<Comparisons>(6);
  #scores = new Memory<RatedByItem>(3);
  #pairs = new Memory<{ items: readonly string[]; counts: PairCounts }>(400);
  #raterPairs = new Memory<{ items: readonly string[]; counts: RaterPairCounts }>(4);
  #tables = new Memory<Table>(2000);

  constructor(facts: Facts) {
    this.facts = facts;
  }

  /** `withEnds` false leaves out the interval ends of a Bayesian fit, which cost the most. */
  table(kind: Kind, scenario: Scenario, withEnds = true): Table {
    const table = this.#tables.get(`${scenarioKey(kind, scenario)}:${withEnds}`, () => this.#compute(kind, scenario, withEnds));
    return scenario.rescaled === null ? table : rescaled(table, scenario.rescaled);
  }

  comparisons(population: Population): Comparisons {
    return this.#comparisons.get(populationKey(population), () => {
      this.work += this.facts.score.length;
      return comparisonsOf(this.facts, population);
    });
  }

  pairs(population: Population): { items: readonly string[]; counts: PairCounts } {
    const inOrder: Population = { ...population, order: "service" };
    return this.#pairs.get(populationKey(inOrder), () => {
      const c = this.comparisons(inOrder);
      this.work += c.a.length;
      return { items: c.items, counts: pairCountsOf(c.items.length, c) };
    });
  }

  scores(population: Population): RatedByItem {
    const inOrder: Population = { ...population, order: "service" };
    return this.#scores.get(populationKey(inOrder), () => {
      this.work += this.facts.score.length;
      return scoresByItem(this.facts, inOrder);
    });
  }

  #compute(kind: Kind, { population, conventions }: Scenario, withEnds: boolean): Table {
    switch (kind) {
      case "win_loss":
        return winLoss(this.pairs(population));
      case "percent_chosen":
        return percentChosen(this.pairs(population), conventions);
      case "elo": {
        const c = this.comparisons(population);
        this.work += c.a.length;
        return elo(c, conventions.elo);
      }
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

  #bayesian(population: Population, convention: BayesianEloConvention, withEnds: boolean): Table {
    const inOrder: Population = { ...population, order: "service" };
    if (convention.rater_quality !== null) {
      const { items, counts } = this.#raterPairs.get(populationKey(inOrder), () => {
        const c = this.comparisons(inOrder);
        this.work += c.a.length;
        return { items: c.items, counts: raterPairCountsOf(c.items.length, this.facts.raters.length, c) };
      });
      this.work += 15 * counts.a.length;
      return bayesian(items, counts, convention, withEnds);
    }
    const { items, counts } = this.pairs(inOrder);
    this.work += 10 * counts.a.length;
    return bayesian(items, counts, convention, withEnds, this.#warmStart(inOrder, convention));
  }

  /** λ carried from session to session, each fit stopped early; undefined where the start does not matter. */
  #warmStart(population: Population, convention: BayesianEloConvention): Float64Array | undefined {
    const { stop_elo: stop, start } = convention;
    if (stop === null || start === "cold") return undefined;
    const c = this.comparisons(population);
    const { items, counts } = this.pairs(population);
    const last = c.session.at(-1);
    const data = { a: counts.a, b: counts.b, wins: new Float64Array(items.length), comparisons: new Float64Array(counts.a.length) };
    const pairOf = new Int32Array(items.length * items.length);
    counts.a.forEach((left, pair) => {
      const right = counts.b[pair] as number;
      pairOf[left * items.length + right] = pairOf[right * items.length + left] = pair;
    });
    let strength: Float64Array | undefined;
    for (let i = 0; i < c.a.length && c.session[i] !== last; i++) {
      const left = c.a[i] as number;
      const right = c.b[i] as number;
      const share = ((c.outcome[i] as number) + 1) / 2;
      data.wins[left] = (data.wins[left] as number) + share;
      data.wins[right] = (data.wins[right] as number) + 1 - share;
      const pair = pairOf[left * items.length + right] as number;
      data.comparisons[pair] = (data.comparisons[pair] as number) + 1;
      if (c.session[i] === c.session[i + 1]) continue;
      this.work += data.a.length >> 2;
      strength = mmStrengths(data, convention, stop, strength).strength;
    }
    return strength;
  }
}
