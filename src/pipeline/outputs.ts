import { dirname } from "node:path";
import type { AuditSettings, LakeAudit } from "../audit/index.js";
import type { ExportReport } from "../extract/index.js";
import { checkWritable, makeDir, mapTexts, writeDurably, type ExitCode, type Redact } from "../platform/index.js";

/** The result of an audit and, for a run, of its export. */
export interface Results {
  readonly lake: string;
  readonly audited: LakeAudit;
  readonly settings: AuditSettings;
  readonly exported?: ExportReport;
  readonly exitCode: ExitCode;
  /** Hides the secrets of this process in a text. */
  readonly redact: Redact;
}

/** A file that a run or an audit can write. */
interface Output {
  /** Flag of `recount audit`; null if the file needs more than an audit: an export, or every model. */
  readonly flag: string | null;
  readonly description: string;
  readonly write: (file: string, results: Results) => Promise<void>;
}

/** Every output, by its key under `outputs` in a pipeline file. Adding one is adding its value here, and its test. */
export const outputs = {
  audit: {
    flag: "json",
    description: "Write the whole audit to this file, as JSON.",
    write: async (file, { audited, redact }) => {
      const { auditJson } = await import("../audit/index.js");
      await writeDurably(file, auditJson(mapTexts(audited.report, redact)));
    },
  },
  report: {
    flag: null,
    description: "Write the report to this file, one HTML page with verdicts, rankings and plots.",
    write: async (file, { lake, audited, settings, redact }) => {
      const { reportPage } = await import("../report/index.js");
      await writeDurably(file, await reportPage(lake, audited, settings.conventions, redact));
    },
  },
  markdown: {
    flag: "markdown",
    description: "Write the audit to this file as Markdown, for a pull request or a comment on an issue.",
    write: async (file, { audited, redact }) => {
      const { renderMarkdown } = await import("../report/index.js");
      await writeDurably(file, renderMarkdown(mapTexts(audited.report, redact)));
    },
  },
  junit: {
    flag: "junit",
    description: "Write the audit to this file as JUnit XML: a test for each published number.",
    write: async (file, { audited, redact }) => {
      const { renderJunit } = await import("../report/index.js");
      await writeDurably(file, renderJunit(mapTexts(audited.report, redact)));
    },
  },
  summary: {
    flag: null,
    description: "Write a summary of the run to this file, as JSON.",
    write: (file, results) => writeDurably(file, summaryJson(results)),
  },
  bundle: {
    flag: "bundle",
    description:
      "Write an evidence bundle to this file, a ZIP that `recount verify FILE` checks offline. It contains the ratings.",
    write: async (file, { audited, settings }) => {
      const { writeBundle } = await import("../audit/index.js");
      await writeBundle(file, audited, settings);
    },
  },
} as const satisfies Record<string, Output>;

export type OutputName = keyof typeof outputs;

export const outputNames = Object.keys(outputs) as readonly OutputName[];

/** Output name to the file that is written. */
export type OutputFiles = Readonly<Partial<Record<OutputName, string | undefined>>>;

/** Call before the work whose results are written. @throws the error that writing an output would meet. */
export async function checkOutputs(files: OutputFiles): Promise<void> {
  for (const file of Object.values(files)) if (file !== undefined) await checkWritable(file);
}

/** Writes the outputs that `files` names, and returns the files. */
export async function writeOutputs(files: OutputFiles, results: Results): Promise<string[]> {
  const written: string[] = [];
  for (const name of outputNames) {
    const file = files[name];
    if (file === undefined) continue;
    await makeDir(dirname(file));
    await outputs[name].write(file, results);
    written.push(file);
  }
  return written;
}

/** The run's summary as JSON, for monitoring unattended runs. */
function summaryJson({ exported, audited, exitCode, redact }: Results): string {
  const { recomputed, report } = audited;
  const summary = {
    exit_code: exitCode,
    ...(exported && { export: exportSummary(exported) }),
    checks: recomputed.checks,
    audit: report.summary,
    correctness: { compared: report.correctness.compared, equal: report.correctness.equal },
  };
  return `${JSON.stringify(mapTexts(summary, redact), null, 2)}\n`;
}

function exportSummary({ manifest, ...exported }: ExportReport) {
  const { experiments, units } = manifest;
  return { is_whole: exported.shortfalls.length === 0, ...exported, requests: units.length, experiments };
}
