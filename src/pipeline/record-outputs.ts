import type { ExitCode } from "../platform/index.js";
import type { Measured, RunRecord } from "./record.js";

/** What is known of the runs of a pipeline, by project in the order of the file. */
interface RunsState {
  /** Those that have started. */
  readonly runs: readonly RunRecord[];
  /** The last run of each project, also one of an earlier time. */
  readonly last: readonly Measured[];
  /** Whether the file names `projects`. */
  readonly isMany: boolean;
  /** The end of the last run and the worst exit code; null while a run is in progress or to come. */
  readonly end: { readonly ended_at: string; readonly exit_code: ExitCode } | null;
}

/** A file that every run writes, when it starts and when it ends, however it ends. */
interface RecordOutput {
  readonly description: string;
  readonly text: (state: RunsState) => string | Promise<string>;
}

function summary({ runs, isMany, end }: RunsState): object | undefined {
  if (!isMany) return runs[0];
  return { started_at: runs[0]?.started_at ?? null, ...(end ?? { ended_at: null, exit_code: null }), runs };
}

/** Every output of that kind, by its key under `outputs` in a pipeline file. */
export const recordOutputs = {
  summary: {
    description: "Write a summary of each run to this file, as JSON, also of one that fails or is interrupted.",
    text: (state) => `${JSON.stringify(summary(state), null, 2)}\n`,
  },
  metrics: {
    description:
      "Write measurements of each run to this file, for the textfile collector of Prometheus' node_exporter.",
    text: async ({ last }) => (await import("./run-metrics.js")).metricsText(last),
  },
} as const satisfies Record<string, RecordOutput>;

export type RecordOutputName = keyof typeof recordOutputs;
export const recordOutputNames = Object.keys(recordOutputs) as readonly RecordOutputName[];
