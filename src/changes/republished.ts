/** Published numbers that differ between two snapshots. */
import { diffManifests, listSnapshots, readSnapshot, type Snapshot } from "../lake/index.js";
import { conventionsWith, isKind, mainField, type Conventions } from "../metrics/index.js";
import { byText } from "../platform/index.js";
import { declareModels, openWarehouse } from "../warehouse/index.js";
import { publishedLists as lists } from "../contract/index.js";
import {
  readItemNames,
  readPublished,
  type RecordShapes,
  type ScoreShapes,
} from "../audit/index.js";

/** Null: one of the snapshots does not have it. */
export interface PublishedDiff {
  /** Name, otherwise identifier. */
  readonly experiment: string;
  readonly kind: string;
  readonly dimension: string;
  readonly source: string;
  readonly published_in: string;
  readonly item: string;
  readonly field: string;
  readonly before: number | null;
  readonly after: number | null;
  /** False: nothing in the decisive tables of the experiment explains the change. */
  readonly is_rating_changed: boolean;
}

export interface Reading {
  readonly conventions?: Conventions;
  readonly shapes?: ScoreShapes;
  readonly records?: RecordShapes;
}

/** Tables whose rows decide every recomputed number. */
export const decisive: ReadonlySet<string> = new Set(["ratings", "slates", "sessions", "jobs"]);

export async function republishedSince(lake: string, project: string, id: string, how: Reading) {
  const after = await readSnapshot(lake, project, id);
  const { previous } = after.manifest;
  if (previous === null || !(await listSnapshots(lake, project)).includes(previous)) return [];
  return republished(await readSnapshot(lake, project, previous), after, how);
}

/** First those of experiments whose ratings do not differ. */
export async function republished(
  before: Snapshot,
  after: Snapshot,
  how: Reading = {},
): Promise<PublishedDiff[]> {
  const { changed } = diffManifests(before.manifest, after.manifest);
  if (!changed.some(({ table }) => lists.some((list) => list === table))) return [];
  const moved = new Set(
    changed.filter(({ table }) => decisive.has(table)).map(({ experiment_id }) => experiment_id),
  );
  const was = await publishedNumbers(before, how);
  const is = await publishedNumbers(after, how);
  const differing = [...new Map([...was, ...is])].flatMap(
    ([key, { experiment_id, about }]): PublishedDiff[] => {
      const values = { before: was.get(key)?.value ?? null, after: is.get(key)?.value ?? null };
      if (values.before === values.after) return [];
      return [{ ...about, ...values, is_rating_changed: moved.has(experiment_id) }];
    },
  );
  const isMain = ({ kind, field }: PublishedDiff): boolean =>
    isKind(kind) && mainField(kind) === field;
  return differing.sort(
    (a, b) =>
      Number(a.is_rating_changed) - Number(b.is_rating_changed) ||
      Number(isMain(b)) - Number(isMain(a)) ||
      byText(JSON.stringify(a), JSON.stringify(b)),
  );
}

interface DatedNumber {
  readonly experiment_id: string;
  readonly about: Omit<PublishedDiff, "before" | "after" | "is_rating_changed">;
  readonly value: number;
}

async function publishedNumbers(
  { tables }: Snapshot,
  { conventions, shapes = {}, records = {} }: Reading,
) {
  const warehouse = await openWarehouse({ sources: tables });
  try {
    await declareModels(warehouse, conventions ?? conventionsWith({}));
    const numbers = new Map<string, DatedNumber>();
    const names = await readItemNames(warehouse);
    const { resultsOf } = await readPublished(warehouse, { scores: shapes, records });
    for (const groups of resultsOf(() => true, names))
      for (const {
        experiment_id,
        experiment_name,
        kind,
        dimension,
        source,
        published_in,
        cells,
      } of groups)
        for (const { item, field, published } of cells) {
          const place = { kind, dimension, source, published_in, item, field };
          numbers.set(JSON.stringify([experiment_id, place]), {
            experiment_id,
            about: { experiment: experiment_name || experiment_id, ...place },
            value: published.value,
          });
        }
    return numbers;
  } finally {
    warehouse.close();
  }
}
