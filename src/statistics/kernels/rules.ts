import {
  bayesianElo,
  type Conventions,
  derivatives,
  distinctOf,
  eloRatings,
  factorInPlace,
  fitWorths,
  isAbove,
  joined,
  likelihoodClasses,
  onlineElo,
  type OrderedComparisons,
  type PairCounts,
  pairIndex,
  placesByValue,
  type PlacesByValue,
  placesOf,
  substitute,
  type WorthFit,
} from "../../metrics/index.js";
import { remembered } from "../../platform/index.js";

/** A way to rank items from votes that can be left out. */
export interface Rule {
  readonly items: number;
  /** The class of each vote, from 0: votes of one class have the same influence. */
  readonly classOf: Int32Array;
  /** The votes of each class. */
  readonly byClass: PlacesByValue;
  /** Operations of one call of `values`, about. */
  readonly work: number;
  /**
   * The value of each item without some votes, which are given by their places; null if there is
   * none.
   */
  values(leftOut: ArrayLike<number>): Float64Array | null;
  /** For each class, about how much value[i] − value[j] falls without one of its votes. */
  influence(i: number, j: number): Float64Array;
  /**
   * The fewest votes without which j is above i, if a formula gives them; null if there are none,
   * or more than `most`.
   */
  readonly fewestVotes?: (i: number, j: number, most: number) => Int32Array | null;
}

/** Comparisons, in order, and their classes: one for each pair and outcome. */
export interface RuleVotes extends OrderedComparisons {
  readonly items: number;
  readonly classed: Pick<Rule, "items" | "classOf" | "byClass" | "work">;
  /** The counts of pairs without some votes. */
  readonly countsOf: (leftOut: ArrayLike<number>) => PairCounts;
}

/** Votes counted by class, without some of them. */
function countsByClass(
  classOf: Int32Array,
  classes: number,
): (leftOut: ArrayLike<number>) => Float64Array {
  const all = new Float64Array(classes);
  for (let vote = 0; vote < classOf.length; vote++) all[classOf[vote]!]! += 1;
  return (leftOut) => {
    const counts = all.slice();
    for (let at = 0; at < leftOut.length; at++) counts[classOf[leftOut[at]!]!]! -= 1;
    return counts;
  };
}

export function ruleVotes(items: number, games: OrderedComparisons): RuleVotes {
  const pairs = pairIndex({ items, ...games });
  const classOf = new Int32Array(games.a.length);
  for (let vote = 0; vote < classOf.length; vote++)
    classOf[vote] = 3 * pairs.ofEntry[vote]! + games.outcome[vote]! + 1;
  const classes = 3 * pairs.a.length;
  const count = countsByClass(classOf, classes);
  const countsOf = (leftOut: ArrayLike<number>): PairCounts => {
    const counts = count(leftOut);
    const of = (result: number): Float64Array => {
      const own = new Float64Array(pairs.a.length);
      for (let pair = 0; pair < own.length; pair++) own[pair] = counts[3 * pair + result]!;
      return own;
    };
    return { items, a: pairs.a, b: pairs.b, winsB: of(0), ties: of(1), winsA: of(2) };
  };
  // An iteration reads the pairs and solves for the items; there are about ten.
  const work = 10 * (classes + items * items);
  return {
    ...games,
    items,
    classed: { items, classOf, byClass: placesByValue(classOf, classes), work },
    countsOf,
  };
}

const nobody = new Int32Array(0);

/**
 * What a vote of each class adds to the difference of two log worths, by one step of Newton's
 * method: (x' H⁻¹ c) (y − p) / (1 − h), with h the vote's leverage p (1 − p) x' H⁻¹ x.
 */
