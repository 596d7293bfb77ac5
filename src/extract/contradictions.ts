// What the lists of one experiment say against each other.
import type { TableName } from "../contract/index.js";
import { fileKey, type Part, type Unit } from "../lake/index.js";
import { counted, readParquet, statement } from "../platform/index.js";
import { text } from "../warehouse/index.js";
import type { ExportContext } from "./context.js";

const noRows = "(select '' as id, '' as session_id, '' as job_id, '' as source where false)";

/**
 * Lists disagree where one is empty, doubled or another experiment's. A list with rows in
 * quarantine, or of no jobs, lacks nothing for sure.
 */
export async function contradictionsIn(
  { store, checkpoint, sessions: pool, previous }: ExportContext,
  experimentId: string,
  units: readonly Unit[],
): Promise<string[]> {
  const wholes = units.filter(({ parameters }) => parameters.source === undefined);
  const found = new Map(
    wholes.flatMap(({ parts }) => parts.map((part) => [part.table, part] as const)).toReversed(),
  );
  const [ratings, inSlates] = [found.get("ratings"), found.get("slate_ratings")];
  const said: string[] = [];
  const count = (part: Part) => part.rows + part.quarantined;
  if (ratings && inSlates && count(ratings) !== count(inSlates))
    said.push(
      `its slates hold ${count(inSlates)} ratings, but the list of ratings ${count(ratings)}`,
    );
  const jobs = found.get("jobs");
  const hasSessions = found.get("sessions")?.quarantined === 0;
  const hasJobs = jobs?.quarantined === 0 && jobs.rows > 0;
  const names: TableName[] = ["ratings", "slates", "sessions", "jobs", "results"];
  const parts = names.flatMap((name) => found.get(name) ?? []);
  if ((!hasSessions && !hasJobs) || previous.wasComplete(experimentId, parts)) return said;
  const tables = names.map((name): [string, string] => {
    const part = found.get(name);
    if (part === undefined || part.rows === 0) return [name, noRows];
    return [name, readParquet(store.locate(fileKey(checkpoint.staged, part, part.path)))];
  });
  const sql = await statement("extract/contradictions", {
    ...Object.fromEntries<string>(tables),
    experiment: text(experimentId),
  });
  const [lacking = {}] = await pool.use((warehouse) => warehouse.all(sql));
  const lists = [
    ["session", hasSessions, "its ratings and slates name", "that its list of sessions lacks"],
    ["job", hasJobs, "its ratings, slates and sessions name", "that its list of jobs lacks"],
    ["source", hasJobs, "its results name", "other than it and its jobs"],
  ] as const;
  for (const [what, isJudged, naming, which] of lists) {
    const n = Number(lacking[what]);
    if (isJudged && n > 0) said.push(`${naming} ${counted(n, what)} ${which}`);
  }
  return said;
}
