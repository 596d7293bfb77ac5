/** Every published set of numbers, with the experiment and the jobs that it is about. */
import { resultKey, type GroupKey } from "../result.js";
import { textOf, type Row, type Warehouse } from "../../warehouse/index.js";
import { groupOf, type PublishedGroup } from "./cells.js";
import { noNames, type ItemNames } from "./item-names.js";
import type { PublishedList as List } from "../../contract/index.js";
import { kinds, type Kind } from "../../metrics/index.js";
import { byPlace, byText, groupsOf, isMap } from "../../platform/index.js";
import {
  isBoard,
  readRecords,
  withUnread,
  type PublishedRecord,
  type References,
} from "./records.js";
import { readShaped, declaredRecords, type RecordShapes, type ScoreShapes } from "./shapes.js";
import { readScores } from "./scores.js";

export interface Shapes {
  readonly scores: ScoreShapes;
  readonly records: RecordShapes;
}

const deepest = 100;

function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= deepest && level.length > 0; depth++)
    level = level.flatMap((value): unknown[] =>
      typeof value === "object" && value !== null ? Object.values(value) : [],
    );
  return level.length > 0;
}

/** Integers that a double may not hold become texts, so that two identifiers stay two. */
const withExactIntegers = (json: string): string =>
  /\d{16}/.test(json)
    ? json.replace(/"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g, (token) =>
        token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : `"${token}"`,
      )
    : json;

/** The text itself if it is no JSON or too deep. */
function parsed(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    const read = JSON.parse(withExactIntegers(value)) as unknown;
    return isTooDeep(read) ? value : read;
  } catch {
    return value;
  }
}

const identityFields = [
  "kind",
  "dimension",
  "source",
  "job_id",
  "leaderboard_id",
  "experiment_ids",
];

function listedRows(warehouse: Warehouse): Promise<Row[]> {
  return warehouse.all(`
    select
      list, listed_under, id, kind, dimension, source, job_id, leaderboard_id,
      cast(to_json(experiment_ids) as varchar) as experiment_ids,
      cast(scores as varchar) as scores,
      cast(options as varchar) as options,
      cast(more as varchar) as more
    from int_published order by all`);
}

function recordsIn(row: Row, shapes: RecordShapes): PublishedRecord[] {
  const list = textOf(row, "list") as List;
  const home = list === "results" ? textOf(row, "listed_under") : null;
  const more = parsed(row.more);
  const raw: Record<string, unknown> = { ...(isMap(more) ? more : {}) };
  for (const name of identityFields) if (row[name] !== null) raw[name] = row[name];
  raw.experiment_ids = parsed(row.experiment_ids) ?? raw.experiment_ids;
  if (row.scores !== null) raw.scores = parsed(row.scores);
  if (row.options !== null) raw.options = parsed(row.options);
  const listed = { list, home, id: textOf(row, "id") };
  const shape = shapes[list];
  const records =
    shape === undefined ? readRecords(listed, raw) : declaredRecords(shape, listed, raw);
  return withUnread(listed, raw, records);
}

function joinedRecords(records: readonly PublishedRecord[]): PublishedRecord[] {
  const entries = records.filter(({ isEntry }) => isEntry);
  const parts = groupsOf(entries, (record) => JSON.stringify({ ...record, scores: null }));
  return [
    ...records.filter(({ isEntry }) => !isEntry),
    ...[...parts.values()].map((part) => ({
      ...part[0],
      scores: part.flatMap(({ scores }) => scores),
    })),
  ];
}

interface Keyed {
  readonly record: PublishedRecord;
  readonly key: GroupKey;
  readonly problem: string | null;
}

export interface Published {
  readonly kinds: readonly Kind[];
  /** By experiment, kind, dimension and source. Lazy: a cell takes more memory than its number. */
  readonly results: Iterable<readonly PublishedGroup[]>;
}

