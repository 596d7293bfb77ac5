import { textOf, type Warehouse } from "../../warehouse/index.js";
import { groupOf, type GroupKey, type PublishedGroup } from "./group.js";
import { kinds } from "../../metrics/index.js";
import { type ItemNames, noNames } from "./item-names.js";
import { byPlace, byText } from "../../platform/index.js";
import { readRecords, type List, type PublishedRecord } from "./records.js";
import { isRecord } from "./record.js";
import { statedRecords, type RecordShapes } from "./record-shape.js";
import { readScores } from "./scores.js";
import { readShaped, type ScoreShape } from "./shape.js";
import { readKnownSources, resolve, type KnownSources } from "./sources.js";

/** Score shapes by kind, or by list and kind (`leaderboards.elo`), where the lenient reader misreads the scores. */
export type ScoreShapes = Readonly<Partial<Record<string, ScoreShape>>>;

/** Declared shapes of published numbers, for lists that the lenient reader misreads. */
interface Shapes {
  readonly scores: ScoreShapes;
  readonly records: RecordShapes;
}

function parsed(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

const columns = ["kind", "dimension", "source", "job_id", "leaderboard_id", "experiment_ids"];

/** Every record of the snapshot that publishes numbers, known and unknown fields merged into one object. */
async function readListed(
  warehouse: Warehouse,
  shapes: RecordShapes,
): Promise<{ list: List; record: PublishedRecord }[]> {
  const rows = await warehouse.all(`
    select list, listed_under, id, kind, dimension, source, job_id, leaderboard_id, cast(to_json(experiment_ids) as varchar) as experiment_ids,
      cast(scores as varchar) as scores, cast(options as varchar) as options, cast(more as varchar) as more
    from int_published order by all`);
  return rows.flatMap((row) => {
    const list = textOf(row, "list") as List;
    const home = list === "results" ? textOf(row, "listed_under") : null;
    const more = parsed(row.more);
    const raw: Record<string, unknown> = { ...(isRecord(more) ? more : {}) };
    for (const name of columns) if (row[name] !== null) raw[name] = row[name];
    raw.experiment_ids = parsed(row.experiment_ids) ?? raw.experiment_ids;
    if (row.scores !== null) raw.scores = parsed(row.scores);
    if (row.options !== null) raw.options = parsed(row.options);
    const id = textOf(row, "id");
    const shape = shapes[list];
    const records = shape === undefined ? readRecords(list, home, id, raw) : statedRecords(shape, list, home, id, raw);
    return records.map((record) => ({ list, record }));
  });
}

/** Joins records with one score each into results. */
function joined(listed: readonly { list: List; record: PublishedRecord }[]): { list: List; record: PublishedRecord }[] {
  const whole = listed.filter(({ record }) => !record.isEntry);
  const parts = new Map<string, { list: List; record: PublishedRecord }>();
  for (const { list, record } of listed.filter((l) => l.record.isEntry)) {
    const key = JSON.stringify({ list, ...record, scores: null });
    const known = parts.get(key)?.record.scores ?? [];
    parts.set(key, { list, record: { ...record, scores: [...(known as unknown[]), ...(record.scores as unknown[])] } });
  }
  return [...whole, ...parts.values()];
}

/** Every published set of numbers, from all lists, with items named as in the ratings; in a fixed order. */
export async function readPublished(
  warehouse: Warehouse,
  shapes: Shapes,
  names: ReadonlyMap<string, ItemNames>,
): Promise<PublishedGroup[]> {
  const known = await readKnownSources(warehouse);
  const listed = joined(await readListed(warehouse, shapes.records));
  const groups = listed.map(({ list, record }) => oneGroup(list, record, known, shapes.scores, names));
  const rank = (kind: string): number => (kinds as readonly string[]).indexOf(kind) >>> 0;
  return groups.sort(
    (a, b) =>
      byText(a.experiment_id, b.experiment_id) ||
      rank(a.kind) - rank(b.kind) ||
      byText(a.kind, b.kind) ||
      byText(a.dimension, b.dimension) ||
      byText(a.source, b.source) ||
      byPlace(a.published_in, b.published_in),
  );
}

function oneGroup(
  list: List,
  record: PublishedRecord,
  known: KnownSources,
  shapes: ScoreShapes,
  names: ReadonlyMap<string, ItemNames>,
): PublishedGroup {
  const { kind, refs } = record;
  const resolved = resolve(known, refs);
  const { experiment_id, source } = resolved;
  const own = names.get(experiment_id) ?? noNames;
  const [dimension = "", ...others] = own.dimensions;
  const key: GroupKey = {
    experiment_id,
    experiment_name: known.experiments.get(experiment_id) ?? "",
    kind,
    // A record without a dimension belongs to the only dimension.
    dimension: record.dimension ?? (others.length === 0 ? dimension : ""),
    source,
    published_in:
      refs.home !== null && refs.home !== experiment_id
        ? `${record.published_in} of ${refs.home}`
        : record.published_in,
  };
  const shape = shapes[`${list}.${kind}`] ?? shapes[kind];
  const read = shape === undefined ? readScores(kind, record.scores) : readShaped(shape, record.scores);
  const isSet = source.includes(",") && !("problem" in resolved);
  const problem =
    "problem" in resolved
      ? resolved.problem
      : isSet && !known.sets.has(`${experiment_id}/${source}`)
        ? "the numbers of this set of jobs were not recomputed"
        : null;
  const group = groupOf(key, read, record.options, own);
  return {
    ...group,
    unreadFields: { ...group.unreadFields, ...Object.fromEntries(record.unread.map((field) => [field, 1])) },
    problem,
    isPartial: list === "leaderboards" || list === "rubrics",
  };
}