function newtonInfluence(counts: PairCounts, logWorth: Float64Array, prior: Float64Array) {
  const { items, a, b } = counts;
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
  const spread = Float64Array.from(a, (left, pair) => {
    const x = solved(left, b[pair]!);
    return x[left]! - x[b[pair]!]!;
  });
  return (i: number, j: number): Float64Array => {
    const own = solved(i, j);
    const influence = new Float64Array(3 * a.length);
    for (let pair = 0; pair < a.length; pair++) {
      const left = a[pair]!;
      const right = b[pair]!;
      const p = 1 / (1 + Math.exp(logWorth[right]! - logWorth[left]!));
      const leverage = Math.min(0.99, p * (1 - p) * spread[pair]!);
      for (let result = 0; result < 3; result++)
        influence[3 * pair + result] =
          ((own[left]! - own[right]!) * (result / 2 - p)) / (1 - leverage);
    }
    return influence;
  };
}

/** Maximum likelihood. It has no values if some items won or lost everything against the others. */
export function bradleyTerryRule(
  { classed, countsOf }: RuleVotes,
  { bradley_terry: { ties } }: Conventions,
): Rule | null {
  let start: WorthFit | undefined;
  const values = (leftOut: ArrayLike<number>): Float64Array | null => {
    const counts = countsOf(leftOut);
    if (likelihoodClasses(counts).classes > 1) return null;
    const fit = fitWorths(counts, ties, start);
    if (!fit.converged) return null;
    start ??= fit;
    return fit.logWorth;
  };
  const logWorth = values(nobody);
  if (logWorth === null) return null;
  return {
    ...classed,
    values,
    influence: newtonInfluence(countsOf(nobody), logWorth, new Float64Array(0)),
  };
}

/**
 * Logarithms of the mode of the posterior. There is no rule under a convention with rater quality
 * or a warm start.
 */
export function bayesianEloRule(
  { classed, countsOf }: RuleVotes,
  { bayesian_elo: convention }: Conventions,
): Rule | null {
  if (convention.rater_quality !== null || convention.start === "warm") return null;
  const { strength } = bayesianElo(countsOf(nobody), convention);
  // The prior's curvature in log λ is rate · λ.
  const prior = strength.map((own) => own * convention.rate);
  // Where a fit stops early, its start decides.
  const start = convention.stop_elo === null ? strength : undefined;
  return {
    ...classed,
    values: (leftOut) => bayesianElo(countsOf(leftOut), convention, start).strength.map(Math.log),
    influence: newtonInfluence(countsOf(nobody), strength.map(Math.log), prior),
  };
}

/** Ratings that start from others and agree to this many Elo have forgotten the start. */
const forgottenElo = 1e-9;

/**
 * Comparisons before which the ratings no longer matter for the last ones: twice as many as make
 * two starts agree.
 */
function forgottenBefore(
  items: number,
  games: OrderedComparisons,
  convention: Conventions["elo"],
): number {
  const { rating } = onlineElo(items, games, convention);
  const all = games.a.length;
  for (let last = 200 * items; 2 * last < all; last *= 2) {
    const replayed = onlineElo(items, gamesBetween(games, all - last, all), convention).rating;
    if (replayed.every((own, i) => Math.abs(own - rating[i]!) < forgottenElo))
      return firstVoteOfSession(games.session)[all - 2 * last]!;
  }
  return 0;
}

const gamesBetween = (
  { a, b, outcome, session }: OrderedComparisons,
  from: number,
  to: number,
): OrderedComparisons => ({
  a: a.subarray(from, to),
  b: b.subarray(from, to),
  outcome: outcome.subarray(from, to),
  session: session.subarray(from, to),
});

/** For each vote, the place of the first one of its session. */
export function firstVoteOfSession(session: Int32Array): Int32Array {
  const starts = new Int32Array(session.length);
  for (let vote = 1; vote < starts.length; vote++)
    starts[vote] = session[vote] === session[vote - 1] ? starts[vote - 1]! : vote;
  return starts;
}

/**
 * Online Elo by replay; the influence is the exact derivative of the final difference by each
 * update, backwards.
 */