export async function readPublished(
  warehouse: Warehouse,
  shapes: Shapes,
  names: ReadonlyMap<string, ItemNames>,
): Promise<Published> {
  const known = await readKnownSources(warehouse);
  const rows = await listedRows(warehouse);
  const keyed = joinedRecords(rows.flatMap((row) => recordsIn(row, shapes.records))).map((record) =>
    keyedBy(record, known, names),
  );
  keyed.sort(({ key: a }, { key: b }) => byResult(a, b) || byPlace(a.published_in, b.published_in));
  const results = groupsOf(keyed, ({ key }) => resultKey(key));
  const named = new Set(keyed.map(({ key }) => key.kind));
  const isUnnamed = keyed.some(
    ({ key, problem, record }) => key.kind === "" && problem === null && !isBoard(record),
  );
  return { kinds: kinds.filter((kind) => isUnnamed || named.has(kind)), results: made() };

  function* made() {
    for (const places of results.values())
      yield places.map((place) =>
        publishedGroup(place, shapes.scores, names.get(place.key.experiment_id) ?? noNames),
      );
  }
}

const kindRank = (kind: string): number => (kinds as readonly string[]).indexOf(kind) >>> 0;

const byResult = (a: GroupKey, b: GroupKey): number =>
  byText(a.experiment_id, b.experiment_id) ||
  kindRank(a.kind) - kindRank(b.kind) ||
  byText(a.kind, b.kind) ||
  byText(a.dimension, b.dimension) ||
  byText(a.source, b.source);

function keyedBy(
  record: PublishedRecord,
  known: KnownSources,
  names: ReadonlyMap<string, ItemNames>,
): Keyed {
  const { kind, refs, dimension: stated, published_in: place } = record;
  const { experiment_id, source, problem = null } = resolve(known, refs);
  const [dimension = "", ...others] = names.get(experiment_id)?.dimensions ?? [];
  const isUnknownSet = source.includes(",") && !known.sets.has(`${experiment_id}/${source}`);
  const key: GroupKey = {
    experiment_id,
    experiment_name: known.experiments.get(experiment_id) ?? "",
    kind,
    // A record without a dimension belongs to the only dimension.
    dimension: stated ?? (others.length === 0 ? dimension : ""),
    source,
    published_in:
      refs.home !== null && refs.home !== experiment_id ? `${place} of ${refs.home}` : place,
  };
  return {
    record,
    key,
    problem:
      problem ?? (isUnknownSet ? "the numbers of this set of jobs were not recomputed" : null),
  };
}

function publishedGroup(keyed: Keyed, shapes: ScoreShapes, names: ItemNames): PublishedGroup {
  const { record, key, problem } = keyed;
  const shapeKey =
    [`${record.list}.${key.kind}`, key.kind].find((name) => Object.hasOwn(shapes, name)) ?? "";
  const shape = shapes[shapeKey];
  const read =
    shape === undefined
      ? readScores(key.kind, record.scores)
      : readShaped(shapeKey, shape, record.scores);
  const group = groupOf(key, read, record.options, names);
  return {
    ...group,
    unreadFields: { ...read.unread, ...record.unread },
    problem,
    isPartial: isBoard(record),
    ...(key.kind === "" && {
      as: (kind: Kind) => publishedGroup({ ...keyed, key: { ...key, kind } }, shapes, names),
    }),
  };
}

export interface KnownSources {
  readonly experiments: ReadonlyMap<string, string>;
  readonly jobs: ReadonlyMap<string, readonly string[]>;
  readonly leaderboards: ReadonlyMap<string, readonly string[]>;
  /** Recomputed sets of jobs, as `experiment/a,b`. */
  readonly sets: ReadonlySet<string>;
}

interface NumberSource {
  readonly experiment_id: string;
  /** '' is the whole experiment, otherwise sorted jobs with commas. */
  readonly source: string;
  readonly problem?: string;
}

