import { Gauge, Registry } from "prom-client";
import type { Measured } from "./record.js";

const seconds = (instant: string | null) => (instant === null ? undefined : Date.parse(instant) / 1000);

/** The measurements of runs in Prometheus' text format. What a run does not know has no sample. */
export function metricsText(runs: readonly Measured[]): Promise<string> {
  const registry = new Registry();
  const gauge = (name: string, help: string, value: (run: Measured) => number | null | undefined) => {
    const own = new Gauge({ name: `recount_${name}`, help, labelNames: ["project"], registers: [registry] });
    for (const run of runs) {
      const sample = value(run);
      if (sample !== null && sample !== undefined) own.set({ project: run.project ?? "" }, sample);
    }
  };
  gauge("run_started_timestamp_seconds", "Start of the last run.", (run) => seconds(run.started_at));
  gauge("run_ended_timestamp_seconds", "End of the last run; none while it is in progress.", (run) =>
    seconds(run.ended_at),
  );
  // A sample in any case: an alert on its age must not wait for the first success.
  gauge(
    "run_success_timestamp_seconds",
    "End of the last run with exit code 0; 0 if there is none.",
    (run) => seconds(run.last_success_at) ?? 0,
  );
  gauge("run_exit_code", "Exit code of the last run; none while it is in progress.", (run) => run.exit_code);
  gauge("run_duration_seconds", "Duration of the last run.", (run) => run.seconds);
  gauge("snapshot_rows", "Rows of the snapshot that the last run published.", (run) => run.rows);
  gauge("export_bytes", "Bytes of response bodies that the last run read.", (run) => run.bytes);
  const numbers = new Gauge({
    name: "recount_published_numbers",
    help: "Published numbers of the last run by verdict.",
    labelNames: ["project", "verdict"],
    registers: [registry],
  });
  for (const run of runs)
    for (const [verdict, count] of Object.entries(run.numbers ?? {}))
      numbers.set({ project: run.project ?? "", verdict }, count);
  return registry.metrics();
}
