import { textOf, type Row, type Warehouse } from "../../warehouse/index.js";
import { groupOf, type GroupKey, type PublishedGroup, type ItemNames, noNames, unreadScores } from "./cells.js";
import type { PublishedList as List } from "../../contract/index.js";
import { kinds, type Kind } from "../../metrics/index.js";
import { byPlace, byText } from "../../platform/index.js";
import { readRecords, withUnread, type PublishedRecord, type References } from "./records.js";
import { readShaped, declaredRecords, type RecordShapes, type ScoreShapes } from "./shapes.js";
import { isRecord, readScores } from "./scores.js";

/** Declared shapes of published numbers, for lists that the lenient reader misreads. */
interface Shapes {
  readonly scores: ScoreShapes;
  readonly records: RecordShapes;
}

/** Levels of nesting in published values; no definition of a number needs more. */
const deepest = 100;

function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= deepest && level.length > 0; depth++)
    level = level.flatMap((one): unknown[] => (typeof one === "object" && one !== null ? Object.values(one) : []));
  return level.length > 0;
}

/** Integers that a double may not hold become texts, so that two identifiers stay two. */
const withExactIntegers = (json: string): string =>
  /\d{16}/.test(json)
    ? json.replace(/"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g, (token) =>
        token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : `"${token}"`,
      )
    : json;

/** A value from its JSON text; the text itself if it is none, or too deep for what reads it. */
function parsed(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    const read = JSON.parse(withExactIntegers(value)) as unknown;
    return isTooDeep(read) ? value : read;
  } catch {
    return value;
  }
}

const columns = ["kind", "dimension", "source", "job_id", "leaderboard_id", "experiment_ids"];

/** One record, and the list that publishes it. */
interface ListedRecord {
  readonly list: List;
  readonly record: PublishedRecord;
}

function listedRows(warehouse: Warehouse): Promise<Row[]> {
  return warehouse.all(`
    select list, listed_under, id, kind, dimension, source, job_id, leaderboard_id, cast(to_json(experiment_ids) as varchar) as experiment_ids,
      cast(scores as varchar) as scores, cast(options as varchar) as options, cast(more as varchar) as more
    from int_published order by all`);
}

/** The sets of numbers in one row, known and unknown fields merged into one object. */
function recordsIn(row: Row, shapes: RecordShapes): ListedRecord[] {
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
  const records = shape === undefined ? readRecords(list, home, id, raw) : declaredRecords(shape, list, home, id, raw);
  return withUnread(list, home, id, raw, records).map((record) => ({ list, record }));
}

/** Joins records with one score each into results, after the others. */
function joined(listed: readonly ListedRecord[]): ListedRecord[] {
  const whole = listed.filter(({ record }) => !record.isEntry);
  const parts = new Map<string, ListedRecord & { scores: unknown[] }>();
  for (const one of listed) {
    if (!one.record.isEntry) continue;
    const key = JSON.stringify({ list: one.list, ...one.record, scores: null });
    const part = parts.get(key) ?? { ...one, scores: [] };
    parts.set(key, part);
    part.scores.push(...(one.record.scores as unknown[]));
  }
  return [
    ...whole,
    ...[...parts.values()].map(({ list, record, scores }) => ({ list, record: { ...record, scores } })),
  ];
}

/** What a record is about. */
interface Keyed extends ListedRecord {
  readonly key: GroupKey;
  /** Why that could not be determined, or null. */
  readonly problem: string | null;
}

/**
 * Every published set of numbers, from all lists, with items named as in the ratings; in a fixed order, those of one
 * experiment, kind, dimension and source together. They are made when they are asked for: a cell takes several times
 * the memory of a parsed number.
 */
