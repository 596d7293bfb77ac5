import { Gauge, Registry } from "prom-client";
import type { RunRecord } from "./record.js";

const seconds = (instant: string | null) => (instant === null ? undefined : Date.parse(instant) / 1000);

/** The measurements of a run in Prometheus' text format. What a run does not know has no sample. */
export function metricsText(record: RunRecord): Promise<string> {
  const registry = new Registry();
  const project = record.project ?? "";
  const gauge = (name: string, help: string, value: number | null | undefined, labels: Record<string, string> = {}) => {
    const labelNames = ["project", ...Object.keys(labels)];
    const known = registry.getSingleMetric(`recount_${name}`) as Gauge | undefined;
    const own = known ?? new Gauge({ name: `recount_${name}`, help, labelNames, registers: [registry] });
    if (value !== null && value !== undefined) own.set({ project, ...labels }, value);
  };
  gauge("run_started_timestamp_seconds", "Start of the last run.", seconds(record.started_at));
  gauge("run_ended_timestamp_seconds", "End of the last run; none while it is at work.", seconds(record.ended_at));
  gauge("run_success_timestamp_seconds", "End of the last run with exit code 0.", seconds(record.last_success_at));
  gauge("run_exit_code", "Exit code of the last run; none while it is at work.", record.exit_code);
  gauge("run_duration_seconds", "Duration of the last run.", record.seconds);
  gauge("snapshot_rows", "Rows of the snapshot that the last run published.", record.rows);
  gauge("export_bytes", "Bytes of response bodies that the last run read.", record.bytes);
  for (const [verdict, count] of Object.entries(record.numbers ?? {}))
    gauge("published_numbers", "Published numbers of the last run by verdict.", count, { verdict });
  return registry.metrics();
}