export function eloRule(votes: RuleVotes, { elo: convention }: Conventions): Rule {
  const { items, a, b, outcome } = votes;
  const rate = Math.log(convention.base) / convention.scale;
  const from = forgottenBefore(items, votes, convention);
  const initial = onlineElo(items, gamesBetween(votes, 0, from), convention).rating;
  const last = gamesBetween(votes, from, a.length);
  const isCounted = (vote: number): boolean => outcome[vote] !== 0 || convention.ties === "count";
  const changes = new Float64Array(a.length);
  const pulls = new Float64Array(a.length);
  const rating = initial.slice();
  for (let vote = from; vote < a.length; vote++) {
    if (!isCounted(vote)) continue;
    const score = outcome[vote] === 0 ? convention.tie_value : (outcome[vote]! + 1) / 2;
    const expected = 1 / (1 + Math.exp(-rate * (rating[a[vote]!]! - rating[b[vote]!]!)));
    changes[vote] = convention.k * (score - expected);
    pulls[vote] = convention.k * rate * expected * (1 - expected);
    rating[a[vote]!]! += changes[vote]!;
    rating[b[vote]!]! -= changes[vote]!;
  }
  // All that is forgotten is one class, without influence.
  const classOf = a.map((_, vote) => Math.max(0, vote - from + 1));
  return {
    items,
    classOf,
    byClass: placesByValue(classOf, a.length - from + 1),
    work: a.length - from,
    values(leftOut) {
      const isKept = new Uint8Array(last.a.length).fill(1);
      for (let at = 0; at < leftOut.length; at++)
        if (leftOut[at]! >= from) isKept[leftOut[at]! - from] = 0;
      if (convention.update === "session_batch") {
        const kept = <V extends Int32Array | Int8Array>(column: V): V =>
          column.filter((_, at) => isKept[at] === 1) as V;
        const games = {
          a: kept(last.a),
          b: kept(last.b),
          outcome: kept(last.outcome),
          session: kept(last.session),
        };
        return onlineElo(items, games, convention, initial).rating;
      }
      const ratings = eloRatings(items, last, convention, initial);
      let next = 0;
      for (let at = isKept.indexOf(0); at !== -1; at = isKept.indexOf(0, next)) {
        ratings.play(next, at);
        next = at + 1;
      }
      ratings.play(next, isKept.length);
      return ratings.rating;
    },
    influence(i, j) {
      const influence = new Float64Array(a.length - from + 1);
      const slope = new Float64Array(items);
      slope[i] = 1;
      slope[j] = -1;
      for (let vote = a.length - 1; vote >= from; vote--) {
        if (!isCounted(vote)) continue;
        const lead = slope[a[vote]!]! - slope[b[vote]!]!;
        influence[vote - from + 1] = changes[vote]! * lead;
        slope[a[vote]!]! -= pulls[vote]! * lead;
        slope[b[vote]!]! += pulls[vote]! * lead;
      }
      return influence;
    },
  };
}

interface ShareSide {
  readonly won: number;
  readonly n: number;
  /**
   * Votes against third items: wins of the first item, losses of the second; ties where leaving
   * them out may help.
   */
  readonly decided: Int32Array;
  readonly tied: Int32Array;
}

/**
 * The fewest votes without which the second item has the larger share of wins; null if there are
 * none, or more than `most`. Where the first beat the second one vote does the work of two, so
 * these go first; ties of the two are tried in every number.
 */
