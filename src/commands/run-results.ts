import type { Plan, RunEnd } from "../pipeline/index.js";
import { counted, exitCodes } from "../platform/index.js";
import type { LogOptions } from "./console.js";
import { reportFailure } from "./failure.js";
import type { RunIo } from "./run-io.js";

/** The line of a run that needs attention: its error, or its numbers by verdict. */
async function lineOf({ record, report }: RunEnd): Promise<string> {
  const { resultLine } = await import("../report/index.js");
  return record.error ?? (report === null ? "" : resultLine(report.audit));
}

/** Shows how the run of one project ended: its tables, or its error. One line at most if it is quiet. */
export async function showEnd(end: RunEnd, { quiet }: LogOptions, { isMany }: Plan, io: RunIo): Promise<void> {
  const { report, exitCode, log } = end;
  if (report === null) {
    if (!quiet || !isMany) reportFailure(end.error, io.printError);
    return;
  }
  if (quiet) {
    if (!isMany && exitCode !== exitCodes.ok) io.printError(`recount: ${await lineOf(end)}`);
    return;
  }
  const { exportLine, notWholeLine, renderAudit, renderChecks, renderLeaderboards } =
    await import("../report/index.js");
  const { exported, audit, recomputed, files } = report;
  log.info(exportLine(exported));
  if (exported.shortfalls.length > 0) log.warn(notWholeLine(exported.shortfalls));
  if (isMany) io.print(`Project ${end.record.project ?? ""}\n`);
  io.print(renderLeaderboards(audit));
  io.print(renderAudit(audit));
  io.print(renderChecks(recomputed.checks));
  io.print(["Wrote:", exported.dir, ...files].join("\n  "));
}

/** Says in one line which projects need attention, the same words only once. */
export async function showFailed(ends: readonly RunEnd[], { projects }: Plan, io: RunIo): Promise<void> {
  const failed = ends.filter(({ exitCode }) => exitCode !== exitCodes.ok);
  const byLine = new Map<string, string[]>();
  for (const end of failed) {
    const line = await lineOf(end);
    byLine.set(line, [...(byLine.get(line) ?? []), end.record.project ?? ""]);
  }
  const left = projects.slice(ends.length).map(({ project = "" }) => project);
  const said = [...byLine].map(([line, names]) => `${names.join(", ")}: ${line}`);
  if (left.length > 0) said.push(`Not run: ${left.join(", ")}.`);
  io.printError(
    `recount: ${failed.length} of ${counted(projects.length, "project")} did not succeed. ${said.join(" ")}`,
  );
}
