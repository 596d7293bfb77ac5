import type { Warehouse } from "../warehouse/index.js";
import { groupOf, type GroupKey, type PublishedGroup } from "./group.js";
import { kinds } from "./kinds.js";
import type { ItemNames } from "./names.js";
import { noNames } from "./names.js";
import { byText } from "./order.js";
import { readScores } from "./published/scores.js";
import { readShaped, type ScoreShape } from "./published/shape.js";
import { textOf } from "./row-text.js";

/** A stated shape by kind, for a service whose scores the lenient reader misreads. */
export type ScoreShapes = Readonly<Partial<Record<string, ScoreShape>>>;

function parsed(text: unknown): unknown {
  if (typeof text !== "string") return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Every published result of the snapshot, read and named, in a fixed order. */
export async function readPublished(
  warehouse: Warehouse,
  shapes: ScoreShapes,
  names: ReadonlyMap<string, ItemNames>,
): Promise<PublishedGroup[]> {
  const rows = await warehouse.all(`
    select r.experiment_id, coalesce(e.experiment_name, '') as experiment_name, r.kind, r.dimension,
      case when r.source = r.experiment_id then '' else r.source end as source,
      cast(r.scores as varchar) as scores, cast(r.options as varchar) as options
    from stg_results as r left join stg_experiments as e using (experiment_id)
    order by all`);
  const groups = rows.map((row) => {
    const key: GroupKey = {
      experiment_id: textOf(row, "experiment_id"),
      experiment_name: textOf(row, "experiment_name"),
      kind: textOf(row, "kind"),
      dimension: textOf(row, "dimension"),
      source: textOf(row, "source"),
    };
    const shape = shapes[key.kind];
    const scores = parsed(row["scores"]);
    const read = shape === undefined ? readScores(key.kind, scores) : readShaped(shape, scores);
    return groupOf(key, read, parsed(row["options"]), names.get(key.experiment_id) ?? noNames);
  });
  const rank = (kind: string): number => (kinds as readonly string[]).indexOf(kind) >>> 0;
  return groups.sort(
    (a, b) =>
      byText(a.experiment_id, b.experiment_id) ||
      rank(a.kind) - rank(b.kind) ||
      byText(a.kind, b.kind) ||
      byText(a.dimension, b.dimension) ||
      byText(a.source, b.source),
  );
}
