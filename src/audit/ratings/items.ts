import { byText } from "../../platform/index.js";
import type { RatingColumns } from "./rating-columns.js";
import { itemKeys, type Population } from "./population.js";

type ItemKey = Population["item"];

/** The names of items under an item key, sorted, and the item of each stimulus. */
export interface Items {
  readonly names: readonly string[];
  readonly ofStimulus: Int32Array;
}

export function itemName(stimulus: RatingColumns["stimuli"][number], key: ItemKey): string {
  const { id, name, item } = stimulus;
  if (key === "own") return item;
  if (key === "stimulus_id") return id;
  if (key === "condition") return name.slice(name.lastIndexOf("/") + 1);
  if (key === "source") return name.includes("/") ? name.slice(0, name.indexOf("/")) : name;
  return name;
}

const known = new WeakMap<RatingColumns["stimuli"], Map<ItemKey, Items>>();

export function itemsOf({ stimuli }: RatingColumns, key: ItemKey): Items {
  const byKey = known.get(stimuli) ?? new Map<ItemKey, Items>();
  known.set(stimuli, byKey);
  const items = byKey.get(key) ?? find(stimuli, key);
  byKey.set(key, items);
  return items;
}

function find(stimuli: RatingColumns["stimuli"], key: ItemKey): Items {
  const named = stimuli.map((s) => itemName(s, key));
  const names = [...new Set(named)].sort(byText);
  const index = new Map(names.map((name, i) => [name, i]));
  return { names, ofStimulus: Int32Array.from(named, (name) => index.get(name) ?? -1) };
}

/** The first item key that names every stimulus as `key` does: keys that mean the same are one. */
export function plainestKey(ratings: RatingColumns, key: ItemKey): ItemKey {
  return itemKeys.find((other) => ratings.stimuli.every((s) => itemName(s, other) === itemName(s, key))) ?? key;
}
