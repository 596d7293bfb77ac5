import { expect, it } from "vitest";
import { metricsText } from "../../src/pipeline/record.js";

const failed = {
  ...{
    run: "r",
    project: "Listen42",
    started_at: "2026-01-01T02:00:00Z",
    ended_at: "2026-01-01T02:00:05Z",
    seconds: 5,
  },
  ...{ exit_code: 3, error: "no answer", snapshot: null, rows: null, bytes: null, numbers: null },
};

it.each([
  [null, 0],
  ["2025-12-31T02:00:05Z", 1767146405],
])("a project whose last success was at %s has a time of success: %d", async (last_success_at, sample) => {
  const text = await metricsText([{ ...failed, last_success_at }]);
  expect(text).toContain(`recount_run_success_timestamp_seconds{project="Listen42"} ${sample}\n`);
  expect(text).not.toContain("recount_snapshot_rows{");
});
