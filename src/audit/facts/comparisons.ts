import type { OrderedComparisons } from "../../metrics/elo.js";
import { byText } from "../order.js";
import { orderOf } from "./ordering.js";
import type { Facts } from "./facts.js";
import { selectRatings, type Population } from "./population.js";

/** The comparisons of one population in its order. */
export interface Comparisons extends OrderedComparisons {
  readonly items: readonly string[];
  readonly rater: Int32Array;
  readonly slate: Int32Array;
}

/** The names of items under an item key, sorted, and the item of each stimulus. */
export interface Items {
  readonly names: readonly string[];
  readonly ofStimulus: Int32Array;
}

export function itemName(stimulus: Facts["stimuli"][number], key: Population["item"]): string {
  const { id, name, item } = stimulus;
  if (key === "own") return item;
  if (key === "stimulus_id") return id;
  if (key === "condition") return name.slice(name.lastIndexOf("/") + 1);
  if (key === "source") return name.includes("/") ? name.slice(0, name.indexOf("/")) : name;
  return name;
}

export function itemsOf(facts: Facts, key: Population["item"]): Items {
  const named = facts.stimuli.map((s) => itemName(s, key));
  const names = [...new Set(named)].sort(byText);
  const index = new Map(names.map((name, i) => [name, i]));
  return { names, ofStimulus: Int32Array.from(named, (name) => index.get(name) ?? -1) };
}

/**
 * Slate and dimension with exactly two counted ratings of two different items (metrics: "comparison"). Items that
 * no comparison names are left out; of two items a is the one that sorts first.
 */
export function comparisonsOf(facts: Facts, p: Population): Comparisons {
  const chosen = selectRatings(facts, p);
  const { names, ofStimulus } = itemsOf(facts, p.item);
  const { slate, dimension, stimulus, score } = facts;
  const left = new Int32Array(chosen.length >> 1);
  const right = new Int32Array(chosen.length >> 1);
  let pairs = 0;
  for (let i = 0; i < chosen.length; ) {
    let first = -1;
    let second = -1;
    let count = 0;
    const from = i;
    for (; i < chosen.length && slate[i] === slate[from] && dimension[i] === dimension[from]; i++) {
      if (chosen[i] === 0) continue;
      if (count++ === 0) first = i;
      else second = i;
    }
    if (count !== 2 || slate[from] === -1 || ofStimulus[stimulus[first] as number] === ofStimulus[stimulus[second] as number]) continue;
    left[pairs] = first;
    right[pairs++] = second;
  }
  const played = new Int32Array(names.length).fill(-1);
  const order = orderOf(facts, p.order, left.subarray(0, pairs));
  const a = new Int32Array(pairs);
  const b = new Int32Array(pairs);
  const outcome = new Int8Array(pairs);
  for (let n = 0; n < pairs; n++) {
    const at = order === null ? n : (order[n] as number);
    const swap = (ofStimulus[stimulus[left[at] as number] as number] as number) > (ofStimulus[stimulus[right[at] as number] as number] as number);
    const l = (swap ? right : left)[at] as number;
    const r = (swap ? left : right)[at] as number;
    a[n] = ofStimulus[stimulus[l] as number] as number;
    b[n] = ofStimulus[stimulus[r] as number] as number;
    outcome[n] = Math.sign((score[l] as number) - (score[r] as number));
    played[a[n] as number] = 0;
    played[b[n] as number] = 0;
  }
  const items = names.filter((_, i) => played[i] === 0);
  let next = 0;
  for (let i = 0; i < played.length; i++) if (played[i] === 0) played[i] = next++;
  for (let n = 0; n < pairs; n++) {
    a[n] = played[a[n] as number] as number;
    b[n] = played[b[n] as number] as number;
  }
  const take = (column: Int32Array): Int32Array => {
    const taken = new Int32Array(pairs);
    for (let n = 0; n < pairs; n++) taken[n] = column[left[order === null ? n : (order[n] as number)] as number] as number;
    return taken;
  };
  return { items, a, b, outcome, session: take(facts.session), rater: take(facts.rater), slate: take(facts.slate) };
}
