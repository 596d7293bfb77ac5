import { list, type OutgoingResponse } from "../http/outgoing.js";
import { boardResult } from "../presenters/records.js";
import { studyOf, type RequestContext } from "./context.js";

const sources = ({ query }: RequestContext): string[] | undefined =>
  typeof query.source === "string" ? query.source.split(",") : undefined;

const wanted =
  ({ query }: RequestContext) =>
  ({ kind }: { kind: string }): boolean =>
    query.metric === undefined || query.metric === kind;

/** Results of one experiment: whole by default, or for each identifier that `source` names. */
export function listResults(context: RequestContext): OutgoingResponse {
  const study = studyOf(context);
  const whole = (id: string): boolean => id === study.experiment.id;
  const known = (sources(context) ?? [study.experiment.id]).filter((id) => whole(id) || study.jobs.has(id));
  const results = [...new Set(known)].flatMap((id) => context.emulator.results.of(study, whole(id) ? "" : id));
  return list({ values: results.filter(wanted(context)) });
}

/** Results across the project, each naming what it belongs to. Without `source`: every experiment whole. */
export function listMetrics(context: RequestContext): OutgoingResponse {
  const { emulator, project } = context;
  const named = sources(context);
  const rows: { kind: string }[] = [];
  for (const study of project.studies.values()) {
    const { id: experiment_id } = study.experiment;
    const of = (id: string, job_id: string | null) =>
      emulator.results
        .of(study, job_id ?? "")
        .map((result) => ({ ...result, source: id, experiment_id, job_id, leaderboard_id: null }));
    if (named === undefined || named.includes(experiment_id)) rows.push(...of(experiment_id, null));
    for (const job of study.jobs.keys()) if (named?.includes(job)) rows.push(...of(job, job));
  }
  for (const board of [...project.rubrics.values()].flatMap((rubric) => rubric.leaderboards)) {
    const result = named?.includes(board.id) ? boardResult(emulator, project, board) : undefined;
    const { experiment_id, id } = board;
    if (result !== undefined)
      rows.push({ ...result, source: id, experiment_id, job_id: null, leaderboard_id: id } as { kind: string });
  }
  return list({ values: rows.filter(wanted(context)) });
}
