import { bayesianElo } from "../bayesian-elo/bayesian-elo.js";
import { derivatives } from "../bradley-terry/derivatives.js";
import { likelihoodClasses } from "../bradley-terry/classes.js";
import { fitWorths } from "../bradley-terry/model.js";
import type { Conventions } from "../conventions.js";
import { placesByValue } from "../numeric/arrays.js";
import { onlineElo } from "../elo/online-elo.js";
import { factorInPlace, substitute } from "../numeric/solvers.js";
import type { PairCounts } from "../pair-counts.js";
import type { OrderedComparisons } from "../sample.js";

/** A way to rank items from votes that can be left out. */
export interface Rule {
  readonly items: number;
  readonly votes: number;
  /** The value of each item without the votes that `isLeftOut` marks; null if there is none. */
  values(isLeftOut: Uint8Array): Float64Array | null;
  /** For each vote, about how much value[i] − value[j] falls without it. */
  influence(i: number, j: number): Float64Array;
  /** The fewest votes without which j is above i, if a formula gives them; null if there are none. */
  readonly fewestVotes?: (i: number, j: number) => readonly number[] | null;
}

interface RuleVotes extends OrderedComparisons {
  readonly items: number;
}

/** Counts of pairs without the votes left out. */
function countsOf({ items, a, b, outcome }: RuleVotes): (isLeftOut: Uint8Array) => PairCounts {
  const table = new Int32Array(items * items).fill(-1);
  const pairs: [number, number][] = [];
  const pair = a.map((left, vote) => {
    const cell = left * items + b[vote]!;
    if (table[cell] === -1) table[cell] = pairs.push([left, b[vote]!]) - 1;
    return table[cell]!;
  });
  const own = { items, a: Int32Array.from(pairs, ([left]) => left), b: Int32Array.from(pairs, ([, right]) => right) };
  return (isLeftOut) => {
    const sums = [0, 1, 2].map(() => new Float64Array(pairs.length));
    for (let vote = 0; vote < pair.length; vote++)
      if (isLeftOut[vote] === 0) sums[outcome[vote]! + 1]![pair[vote]!]! += 1;
    return { ...own, winsB: sums[0]!, ties: sums[1]!, winsA: sums[2]! };
  };
}

/**
 * What each vote adds to the difference of two log worths, by one step of Newton's method:
 * (x' H⁻¹ c) (y − p) / (1 − h), with h the vote's leverage p (1 − p) x' H⁻¹ x.
 */
function newtonInfluence(
  { items, a, b, outcome }: RuleVotes,
  counts: PairCounts,
  logWorth: Float64Array,
  prior: Float64Array,
) {
  const { information } = derivatives(counts, logWorth);
  prior.forEach((own, i) => (information[i * items + i]! += own));
  const isSolved = factorInPlace(information, items);
  const solved = (i: number, j: number): Float64Array => {
    const contrast = new Float64Array(items);
    contrast[i] = 1;
    contrast[j] = -1;
    if (isSolved) substitute(information, contrast, items);
    return contrast;
  };
  const spread = new Float64Array(items * items);
  counts.a.forEach((left, p) => {
    const x = solved(left, counts.b[p]!);
    spread[left * items + counts.b[p]!] = x[left]! - x[counts.b[p]!]!;
  });
  return (i: number, j: number): Float64Array => {
    const own = solved(i, j);
    const influence = new Float64Array(a.length);
    for (let vote = 0; vote < a.length; vote++) {
      const left = a[vote]!;
      const right = b[vote]!;
      const p = 1 / (1 + Math.exp(logWorth[right]! - logWorth[left]!));
      const leverage = Math.min(0.99, p * (1 - p) * spread[left * items + right]!);
      influence[vote] = ((own[left]! - own[right]!) * ((outcome[vote]! + 1) / 2 - p)) / (1 - leverage);
    }
    return influence;
  };
}

/** Maximum likelihood. It has no values if some items won or lost everything against the others. */
export function bradleyTerryRule(votes: RuleVotes, { bradley_terry: { ties } }: Conventions): Rule | null {
  const count = countsOf(votes);
  const values = (isLeftOut: Uint8Array): Float64Array | null => {
    const counts = count(isLeftOut);
    if (likelihoodClasses(counts).classes > 1) return null;
    const fit = fitWorths(counts, ties, undefined);
    return fit.converged ? fit.logWorth : null;
  };
  const none = new Uint8Array(votes.a.length);
  const logWorth = values(none);
  if (logWorth === null) return null;
  const influence = newtonInfluence(votes, count(none), logWorth, new Float64Array(0));
  return { items: votes.items, votes: none.length, values, influence };
}

/** Logarithms of the mode of the posterior. There is no rule under a convention with rater quality or a warm start. */
export function bayesianEloRule(votes: RuleVotes, { bayesian_elo: convention }: Conventions): Rule | null {
  if (convention.rater_quality !== null || convention.start === "warm") return null;
  const count = countsOf(votes);
  const none = new Uint8Array(votes.a.length);
  const { strength } = bayesianElo(count(none), convention);
  // The prior's curvature in log λ is rate · λ.
  const prior = strength.map((own) => own * convention.rate);
  return {
    items: votes.items,
    votes: none.length,
    values: (isLeftOut) => bayesianElo(count(isLeftOut), convention).strength.map(Math.log),
    influence: newtonInfluence(votes, count(none), strength.map(Math.log), prior),
  };
}

