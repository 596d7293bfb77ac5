/** The state of projects, and notices about their runs. */
import { lastSuccess, type RunLine } from "../lake/index.js";
import { counted, joinParts, visible, type ExitCode } from "../platform/index.js";
import { column, tabled, type TableBlock } from "./document.js";
import type { News } from "./findings.js";
import { secondsText } from "./lake-text.js";
import { fewOf, verdictCounts } from "./numbers.js";
import { printed } from "./table.js";

interface ProjectStatus {
  readonly project: string;
  /** Oldest first. */
  readonly runs: readonly RunLine[];
  /** End of the last run with exit code 0. */
  readonly last_success_at: string | null;
  /** What a person should look at; null if there is nothing. */
  readonly problem: string | null;
}

const hour = 3_600_000;

/** `3.5 hours`, `12 days`. */
const ageText = (ms: number) =>
  ms < 48 * hour ? `${(ms / hour).toFixed(1)} hours` : counted(Math.floor(ms / (24 * hour)), "day");

function failureText({ ended_at, exit_code, error }: RunLine): string | null {
  if (ended_at === null) return "the last run never ended: it is in progress, or was killed";
  if (exit_code === 0) return null;
  return joinParts([`the last run ended with ${exit_code ?? "no exit code"}`, error], ": ");
}

/** @param maxAgeMs the age of the last success from which the project is stale */
export function projectStatus(
  project: string,
  runs: readonly RunLine[],
  now: Date,
  maxAgeMs: number | undefined,
): ProjectStatus {
  const last = runs.at(-1);
  const last_success_at = lastSuccess(runs)?.ended_at ?? null;
  const age = last_success_at === null ? Infinity : now.getTime() - Date.parse(last_success_at);
  const isStale = maxAgeMs !== undefined && age > maxAgeMs;
  const stale = isStale
    ? last_success_at === null
      ? "no run has succeeded"
      : `stale: the last success is ${ageText(age)} old`
    : null;
  const problem = joinParts([last === undefined ? "no run" : failureText(last), stale], "; ");
  return { project, runs, last_success_at, problem: problem || null };
}

type Told = { readonly [K in keyof News]?: News[K] | undefined };

export function noticeText({
  project,
  exit_code,
  error,
  numbers,
  report,
  report_url = report,
  findings = [],
  new_findings = [],
  republished = [],
}: Pick<RunLine, "exit_code" | "error" | "numbers"> &
  Told & {
    readonly project: string | null;
    readonly report?: string | undefined;
    readonly report_url?: string | undefined;
  }): string {
  const whose = project ?? "a run without a project";
  const known = findings.length - new_findings.length;
  // What is new first, then how much is known.
  const says = joinParts(
    [
      fewOf(republished, "; "),
      new_findings.length > 0 && `New: ${fewOf(new_findings, "; ")}`,
      known > 0 && counted(known, "known finding"),
      verdictCounts(numbers ?? {}) || "no published numbers",
      report_url !== undefined && `Report: ${report_url}`,
    ],
    ". ",
  );
  const code = exit_code === null ? "" : ` (exit code ${exit_code})`;
  if (exit_code === 0) return visible(`Recount: ${whose} succeeded: ${says}.`);
  if (error === null)
    return visible(`Recount: ${whose} needs attention${code || " (exit code none)"}: ${says}.`);
  return visible(`Recount: ${whose} failed${code}: ${error}`);
}

const runTable = (runs: readonly RunLine[]): TableBlock =>
  tabled(runs, [
    column.plain("Started", ({ started_at }) => started_at.slice(0, 19).replace("T", " ")),
    column.num(
      "Took",
      ({ started_at, ended_at }) =>
        ended_at !== null && secondsText(Date.parse(ended_at) - Date.parse(started_at)),
    ),
    column.num("Exit", ({ exit_code }) => exit_code),
    column.num("Rows", ({ rows }) => rows),
    column.plain(
      "Numbers or error",
      ({ error, ended_at, numbers }) =>
        error ?? (ended_at === null ? "never ended" : verdictCounts(numbers ?? {})),
    ),
  ]);

export function statusText(all: readonly ProjectStatus[], rows: number): string {
  return all
    .map(({ project, runs, last_success_at, problem }) => {
      const state = problem ?? `the last run succeeded, ${last_success_at ?? ""}`;
      if (runs.length === 0) return visible(`${project}: ${state}.`);
      return printed([`${project}: ${state.replace(/\.$/, "")}.`, "", runTable(runs.slice(-rows))]);
    })
    .join("\n\n");
}

interface CheckLine {
  readonly project: string | null;
  readonly name: string;
  readonly exit_code: ExitCode;
  readonly detail: string;
}

/** A line for each check; on a terminal with a sign instead of a word. */
export function checkText(checks: readonly CheckLine[], isTerminal: boolean): string {
  const [good, bad] = isTerminal ? ["✓", "✗"] : ["ok    ", "failed"];
  const isMany = new Set(checks.flatMap(({ project }) => project ?? [])).size > 1;
  return printed(
    checks.map(({ project, name, exit_code, detail }) => {
      const where = isMany && project !== null ? `${project}, ` : "";
      return `${exit_code === 0 ? good : bad} ${where}${name}: ${detail.replace(/\.$/, "")}`;
    }),
  );
}
