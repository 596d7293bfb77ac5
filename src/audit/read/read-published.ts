/** Every published set of numbers, with the experiment and the jobs that it is about. */
import { byResult, resultKey, type GroupKey } from "../result.js";
import { textOf, type Row, type Warehouse } from "../../warehouse/index.js";
import { groupOf, type PublishedGroup } from "./cells.js";
import { noNames, type ItemNames } from "./item-names.js";
import type { PublishedList as List } from "../../contract/index.js";
import { kinds, type Kind } from "../../metrics/index.js";
import { byText, groupsOf, isMap, keyOf } from "../../platform/index.js";
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

/** In the order in which an element has them. */
const knownFields = [
  "kind",
  "dimension",
  "source",
  "job_id",
  "leaderboard_id",
  "experiment_ids",
  "scores",
  "options",
];

const jsonFields: readonly string[] = knownFields.slice(-3);

const listedSql = `
  select
    * exclude (experiment_ids, scores, options, more),
    cast(to_json(experiment_ids) as varchar) as experiment_ids,
    cast(columns(['scores', 'options', 'more']) as varchar)
  from int_published
  order by all`;

function recordsIn(row: Row, shapes: RecordShapes): PublishedRecord[] {
  const list = textOf(row, "list") as List;
  const home = list === "results" ? textOf(row, "listed_under") : null;
  const more = parsed(row.more);
  const raw: Record<string, unknown> = { ...(isMap(more) ? more : {}) };
  for (const name of knownFields) {
    const value = row[name];
    if (value !== null) raw[name] = jsonFields.includes(name) ? parsed(value) : value;
  }
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
  /**
   * By experiment, kind, dimension and source, each only once: a cell takes more memory than its
   * number.
   */
  readonly resultsOf: (
    isIn: (experiment: string) => boolean,
    names: ReadonlyMap<string, ItemNames>,
  ) => Iterable<readonly PublishedGroup[]>;
}

export async function readPublished(warehouse: Warehouse, shapes: Shapes): Promise<Published> {
  const known = await readKnownSources(warehouse);
  const rows = await warehouse.all(listedSql);
  const keyed = joinedRecords(rows.flatMap((row) => recordsIn(row, shapes.records))).map((record) =>
    keyedBy(record, known),
  );
  keyed.sort(({ key: a }, { key: b }) => byResult(a, b));
  const left = groupsOf(placesApart(keyed), ({ key }) => resultKey(key));
  const named = new Set(keyed.map(({ key }) => key.kind));
  const isUnnamed = keyed.some(
    ({ key, problem, record }) => key.kind === "" && problem === null && !isBoard(record),
  );
  return { kinds: kinds.filter((kind) => isUnnamed || named.has(kind)), resultsOf };

  function* resultsOf(...[isIn, names]: Parameters<Published["resultsOf"]>) {
    for (const [result, places] of left) {
      const { experiment_id } = places[0].key;
      if (!isIn(experiment_id)) continue;
      left.delete(result);
      const own = names.get(experiment_id) ?? noNames;
      yield places.map((place) => publishedGroup(place, shapes.scores, own));
    }
  }
}

/** A list that has a result twice is two places, by the leaderboards that they name or a number. */
const placesApart = (keyed: readonly Keyed[]): Keyed[] =>
  [...groupsOf(keyed, ({ key }) => keyOf(resultKey(key), key.published_in)).values()].flatMap(
    (same) => {
      if (same.length === 1) return same;
      const boards = same.map(({ record }) => record.refs.leaderboards.join(","));
      const areNamed = new Set(boards).size === same.length && !boards.includes("");
      return same.map((one, i) => {
        const published_in = `${one.key.published_in}/${areNamed ? boards[i]! : i + 1}`;
        return { ...one, key: { ...one.key, published_in } };
      });
    },
  );

function keyedBy(record: PublishedRecord, known: KnownSources): Keyed {
  const { kind, refs, dimension: stated, published_in: place } = record;
  const { experiment_id, source, problem = null } = resolve(known, refs);
  const [dimension = "", ...others] = known.dimensions.get(experiment_id) ?? [];
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
    unread: [...group.unread, ...record.unread].sort(byText),
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
  /** By experiment. */
  readonly dimensions: ReadonlyMap<string, readonly string[]>;
  /** Recomputed sets of jobs, as `experiment/a,b`. */
  readonly sets: ReadonlySet<string>;
}

interface NumberSource {
  readonly experiment_id: string;
  /** '' is the whole experiment, otherwise sorted jobs with commas. */
  readonly source: string;
  readonly problem?: string;
}

