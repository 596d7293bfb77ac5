import type { RunRecord } from "./record.js";

/** A file that every run writes, when it starts and when it ends, whatever its end. */
interface RecordOutput {
  readonly description: string;
  readonly text: (record: RunRecord) => string | Promise<string>;
}

/** Every output of that kind, by its key under `outputs` in a pipeline file. */
export const recordOutputs = {
  summary: {
    description: "Write a summary of each run to this file, as JSON, also of one that fails or is interrupted.",
    text: (record) => `${JSON.stringify(record, null, 2)}\n`,
  },
  metrics: {
    description:
      "Write measurements of each run to this file, for the textfile collector of Prometheus' node_exporter.",
    text: async (record) => (await import("./run-metrics.js")).metricsText(record),
  },
} as const satisfies Record<string, RecordOutput>;

export type RecordOutputName = keyof typeof recordOutputs;
export const recordOutputNames = Object.keys(recordOutputs) as readonly RecordOutputName[];
