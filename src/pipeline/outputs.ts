/** The files of results that a run or an audit can write. */
import type { AuditReport, AuditSettings, KeptAudit } from "../audit/index.js";
import type { Redact } from "../client/index.js";
import { checkOutput, mapTexts, writeNew, writeOutput } from "../platform/index.js";
import type { Pseudonyms } from "../warehouse/index.js";
import type { RecordOutputName } from "./record.js";

export interface Results {
  readonly lake: string;
  readonly audited: Pick<KeptAudit, "report" | "open">;
  readonly settings: AuditSettings;
  readonly redact: Redact;
  /** Of persons in the bundle; undefined leaves it as it is in the lake. */
  readonly pseudonyms?: Pseudonyms | undefined;
}

interface Output {
  /** Flag of `recount audit`; null if the file needs more than an audit. */
  readonly flag: string | null;
  readonly description: string;
  readonly write: (file: string, results: Results) => Promise<void>;
}

async function redacted(report: AuditReport, redact: Redact): Promise<AuditReport> {
  const { exceptVerdicts } = await import("../audit/index.js");
  return mapTexts(report, exceptVerdicts(redact));
}

/** By the key under `outputs` in a pipeline file. */
export const outputs = {
  audit: {
    flag: "json",
    description: "Write the whole audit to this file, as JSON.",
    write: async (file, { audited, redact }) => {
      const { auditJson } = await import("../audit/index.js");
      await writeNew(file, auditJson(await redacted(audited.report, redact)));
    },
  },
  report: {
    flag: null,
    description: "Write the report to this file, one HTML page with verdicts, rankings and plots.",
    write: async (file, { audited, redact }) => {
      const { reportPage } = await import("../report/index.js");
      await writeNew(file, await reportPage(await audited.open(), redact));
    },
  },
  markdown: {
    flag: "markdown",
    description:
      "Write the audit to this file as Markdown, for a pull request or a comment on an issue.",
    write: async (file, { audited, redact }) => {
      const { renderMarkdown } = await import("../report/index.js");
      await writeNew(file, renderMarkdown(await redacted(audited.report, redact)));
    },
  },
  junit: {
    flag: "junit",
    description: "Write the audit to this file as JUnit XML: a test for each published number.",
    write: async (file, { audited, redact }) => {
      const { renderJunit } = await import("../report/index.js");
      await writeNew(file, renderJunit(await redacted(audited.report, redact)));
    },
  },
  bundle: {
    flag: "bundle",
    description:
      "Write an evidence bundle to this file, a ZIP that `recount verify FILE` checks " +
      "offline. It contains the ratings.",
    write: async (file, { lake, audited, settings, redact, pseudonyms }) => {
      const { writeBundle } = await import("../audit/index.js");
      const { reportPage } = await import("../report/index.js");
      const render: Parameters<typeof writeBundle>[4] = (_lake, shown) => reportPage(shown, redact);
      await writeBundle(file, lake, await audited.open(), settings, render, pseudonyms);
    },
  },
} as const satisfies Record<string, Output>;

export type OutputName = keyof typeof outputs;

export const outputNames = Object.keys(outputs) as readonly OutputName[];

/** Those of each run's record included. */
export type OutputFiles = Readonly<
  Partial<Record<OutputName | RecordOutputName, string | undefined>>
>;

/** Call before the work whose results are written. @throws what writing an output would throw */
export async function checkOutputs(files: OutputFiles): Promise<void> {
  for (const file of Object.values(files)) if (file !== undefined) await checkOutput(file);
}

export async function writeOutputs(files: OutputFiles, results: Results): Promise<string[]> {
  const written: string[] = [];
  for (const name of outputNames) {
    const file = files[name];
    if (file === undefined) continue;
    await writeOutput(file, (made) => outputs[name].write(made, results));
    written.push(file);
  }
  return written;
}