export async function readPublished(
  warehouse: Warehouse,
  shapes: Shapes,
  names: ReadonlyMap<string, ItemNames>,
): Promise<Iterable<readonly PublishedGroup[]>> {
  const known = await readKnownSources(warehouse);
  const rows = await listedRows(warehouse);
  const listed = joined(rows.flatMap((row) => recordsIn(row, shapes.records)));
  const rank = (kind: string): number => (kinds as readonly string[]).indexOf(kind) >>> 0;
  const byResult = ({ key: a }: Keyed, { key: b }: Keyed): number =>
    byText(a.experiment_id, b.experiment_id) ||
    rank(a.kind) - rank(b.kind) ||
    byText(a.kind, b.kind) ||
    byText(a.dimension, b.dimension) ||
    byText(a.source, b.source);
  const keyed = listed
    .map((one) => keyedBy(one, known, names))
    .sort((a, b) => byResult(a, b) || byPlace(a.key.published_in, b.key.published_in));
  return results();

  function* results(): Generator<PublishedGroup[]> {
    for (let from = 0, to = 1; from < keyed.length; from = to++) {
      while (to < keyed.length && byResult(keyed[from] as Keyed, keyed[to] as Keyed) === 0) to++;
      yield keyed
        .slice(from, to)
        .map((one) => oneGroup(one, shapes.scores, names.get(one.key.experiment_id) ?? noNames));
    }
  }
}

function keyedBy(listed: ListedRecord, known: KnownSources, names: ReadonlyMap<string, ItemNames>): Keyed {
  const { kind, refs, dimension: own, published_in: place } = listed.record;
  const resolved = resolve(known, refs);
  const { experiment_id, source } = resolved;
  const [dimension = "", ...others] = names.get(experiment_id)?.dimensions ?? [];
  const key: GroupKey = {
    experiment_id,
    experiment_name: known.experiments.get(experiment_id) ?? "",
    kind,
    // A record without a dimension belongs to the only dimension.
    dimension: own ?? (others.length === 0 ? dimension : ""),
    source,
    published_in: refs.home !== null && refs.home !== experiment_id ? `${place} of ${refs.home}` : place,
  };
  if ("problem" in resolved) return { ...listed, key, problem: resolved.problem };
  const isUnknownSet = source.includes(",") && !known.sets.has(`${experiment_id}/${source}`);
  return { ...listed, key, problem: isUnknownSet ? "the numbers of this set of jobs were not recomputed" : null };
}

function oneGroup({ list, record, key, problem }: Keyed, shapes: ScoreShapes, names: ItemNames): PublishedGroup {
  const { kind, scores } = record;
  const declared = new Map(Object.entries(shapes));
  const shapeKey = declared.has(`${list}.${kind}`) ? `${list}.${kind}` : kind;
  const shape = declared.get(shapeKey);
  const read = shape === undefined ? readScores(kind, scores) : readShaped(shapeKey, shape, scores);
  const group = groupOf(key, read, record.options, names);
  const readAs = (named: Kind) =>
    oneGroup({ list, record: { ...record, kind: named }, key: { ...key, kind: named }, problem }, shapes, names);
  return {
    ...group,
    unreadFields: { ...group.unreadFields, ...unreadScores(scores, read), ...record.unread },
    problem,
    isPartial: list === "leaderboards" || list === "rubrics",
    ...(kind === "" ? { as: readAs } : {}),
  };
}

/** The identifiers that a source may refer to in a snapshot. */
export interface KnownSources {
  /** Name by identifier. */
  readonly experiments: ReadonlyMap<string, string>;
  /** The experiments that have a job of this identifier. */
  readonly jobs: ReadonlyMap<string, readonly string[]>;
  /** The experiments that a leaderboard shows. */
  readonly leaderboards: ReadonlyMap<string, readonly string[]>;
  /** Sets of jobs that were recomputed, as `experiment/a,b`. */
  readonly sets: ReadonlySet<string>;
}

/** The scope of published numbers: '' is the whole experiment, otherwise its jobs, sorted and separated by commas. */
interface NumberSource {
  readonly experiment_id: string;
  readonly source: string;
}

interface Unresolved extends NumberSource {
  readonly problem: string;
}