function fewestForShare(
  first: ShareSide,
  second: ShareSide,
  shared: Pick<ShareSide, "decided" | "tied">,
  tie: number,
  most: number,
): Int32Array | null {
  // No vote does more than to take a win from the first item and a defeat from the second.
  const left = { first: first.n - most, second: second.n - most };
  if (
    left.first > 0 &&
    left.second > 0 &&
    second.won * left.first <= (first.won - most) * left.second
  )
    return null;
  const isOver = (beaten: number, tied: number, x: number, y: number): boolean => {
    const fell =
      Math.min(x, first.decided.length) + tie * (tied + Math.max(0, x - first.decided.length));
    const lost = tie * (tied + Math.max(0, y - second.decided.length));
    const n = first.n - beaten - tied - x;
    const m = second.n - beaten - tied - y;
    return n > 0 && m > 0 && (second.won - lost) * n > (first.won - beaten - fell) * m;
  };
  const beaten = shared.decided.length;
  for (let some = 1; some <= beaten; some++)
    if (isOver(some, 0, 0, 0)) return shared.decided.slice(0, some);
  let best = { tied: 0, x: 0, y: Infinity };
  const sizeOf = ({ tied, x, y }: typeof best): number => tied + x + y;
  for (let tied = 0; tied <= shared.tied.length && tied < sizeOf(best); tied++) {
    // The more of the first are left out, the fewer of the second have to be.
    let y = Math.min(second.decided.length + second.tied.length, second.n - beaten - tied - 1);
    for (let x = 0; x <= first.decided.length + first.tied.length && tied + x < sizeOf(best); x++) {
      if (!isOver(beaten, tied, x, y)) continue;
      while (y > 0 && isOver(beaten, tied, x, y - 1)) y--;
      if (tied + x + y < sizeOf(best)) best = { tied, x, y };
    }
  }
  if (best.y === Infinity) return null;
  return joined([
    shared.decided,
    shared.tied.subarray(0, best.tied),
    joined([first.decided, first.tied]).subarray(0, best.x),
    joined([second.decided, second.tied]).subarray(0, best.y),
  ]);
}

/** Share of comparisons won; a tie counts as the convention of percent_chosen says. */
export function percentChosenRule(
  { items, classed, countsOf }: RuleVotes,
  { ties: { percent_chosen: ties } }: Conventions,
): Rule {
  const tie = ties === "half" ? 0.5 : 0;
  const isTieCounted = ties !== "exclude";
  const tally = (leftOut: ArrayLike<number>) => {
    const { a, b, ...counts } = countsOf(leftOut);
    const won = new Float64Array(items);
    const n = new Float64Array(items);
    for (let pair = 0; pair < a.length; pair++) {
      const tied = counts.ties[pair]!;
      const all = counts.winsA[pair]! + counts.winsB[pair]! + (isTieCounted ? tied : 0);
      won[a[pair]!]! += counts.winsA[pair]! + tie * tied;
      won[b[pair]!]! += counts.winsB[pair]! + tie * tied;
      n[a[pair]!]! += all;
      n[b[pair]!]! += all;
    }
    return { a, b, won, n, share: won.map((own, item) => own / n[item]!) };
  };
  const worths = [0, tie, 1];
  return {
    ...classed,
    fewestVotes(i, j, most) {
      const { a, b, won, n } = tally(nobody);
      /**
       * The votes with a result for `item`: 0 lost, 1 tied, 2 won; against `other`, or against all
       * but `other`.
       */
      const votesOf = (
        item: number,
        other: number,
        isAgainst: boolean,
        own: number,
      ): Int32Array => {
        const parts: Int32Array[] = [];
        for (let pair = 0; pair < a.length; pair++) {
          const isLeft = a[pair] === item;
          if (
            (!isLeft && b[pair] !== item) ||
            (a[pair] === other || b[pair] === other) !== isAgainst
          )
            continue;
          parts.push(placesOf(classed.byClass, 3 * pair + (isLeft ? own : 2 - own)));
        }
        return joined(parts);
      };
      const tied = (item: number, other: number, isAgainst: boolean): Int32Array =>
        isTieCounted ? votesOf(item, other, isAgainst, 1) : nobody;
      return fewestForShare(
        {
          won: won[i]!,
          n: n[i]!,
          decided: votesOf(i, j, false, 2),
          tied: tie > 0 ? tied(i, j, false) : nobody,
        },
        { won: won[j]!, n: n[j]!, decided: votesOf(j, i, false, 0), tied: tied(j, i, false) },
        { decided: votesOf(i, j, true, 2), tied: tied(i, j, true) },
        tie,
        most,
      );
    },
    values(leftOut) {
      const { share } = tally(leftOut);
      return share.some(Number.isNaN) ? null : share;
    },
    influence(i, j) {
      const { a, b, share, n } = tally(nobody);
      const moved = (item: number, worth: number): number =>
        (worth - share[item]!) / Math.max(1, n[item]! - 1);
      const influence = new Float64Array(3 * a.length);
      for (let pair = 0; pair < a.length; pair++)
        for (let result = 0; result < 3; result++) {
          if (result === 1 && !isTieCounted) continue;
          const of = (item: number): number =>
            a[pair] === item
              ? moved(item, worths[result]!)
              : b[pair] === item
                ? moved(item, worths[2 - result]!)
                : 0;
          influence[3 * pair + result] = of(i) - of(j);
        }
      return influence;
    },
  };
}