async function readKnownSources(warehouse: Warehouse): Promise<KnownSources> {
  const pairs = async (sql: string): Promise<[string, string][]> =>
    (await warehouse.all(sql)).map((row) => [textOf(row, "key"), textOf(row, "value")]);
  const lists = (all: readonly [string, string][]): Map<string, string[]> =>
    new Map(
      [...groupsOf(all, ([key]) => key)].map(([key, pairs]) => [
        key,
        pairs.map(([, value]) => value),
      ]),
    );
  const named = await pairs(
    "select experiment_id as key, any_value(experiment_name order by experiment_name) as " +
      "value from stg_experiments group by experiment_id order by all",
  );
  const jobs = await pairs(
    "select job_id as key, experiment_id as value from int_jobs order by value, key",
  );
  const boards = await pairs(
    "select distinct leaderboard_id as key, unnest(experiment_ids) as value from " +
      "stg_leaderboards order by all",
  );
  const sets = await warehouse.all(
    "select distinct experiment_id || '/' || source as id from int_job_sets",
  );
  const unnamed = jobs.map(([, experiment]): [string, string] => [experiment, ""]);
  return {
    experiments: new Map([...unnamed, ...named]),
    jobs: lists(jobs),
    leaderboards: lists(boards),
    sets: new Set(sets.map((row) => textOf(row, "id"))),
  };
}

type Meant = Map<string, Set<string> | null>;

export function resolve(known: KnownSources, refs: References): NumberSource {
  const { home, sources, experiments, jobs, leaderboards } = refs;
  const meant: Meant = new Map();
  const unknown = sources.filter((id) => !add(known, refs, meant, id));
  if (unknown.length > 0)
    return unresolved(
      `source: ${quotedList(unknown)} is not a job, experiment or leaderboard of this snapshot`,
    );
  for (const ids of [jobs.length > 0 ? jobs : experiments, leaderboards])
    if (meant.size === 0) for (const id of ids) add(known, refs, meant, id);
  if (meant.size === 0 && home !== null) meant.set(home, null);
  narrow(known, refs, meant);
  const [only, ...more] = [...meant].sort(([a], [b]) => byText(a, b));
  const named = [...experiments, ...jobs, ...leaderboards];
  if (only === undefined && named.length === 0) return unresolved("the record names no experiment");
  if (only === undefined)
    return unresolved(`${quotedList(named)} is not an experiment or job of this snapshot`);
  if (more.length > 0) {
    const pooled = [...meant.keys()].sort(byText).join(", ");
    return unresolved(`the record pools experiments (${pooled}), and no definition says how`);
  }
  const [experiment_id, meantJobs] = only;
  return { experiment_id, source: meantJobs === null ? "" : sourceOf(meantJobs) };

  function unresolved(problem: string): NumberSource {
    const near =
      home ?? experiments.find((id) => known.experiments.has(id)) ?? experiments[0] ?? "";
    return { experiment_id: near, source: sourceOf(sources), problem };
  }
}

const sourceOf = (ids: Iterable<string>): string => [...new Set(ids)].sort(byText).join(",");

const quotedList = (ids: readonly string[]): string =>
  ids.map((id) => JSON.stringify(id)).join(", ");

function add(known: KnownSources, refs: References, meant: Meant, id: string): boolean {
  const owners = known.jobs.get(id) ?? [];
  const owner = owners.find((e) => e === refs.home || refs.experiments.includes(e)) ?? owners[0];
  if (id === refs.home || known.experiments.has(id)) meant.set(id, null);
  else if (owner !== undefined) {
    const meantJobs = meant.get(owner);
    if (meantJobs !== null) meant.set(owner, new Set([...(meantJobs ?? []), id]));
  } else if (refs.leaderboards.includes(id) || known.leaderboards.has(id)) {
    const shown =
      refs.experiments.length > 0 ? refs.experiments : (known.leaderboards.get(id) ?? []);
    for (const experiment of shown) meant.set(experiment, null);
  } else {
    const named = [...known.experiments].filter(([, name]) => name !== "" && name === id);
    const [[experiment] = []] = named;
    if (experiment === undefined || named.length > 1) return false;
    meant.set(experiment, null);
  }
  return true;
}

/** A record of a whole experiment that also names jobs of it is about those jobs. */
function narrow({ jobs }: KnownSources, refs: References, meant: Meant): void {
  for (const [experiment, meantJobs] of meant) {
    const named = refs.jobs.filter((job) => jobs.get(job)?.includes(experiment));
    if (meantJobs === null && named.length > 0) meant.set(experiment, new Set(named));
  }
}