async function readKnownSources(warehouse: Warehouse): Promise<KnownSources> {
  const experiments = new Map<string, string>();
  const jobs = new Map<string, string[]>();
  const leaderboards = new Map<string, string[]>();
  const listed =
    "select experiment_id, any_value(experiment_name order by experiment_name) as experiment_name from stg_experiments group by experiment_id order by all";
  for (const row of await warehouse.all(listed))
    experiments.set(textOf(row, "experiment_id"), textOf(row, "experiment_name"));
  for (const row of await warehouse.all("select experiment_id, job_id from int_jobs order by all")) {
    const experiment = textOf(row, "experiment_id");
    const job = textOf(row, "job_id");
    if (!experiments.has(experiment)) experiments.set(experiment, "");
    jobs.set(job, [...(jobs.get(job) ?? []), experiment]);
  }
  const boards =
    "select distinct leaderboard_id, unnest(experiment_ids) as experiment_id from stg_leaderboards order by all";
  for (const row of await warehouse.all(boards)) {
    const id = textOf(row, "leaderboard_id");
    leaderboards.set(id, [...(leaderboards.get(id) ?? []), textOf(row, "experiment_id")]);
  }
  const sets = await warehouse.all("select distinct experiment_id || '/' || source as id from int_job_sets");
  return { experiments, jobs, leaderboards, sets: new Set(sets.map((row) => textOf(row, "id"))) };
}

/** The jobs meant of each experiment; null means the whole experiment. */
type Meant = Map<string, Set<string> | null>;

/** The experiment and jobs that a published record is about, or why they could not be determined. */
export function resolve(known: KnownSources, refs: References): NumberSource | Unresolved {
  const { home } = refs;
  const meant: Meant = new Map();
  const unknown = refs.sources.filter((id) => !add(known, refs, meant, id));
  if (unknown.length > 0)
    return unresolved(`source: ${quotedList(unknown)} is not a job, experiment or leaderboard of this snapshot`);
  if (meant.size === 0)
    for (const id of [...refs.jobs, ...(refs.jobs.length === 0 ? refs.experiments : [])]) add(known, refs, meant, id);
  if (meant.size === 0) for (const id of refs.leaderboards) add(known, refs, meant, id);
  if (meant.size === 0 && home !== null) meant.set(home, null);
  narrow(known, refs, meant);
  const [only, ...more] = [...meant].sort(([a], [b]) => byText(a, b));
  if (only === undefined) {
    const named = [...refs.experiments, ...refs.jobs, ...refs.leaderboards];
    return unresolved(
      named.length === 0
        ? "the record names no experiment"
        : `${quotedList(named)} is not an experiment or job of this snapshot`,
    );
  }
  if (more.length > 0)
    return unresolved(
      `the record pools experiments (${[...meant.keys()].sort(byText).join(", ")}), and no definition says how`,
    );
  const [experiment_id, jobs] = only;
  return { experiment_id, source: jobs === null ? "" : [...jobs].sort(byText).join(",") };

  function unresolved(problem: string): Unresolved {
    const near = home ?? refs.experiments.find((id) => known.experiments.has(id)) ?? refs.experiments[0] ?? "";
    return { experiment_id: near, source: [...new Set(refs.sources)].sort(byText).join(","), problem };
  }
}

const quotedList = (ids: readonly string[]): string => ids.map((id) => JSON.stringify(id)).join(", ");

/** Adds what one identifier names; false if it names nothing. */
function add(known: KnownSources, refs: References, meant: Meant, id: string): boolean {
  const owners = known.jobs.get(id) ?? [];
  const owner = owners.find((e) => e === refs.home || refs.experiments.includes(e)) ?? owners[0];
  if (id === refs.home || known.experiments.has(id)) meant.set(id, null);
  else if (owner !== undefined) {
    const own = meant.get(owner);
    if (own !== null) meant.set(owner, new Set([...(own ?? []), id]));
  } else if (refs.leaderboards.includes(id) || known.leaderboards.has(id)) {
    const shown = refs.experiments.length > 0 ? refs.experiments : (known.leaderboards.get(id) ?? []);
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
  for (const [experiment, own] of meant) {
    const named = refs.jobs.filter((job) => jobs.get(job)?.includes(experiment));
    if (own === null && named.length > 0) meant.set(experiment, new Set(named));
  }
}