/** Online Elo by replay; the influence is the exact derivative of the final difference by each update, backwards. */
export function eloRule(votes: RuleVotes, { elo: convention }: Conventions): Rule {
  const { items, a, b, outcome, session } = votes;
  const rate = Math.log(convention.base) / convention.scale;
  const values = (isLeftOut: Uint8Array): Float64Array => {
    const kept = (_: unknown, vote: number): boolean => isLeftOut[vote] === 0;
    const games = {
      a: a.filter(kept),
      b: b.filter(kept),
      outcome: outcome.filter(kept),
      session: session.filter(kept),
    };
    return onlineElo(items, games, convention).rating;
  };
  return {
    items,
    votes: a.length,
    values,
    influence(i, j) {
      const change = new Float64Array(a.length);
      const expected = new Float64Array(a.length);
      const rating = new Float64Array(items).fill(convention.start);
      const isCounted = (vote: number): boolean => outcome[vote] !== 0 || convention.ties === "count";
      for (let vote = 0; vote < a.length; vote++) {
        if (!isCounted(vote)) continue;
        const score = outcome[vote] === 0 ? convention.tie_value : (outcome[vote]! + 1) / 2;
        expected[vote] = 1 / (1 + Math.exp(-rate * (rating[a[vote]!]! - rating[b[vote]!]!)));
        change[vote] = convention.k * (score - expected[vote]!);
        rating[a[vote]!]! += change[vote]!;
        rating[b[vote]!]! -= change[vote]!;
      }
      const slope = new Float64Array(items);
      slope[i] = 1;
      slope[j] = -1;
      for (let vote = a.length - 1; vote >= 0; vote--) {
        if (!isCounted(vote)) continue;
        const lead = slope[a[vote]!]! - slope[b[vote]!]!;
        change[vote]! *= lead;
        const pull = convention.k * rate * expected[vote]! * (1 - expected[vote]!) * lead;
        slope[a[vote]!]! -= pull;
        slope[b[vote]!]! += pull;
      }
      return change;
    },
  };
}

/** Share of comparisons won; a tie counts as the convention of percent_chosen says. */
export function percentChosenRule(votes: RuleVotes, { ties: { percent_chosen: ties } }: Conventions): Rule {
  const { items, a, b, outcome } = votes;
  const worth = (result: number): number => (result === 0 ? (ties === "half" ? 0.5 : 0) : (result + 1) / 2);
  const counts = (vote: number): boolean => outcome[vote] !== 0 || ties !== "exclude";
  const tally = (isLeftOut: Uint8Array) => {
    const won = new Float64Array(items);
    const n = new Float64Array(items);
    for (let vote = 0; vote < a.length; vote++) {
      if (isLeftOut[vote] === 1 || !counts(vote)) continue;
      won[a[vote]!]! += worth(outcome[vote]!);
      won[b[vote]!]! += worth(-outcome[vote]!);
      n[a[vote]!]! += 1;
      n[b[vote]!]! += 1;
    }
    return { share: won.map((own, item) => own / n[item]!), n };
  };
  return {
    items,
    votes: a.length,
    values(isLeftOut) {
      const { share } = tally(isLeftOut);
      return share.some(Number.isNaN) ? null : share;
    },
    influence(i, j) {
      const { share, n } = tally(new Uint8Array(a.length));
      const moved = (item: number, result: number): number =>
        (worth(result) - share[item]!) / Math.max(1, n[item]! - 1);
      const of = (item: number, vote: number): number =>
        a[vote] === item ? moved(item, outcome[vote]!) : b[vote] === item ? moved(item, -outcome[vote]!) : 0;
      return Float64Array.from(a, (_, vote) => (counts(vote) ? of(i, vote) - of(j, vote) : 0));
    },
  };
}

/** Scores of items, in any order. */
export interface Scores {
  readonly items: number;
  readonly item: Int32Array;
  readonly score: Float64Array;
}

/** The mean score of each item. It has no values if an item has no score left. */
export function meanRule({ items, item, score }: Scores): Rule {
  const byItem = placesByValue(item, items);
  const sorted = Array.from({ length: items }, (_, i) =>
    Array.from(byItem.places.subarray(byItem.from[i], byItem.from[i + 1])).sort(
      (x, y) => score[x]! - score[y]! || x - y,
    ),
  );
  const means = (isLeftOut: Uint8Array) => {
    const sum = new Float64Array(items);
    const n = new Float64Array(items);
    for (let vote = 0; vote < item.length; vote++) {
      if (isLeftOut[vote] === 1) continue;
      sum[item[vote]!]! += score[vote]!;
      n[item[vote]!]! += 1;
    }
    return { mean: sum.map((own, i) => own / n[i]!), n };
  };
  return {
    items,
    votes: item.length,
    values(isLeftOut) {
      const { mean } = means(isLeftOut);
      return mean.some(Number.isNaN) ? null : mean;
    },
    fewestVotes(i, j) {
      // The best of i from above and the worst of j from below: for each number of the one the smallest of the other.
      const high = sorted[i]!.toReversed();
      const low = sorted[j]!;
      const without = (order: readonly number[]): number[] => {
        let sum = order.reduce((all, vote) => all + score[vote]!, 0);
        return order.map((vote, left) => {
          const mean = sum / (order.length - left);
          sum -= score[vote]!;
          return mean;
        });
      };
      const falling = without(high);
      const rising = without(low);
      let best: readonly [number, number] | null = null;
      let y = low.length;
      for (let x = 0; x < falling.length; x++) {
        while (y > 0 && rising[y - 1]! > falling[x]!) y--;
        if (y < low.length && (best === null || x + y < best[0] + best[1])) best = [x, y];
      }
      return best && [...high.slice(0, best[0]), ...low.slice(0, best[1])];
    },
    influence(i, j) {
      const { mean, n } = means(new Uint8Array(item.length));
      return Float64Array.from(item, (own, vote) => {
        if (own !== i && own !== j) return 0;
        return ((own === i ? 1 : -1) * (score[vote]! - mean[own]!)) / Math.max(1, n[own]! - 1);
      });
    },
  };
}
