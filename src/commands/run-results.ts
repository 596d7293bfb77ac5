import type { Plan, RunEnd } from "../pipeline/index.js";
import { counted, exitCodes, type ExitCode } from "../platform/index.js";
import { isQuiet } from "./console.js";
import { reportFailure } from "./failure.js";
import type { RunIo } from "./run-io.js";

/** The line of a run that needs attention: its error, or its numbers by verdict. */
async function lineOf({ record, report }: RunEnd): Promise<string> {
  const { resultLine } = await import("../report/index.js");
  return record.error ?? (report === null ? "" : resultLine(report.audit));
}

/** Shows how the run of one project ended: its tables, or its error. */
export async function showEnd(end: RunEnd, { isMany }: Plan, io: RunIo): Promise<void> {
  const { report, exitCode, log, record } = end;
  const fields = { run: record.run, project: record.project };
  if (report === null) {
    if (!isMany) reportFailure(end.error, io.printError, fields);
    else if (!isQuiet()) log.error(record.error ?? "", { exit_code: exitCode });
    return;
  }
  const { exportLine, notWholeLine, renderAudit, renderChecks, renderLeaderboards } =
    await import("../report/index.js");
  const { exported, audit, recomputed, files } = report;
  log.info(exportLine(exported));
  if (exported.shortfalls.length > 0) log.warn(notWholeLine(exported.shortfalls));
  if (isMany) io.print(`Project ${record.project ?? ""}\n`);
  io.print(renderLeaderboards(audit));
  io.print(renderAudit(audit));
  io.print(renderChecks(recomputed.checks));
  io.print(["Wrote:", exported.dir, ...files].join("\n  "));
  if (!isMany) io.conclude(exitCode, await lineOf(end), fields);
}

/** Says in one line how the runs of several projects ended: which need attention, the same words only once. */
export async function showEnds(
  exitCode: ExitCode,
  ends: readonly RunEnd[],
  { projects }: Plan,
  io: RunIo,
): Promise<void> {
  const all = counted(projects.length, "project");
  if (exitCode === exitCodes.ok) {
    io.conclude(exitCode, `${all} succeeded.`);
    return;
  }
  const failed = ends.filter((end) => end.exitCode !== exitCodes.ok);
  const byLine = new Map<string, string[]>();
  for (const end of failed) {
    const line = await lineOf(end);
    byLine.set(line, [...(byLine.get(line) ?? []), end.record.project ?? ""]);
  }
  const left = projects.slice(ends.length).map(({ project = "" }) => project);
  const said = [...byLine].map(([line, names]) => `${names.join(", ")}: ${line}`);
  if (left.length > 0) said.push(`Not run: ${left.join(", ")}.`);
  io.printError(`recount: ${failed.length} of ${all} did not succeed. ${said.join(" ")}`, { exit_code: exitCode });
}
