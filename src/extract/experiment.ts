import type { ExperimentState, ManifestExperiment, Unit } from "../lake/index.js";
import type { TableName } from "../contract/index.js";
import { fetchBody } from "./fetch.js";
import { fsp } from "../platform/index.js";
import { makePart } from "./part.js";
import { readJobs } from "./jobs.js";
import type { ExportRun } from "./run.js";
import type { Selectable } from "./selection.js";
import { readUnit } from "./unit.js";

export interface ExportedExperiment {
  readonly experiment: ManifestExperiment;
  readonly units: readonly Unit[];
}

/** Everything but the results, which are read around it. */
async function readResources(run: ExportRun, experimentId: string): Promise<Unit[]> {
  const wanted = (...tables: TableName[]) =>
    tables.filter((table) => run.tables.has(table)).map((table) => ({ table }));
  const unit = (
    operation: "listRatings" | "listSlates" | "listSessions" | "listRaters" | "listRaterPools",
    tables: { table: TableName }[],
  ) =>
    tables.length === 0
      ? []
      : [readUnit(run, { operation, parameters: {}, experimentId, optional: operation === "listRaterPools" }, tables)];
  const units = await Promise.all([
    ...unit("listRatings", wanted("ratings")),
    ...unit("listSlates", wanted("slates", "slate_ratings")),
    ...unit("listSessions", wanted("sessions")),
    ...unit("listRaters", wanted("raters")),
    ...unit("listRaterPools", wanted("rater_pools")),
    ...(run.tables.has("experiment_details")
      ? [
          readUnit(
            run,
            { operation: "getExperiment", parameters: {}, experimentId },
            [{ table: "experiment_details" }],
            "record",
          ),
        ]
      : []),
  ]);
  return run.tables.has("jobs") ? [...units, ...(await readJobs(run, experimentId))] : units;
}

/** The digest of the published results now: the body's, or the sorted part's where only the order of rows differs. */
async function resultsAgain(
  run: ExportRun,
  experimentId: string,
  earlier: Unit,
): Promise<{ body: string | undefined; part: () => Promise<string | undefined> }> {
  const { unit, file } = await fetchBody(run, { operation: "listResults", parameters: {}, experimentId, earlier });
  const part = async () => {
    if (file === null) return undefined;
    const again = await makePart(
      { ...run, staged: run.spool },
      { files: [file], form: "list" },
      { table: "results", experimentId },
    );
    return again.sha256;
  };
  if (file === null) return { body: unit.body?.sha256, part };
  return {
    body: unit.body?.sha256,
    part: async () => {
      const sha256 = await part();
      await fsp.rm(file, { force: true });
      return sha256;
    },
  };
}

async function readOnce(run: ExportRun, experimentId: string): Promise<{ units: Unit[]; settled: boolean }> {
  if (!run.tables.has("results")) return { units: await readResources(run, experimentId), settled: true };
  const results = await readUnit(run, { operation: "listResults", parameters: {}, experimentId }, [
    { table: "results" },
  ]);
  const units = [results, ...(await readResources(run, experimentId))];
  const after = await resultsAgain(run, experimentId, results);
  const settled = after.body === results.body?.sha256 || (await after.part()) === results.parts[0]?.sha256;
  return { units, settled };
}

function stateOf(units: readonly Unit[], settled: boolean): { state: ExperimentState; reason: string | null } {
  if (!settled) return { state: "torn", reason: "its results changed while it was read, twice" };
  const missing = units.filter(
    ({ state, operation }) => state !== "complete" && operation !== "listRaterPools" && operation !== "getJob",
  );
  if (missing.length > 0)
    return {
      state: "incomplete",
      reason: `not permitted for this key: ${missing.map(({ operation }) => operation).join(", ")}`,
    };
  return { state: "complete", reason: null };
}

/**
 * Reads one experiment, its published results first and last. When they differ, the ratings may not be those behind
 * the results: it is read once more, and then marked torn.
 */
export async function readExperiment(run: ExportRun, { id, name, type }: Selectable): Promise<ExportedExperiment> {
  let read = await readOnce(run, id);
  if (!read.settled) {
    run.log.warn(`${name} (${id}): its results changed while it was read; reading it again.`);
    read = await readOnce(run, id);
  }
  const experiment = { id, name, type, ...stateOf(read.units, read.settled) };
  if (experiment.state !== "complete")
    run.log.warn(`${name} (${id}) is ${experiment.state}: ${experiment.reason ?? ""}.`);
  return { experiment, units: read.units };
}
