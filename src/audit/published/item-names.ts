import { textOf, type Warehouse } from "../../warehouse/index.js";
import { itemName } from "../ratings/index.js";
import { byText } from "../../platform/index.js";

/** The names that published scores may use for the items of one experiment. */
export interface ItemNames {
  /** Stimulus names, and item names under the run's and every other item key. */
  readonly names: ReadonlySet<string>;
  /** Item of each stimulus identifier that names exactly one item. */
  readonly itemOfId: ReadonlyMap<string, string>;
  /** Dimensions of the ratings, sorted. */
  readonly dimensions: readonly string[];
}

export const noNames: ItemNames = { names: new Set(), itemOfId: new Map(), dimensions: [] };

export async function readItemNames(warehouse: Warehouse): Promise<Map<string, ItemNames>> {
  const rows = await warehouse.all(
    "select experiment_id, cast(stimulus_id as varchar) as id, stimulus, item_of(stimulus) as item, dimension from key_stimuli order by all",
  );
  const byExperiment = new Map<
    string,
    { names: Set<string>; items: Map<string, Set<string>>; dimensions: Set<string> }
  >();
  for (const row of rows) {
    const experiment = textOf(row, "experiment_id");
    const own = byExperiment.get(experiment) ?? {
      names: new Set<string>(),
      items: new Map<string, Set<string>>(),
      dimensions: new Set<string>(),
    };
    byExperiment.set(experiment, own);
    own.names.add(textOf(row, "item"));
    own.dimensions.add(textOf(row, "dimension"));
    const stimulus = { id: "", name: textOf(row, "stimulus"), item: "" };
    for (const key of ["stimulus", "condition", "source"] as const) own.names.add(itemName(stimulus, key));
    const id = textOf(row, "id");
    const items = own.items.get(id) ?? new Set<string>();
    own.items.set(id, items.add(textOf(row, "item")));
  }
  return new Map(
    [...byExperiment].map(([experiment, { names, items, dimensions }]) => {
      const single = [...items].flatMap(([id, [item, ...more]]) =>
        item !== undefined && more.length === 0 ? [[id, item] as const] : [],
      );
      return [experiment, { names, itemOfId: new Map(single), dimensions: [...dimensions].sort(byText) }];
    }),
  );
}
