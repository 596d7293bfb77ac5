import { byText, cachedBy } from "../../platform/index.js";
import { itemKeys, type ItemKey } from "./population.js";
import type { RatingColumns, Stimulus } from "./rating-columns.js";

/** The names of items under an item key, sorted, and the item of each stimulus. */
interface Items {
  readonly names: readonly string[];
  readonly ofStimulus: Int32Array;
}

export function itemName({ id, name, item }: Stimulus, key: ItemKey): string {
  if (key === "own") return item;
  if (key === "stimulus_id") return id;
  if (key === "condition") return name.slice(name.lastIndexOf("/") + 1);
  if (key === "source") return name.includes("/") ? name.slice(0, name.indexOf("/")) : name;
  return name;
}

const itemsOfStimuli = cachedBy((stimuli: readonly Stimulus[], key: ItemKey): Items => {
  const named = stimuli.map((s) => itemName(s, key));
  const names = [...new Set(named)].sort(byText);
  const index = new Map(names.map((name, i) => [name, i]));
  return { names, ofStimulus: Int32Array.from(named, (name) => index.get(name) ?? -1) };
});

export const itemsOf = ({ stimuli }: RatingColumns, key: ItemKey): Items => itemsOfStimuli(stimuli, key);

/** The first item key that names every stimulus like `key`, so that equivalent keys are one. */
export function plainestKey({ stimuli }: RatingColumns, key: ItemKey): ItemKey {
  return itemKeys.find((other) => stimuli.every((s) => itemName(s, other) === itemName(s, key))) ?? key;
}