/** Scores of items, in any order. */
export interface Scores {
  readonly items: number;
  readonly item: Int32Array;
  readonly score: Float64Array;
}

/** A class for each item and score, in this order. */
function classesOfScores({ item, score }: Scores) {
  const scores = distinctOf(score);
  const size = scores.distinct.length;
  const { distinct, places } = distinctOf(
    score.map((_, vote) => item[vote]! * size + scores.places[vote]!),
  );
  const scoreOf = distinct.map((own) => scores.distinct[own % size]!);
  return {
    classOf: places,
    classes: distinct.length,
    scoreOf,
    itemOf: distinct.map((own) => Math.floor(own / size)),
  };
}

/** The mean score of each item. It has no values if an item has no score left. */
export function meanRule(scores: Scores): Rule {
  const { items } = scores;
  const { classOf, classes, scoreOf, itemOf } = classesOfScores(scores);
  const count = countsByClass(classOf, classes);
  const byClass = placesByValue(classOf, classes);
  const { from, places } = byClass;
  // The votes of each item, lowest score first.
  const sorted = Array.from({ length: items }, (_, i) =>
    places.subarray(from[itemOf.indexOf(i)], from[itemOf.lastIndexOf(i) + 1]),
  );
  const means = (leftOut: ArrayLike<number>) => {
    const counts = count(leftOut);
    const sum = new Float64Array(items);
    const n = new Float64Array(items);
    for (let own = 0; own < classes; own++) {
      sum[itemOf[own]!]! += counts[own]! * scoreOf[own]!;
      n[itemOf[own]!]! += counts[own]!;
    }
    return { mean: sum.map((own, i) => own / n[i]!), n };
  };
  /** Means of an item as its votes are left out one after the other. */
  const without = (order: Int32Array): Float64Array => {
    const found = new Float64Array(order.length);
    // Summed up from the last vote, which is left out last.
    let sum = 0;
    for (let left = order.length - 1; left >= 0; left--) {
      sum += scoreOf[classOf[order[left]!]!]!;
      found[left] = sum / (order.length - left);
    }
    return found;
  };
  const falling = remembered((item: number) => without(sorted[item]!.toReversed()));
  const rising = remembered((item: number) => without(sorted[item]!));
  return {
    items,
    classOf,
    byClass,
    work: classes,
    values(leftOut) {
      const { mean } = means(leftOut);
      return mean.some(Number.isNaN) ? null : mean;
    },
    fewestVotes(i, j, most) {
      // The best of i from above and the worst of j from below: for each number of the one the
      // smallest of the other.
      const high = falling(i);
      const low = rising(j);
      let best = { x: 0, y: Infinity };
      let y = low.length;
      for (let x = 0; x < high.length && x <= most && x < best.x + best.y; x++) {
        while (y > 0 && isAbove(low[y - 1]!, high[x]!)) y--;
        if (y < low.length && x + y < best.x + best.y) best = { x, y };
      }
      if (best.y === Infinity) return null;
      const top = sorted[i]!.subarray(sorted[i]!.length - best.x);
      return Int32Array.from([...top, ...sorted[j]!.subarray(0, best.y)]);
    },
    influence(i, j) {
      const { mean, n } = means(nobody);
      return Float64Array.from(scoreOf, (own, at) => {
        const item = itemOf[at]!;
        if (item !== i && item !== j) return 0;
        return ((item === i ? 1 : -1) * (own - mean[item]!)) / Math.max(1, n[item]! - 1);
      });
    },
  };
}
