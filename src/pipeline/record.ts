/** The record of a run, and the files that every run writes of it. */
import type { AuditReport } from "../audit/index.js";
import { shortfallKinds, type RunLine } from "../lake/index.js";
import { version, type ExitCode } from "../platform/index.js";
import type { News } from "../report/index.js";
import type { Recomputed } from "../warehouse/index.js";

export interface RunRecord extends RunLine, Partial<Pick<News, "new_findings" | "republished">> {
  /** Null: the run ended before it knew its project, and the lake does not remember it. */
  readonly project: string | null;
  readonly seconds: number | null;
  /** The last end with exit code 0, this run's included. */
  readonly last_success_at: string | null;
  /** Absent if the run wrote none. */
  readonly report?: string | undefined;
  /** Its public address. */
  readonly report_url?: string | undefined;
  readonly versions: { readonly recount: string; readonly node: string };
  readonly export?: object;
  readonly checks?: Recomputed["checks"];
  readonly audit?: AuditReport["summary"];
  readonly correctness?: Omit<AuditReport["correctness"], "different" | "compared_in">;
}

export type Measured = Pick<
  RunRecord,
  "project" | "seconds" | "last_success_at" | keyof RunLine
> & {
  /** Null for a lake in a bucket. */
  readonly free_bytes?: number | null;
};

/** By project in the order of the file. */
interface RunsState {
  readonly runs: readonly RunRecord[];
  /** Of each project, also of an earlier time. */
  readonly last: readonly Measured[];
  /** Whether the file names `projects`. */
  readonly isMany: boolean;
  /** Worst exit code; null while a run is in progress or to come. */
  readonly end: { readonly ended_at: string; readonly exit_code: ExitCode } | null;
}

/** Written when a run starts and when it ends, however it ends. */
interface RecordOutput {
  readonly description: string;
  readonly text: (state: RunsState) => string | Promise<string>;
}

function runsSummary({ runs, isMany, end }: RunsState): object | undefined {
  if (!isMany) return runs[0];
  return {
    started_at: runs[0]?.started_at ?? null,
    ...(end ?? { ended_at: null, exit_code: null }),
    runs,
  };
}

/** By the key under `outputs` in a pipeline file. */
export const recordOutputs = {
  summary: {
    description:
      "Write a summary of each run to this file, as JSON, also of one that fails or is " +
      "interrupted.",
    text: (state) => `${JSON.stringify(runsSummary(state), null, 2)}\n`,
  },
  metrics: {
    description:
      "Write measurements of each run to this file, for the textfile collector of " +
      "Prometheus' node_exporter.",
    text: ({ last }) => metricsText(last),
  },
} as const satisfies Record<string, RecordOutput>;

export type RecordOutputName = keyof typeof recordOutputs;
export const recordOutputNames = Object.keys(recordOutputs) as readonly RecordOutputName[];

const epochSeconds = (instant: string | null) =>
  instant === null ? undefined : Date.parse(instant) / 1000;

/** In Prometheus' text format. What a run does not know has no sample. */
export async function metricsText(runs: readonly Measured[]): Promise<string> {
  const { Gauge, Registry } = await import("prom-client");
  const registry = new Registry();
  const counts = (
    name: string,
    help: string,
    label: string | null,
    of: (run: Measured) => [string, number][],
  ) => {
    const labelNames = ["project", ...(label === null ? [] : [label])];
    const own = new Gauge({ name: `recount_${name}`, help, labelNames, registers: [registry] });
    for (const run of runs)
      for (const [value, count] of of(run))
        own.set({ project: run.project ?? "", ...(label !== null && { [label]: value }) }, count);
  };
  const gauge = (
    name: string,
    help: string,
    value: (run: Measured) => number | null | undefined,
  ) => {
    counts(name, help, null, (run) => {
      const sample = value(run) ?? null;
      return sample === null ? [] : [["", sample]];
    });
  };
  gauge("run_started_timestamp_seconds", "Start of the last run.", (run) =>
    epochSeconds(run.started_at),
  );
  gauge(
    "run_ended_timestamp_seconds",
    "End of the last run; none while it is in progress.",
    (run) => epochSeconds(run.ended_at),
  );
  // A sample in any case: an alert on its age must not wait for the first success.
  gauge(
    "run_success_timestamp_seconds",
    "End of the last run with exit code 0; 0 if there is none.",
    (run) => epochSeconds(run.last_success_at) ?? 0,
  );
  gauge(
    "run_exit_code",
    "Exit code of the last run; none while it is in progress.",
    (run) => run.exit_code,
  );
  gauge("run_duration_seconds", "Duration of the last run.", (run) => run.seconds);
  gauge("snapshot_rows", "Rows of the snapshot that the last run published.", (run) => run.rows);
  gauge("export_bytes", "Bytes of response bodies that the last run read.", (run) => run.bytes);
  gauge(
    "lake_free_bytes",
    "Free space where the lake is; none for a bucket.",
    (run) => run.free_bytes,
  );
  counts(
    "published_numbers",
    "Published numbers of the last run by verdict.",
    "verdict",
    ({ numbers }) => Object.entries(numbers ?? {}),
  );
  counts(
    "shortfalls",
    "What the last run's snapshot lacks by kind; quarantined: rows in quarantine.",
    "kind",
    ({ shortfalls }) =>
      shortfalls ? shortfallKinds.map((kind) => [kind, shortfalls[kind] ?? 0]) : [],
  );
  const build = {
    name: "recount_build_info",
    help: "Version of Recount and of Node.",
    registers: [registry],
  };
  new Gauge({ ...build, labelNames: ["version", "node"] }).set(
    { version, node: process.versions.node },
    1,
  );
  return registry.metrics();
}
