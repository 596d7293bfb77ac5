import { textOf, type Warehouse } from "../../warehouse/index.js";
import { byText } from "../../platform/index.js";
import type { References } from "./record-fields.js";

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

export async function readKnownSources(warehouse: Warehouse): Promise<KnownSources> {
  const experiments = new Map<string, string>();
  const jobs = new Map<string, string[]>();
  const leaderboards = new Map<string, string[]>();
  const listed =
    "select experiment_id, any_value(experiment_name order by experiment_name) as experiment_name from stg_experiments group by experiment_id order by all";
  for (const row of await warehouse.all(listed))
    experiments.set(textOf(row, "experiment_id"), textOf(row, "experiment_name"));
  for (const row of await warehouse.all("select experiment_id, job_id from int_jobs order by all")) {
    const [experiment, job] = [textOf(row, "experiment_id"), textOf(row, "job_id")];
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
