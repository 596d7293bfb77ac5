/** The names of items: of ratings by each key, and how published lists may name them. */
import { type Row, type Warehouse, textOf } from "../../warehouse/index.js";
import { groupsOf } from "../../platform/index.js";

export interface Stimulus {
  readonly id: string;
  readonly name: string;
  /** By the run's conventions. */
  readonly item: string;
}

export const itemKeys = ["own", "stimulus", "condition", "source", "stimulus_id"] as const;

export type ItemKey = (typeof itemKeys)[number];

export function itemName({ id, name, item }: Stimulus, key: ItemKey): string {
  if (key === "own") return item;
  if (key === "stimulus_id") return id;
  if (key === "condition") return name.slice(name.lastIndexOf("/") + 1);
  if (key === "source") return name.includes("/") ? name.slice(0, name.indexOf("/")) : name;
  return name;
}

export interface ItemNames {
  readonly names: ReadonlySet<string>;
  /** Only identifiers that name exactly one item. */
  readonly itemOfId: ReadonlyMap<string, string>;
  readonly stimuli: ReadonlyMap<string, ReadonlySet<string>>;
}

export const noNames: ItemNames = {
  names: new Set(),
  itemOfId: new Map(),
  stimuli: new Map(),
};

export async function readItemNames(warehouse: Warehouse): Promise<Map<string, ItemNames>> {
  const rows = await warehouse.all(
    "select experiment_id, cast(stimulus_id as varchar) as id, stimulus, item_of(stimulus) as " +
      "item from key_stimuli order by all",
  );
  const byExperiment = groupsOf(rows, (row) => textOf(row, "experiment_id"));
  return new Map(
    [...byExperiment].map(([experiment, stimuli]) => [experiment, itemNamesIn(stimuli)]),
  );
}

function itemNamesIn(rows: readonly Row[]): ItemNames {
  const stimuli = new Map<string, Set<string>>();
  const itemOfId = new Map<string, string>();
  const names = new Set<string>();
  const shared = new Set<string>();
  for (const row of rows) {
    const [id, name, item] = [textOf(row, "id"), textOf(row, "stimulus"), textOf(row, "item")];
    if ((itemOfId.get(id) ?? item) !== item) shared.add(id);
    itemOfId.set(id, item);
    const stimulus = { id: "", name, item: "" };
    const others = (["stimulus", "condition", "source"] as const).map((key) =>
      itemName(stimulus, key),
    );
    for (const known of [item, ...others]) names.add(known);
    for (const known of [id, item, ...others])
      stimuli.set(known, (stimuli.get(known) ?? new Set<string>()).add(id));
  }
  for (const id of shared) itemOfId.delete(id);
  return { names, itemOfId, stimuli };
}