const knownSql = `
  select
    'experiments' as list, experiment_id as key,
    any_value(experiment_name order by experiment_name) as value
  from stg_experiments
  group by experiment_id
  union all
  select 'jobs', job_id, experiment_id from int_jobs
  union all
  select distinct 'leaderboards', leaderboard_id, unnest(experiment_ids) from stg_leaderboards
  union all
  select distinct 'dimensions', experiment_id, dimension from key_stimuli
  union all
  select distinct 'sets', experiment_id, source from int_job_sets
  order by all`;

async function readKnownSources(warehouse: Warehouse): Promise<KnownSources> {
  const rows = await warehouse.all(knownSql);
  const known = groupsOf(rows, (row) => textOf(row, "list"));
  const pairs = (list: string): [string, string][] =>
    (known.get(list) ?? []).map((row) => [textOf(row, "key"), textOf(row, "value")]);
  const lists = (list: string): Map<string, string[]> =>
    new Map(
      [...groupsOf(pairs(list), ([key]) => key)].map(([key, of]) => [key, of.map((one) => one[1])]),
    );
  const unnamed = pairs("jobs").map(([, experiment]): [string, string] => [experiment, ""]);
  return {
    experiments: new Map([...unnamed, ...pairs("experiments")]),
    jobs: lists("jobs"),
    leaderboards: lists("leaderboards"),
    dimensions: lists("dimensions"),
    sets: new Set(pairs("sets").map((pair) => pair.join("/"))),
  };
}

export function resolve(known: KnownSources, refs: References): NumberSource {
  const { home, sources, experiments, jobs, leaderboards } = refs;
  const partsOf = (ids: readonly string[]): SourcePart[] =>
    ids.flatMap((id) => partsMeantBy(id, known, refs) ?? []);
  const unknown = sources.filter((id) => partsMeantBy(id, known, refs) === null);
  if (unknown.length > 0)
    return unresolved(
      `source: ${quotedList(unknown)} is not a job, experiment or leaderboard of this snapshot`,
    );
  const named = jobs.length > 0 ? jobs : experiments;
  const parts = [sources, named, leaderboards, home === null ? [] : [home]].map(partsOf);
  const byExperiment = groupsOf(
    parts.find(({ length }) => length > 0) ?? [],
    ({ experiment }) => experiment,
  );
  const [only, ...more] = [...byExperiment.keys()].sort(byText);
  if (only === undefined) {
    const ids = [...experiments, ...jobs, ...leaderboards];
    return unresolved(
      ids.length === 0
        ? "the record names no experiment"
        : `${quotedList(ids)} is not an experiment or job of this snapshot`,
    );
  }
  if (more.length > 0)
    return unresolved(
      `the record pools experiments (${[only, ...more].join(", ")}), and no definition says how`,
    );
  const meant = byExperiment.get(only)!.map(({ job }) => job);
  // A record of a whole experiment that also names jobs of it is about those jobs.
  const counted = meant.includes(null)
    ? jobs.filter((id) => known.jobs.get(id)?.includes(only))
    : meant;
  return { experiment_id: only, source: sourceOf(counted.filter((job) => job !== null)) };

  function unresolved(problem: string): NumberSource {
    const near =
      home ?? experiments.find((id) => known.experiments.has(id)) ?? experiments[0] ?? "";
    return { experiment_id: near, source: sourceOf(sources), problem };
  }
}

const sourceOf = (ids: readonly string[]): string => [...new Set(ids)].sort(byText).join(",");

const quotedList = (ids: readonly string[]): string =>
  ids.map((id) => JSON.stringify(id)).join(", ");

interface SourcePart {
  readonly experiment: string;
  /** Null: all. */
  readonly job: string | null;
}

/** An experiment, a job, a leaderboard, or the name of one experiment; null if it is none. */
function partsMeantBy(id: string, known: KnownSources, refs: References): SourcePart[] | null {
  const wholly = (experiments: readonly string[]): SourcePart[] =>
    experiments.map((experiment) => ({ experiment, job: null }));
  if (id === refs.home || known.experiments.has(id)) return wholly([id]);
  const owners = known.jobs.get(id) ?? [];
  const owner = owners.find((e) => e === refs.home || refs.experiments.includes(e)) ?? owners[0];
  if (owner !== undefined) return [{ experiment: owner, job: id }];
  const shown = known.leaderboards.get(id);
  if (shown !== undefined || refs.leaderboards.includes(id))
    return wholly(refs.experiments.length > 0 ? refs.experiments : (shown ?? []));
  const named = [...known.experiments].filter(([, name]) => name !== "" && name === id);
  return named.length === 1 ? wholly([named[0]![0]]) : null;
}
