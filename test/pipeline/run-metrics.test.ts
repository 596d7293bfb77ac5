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
])(
  "a project whose last success was at %s has a time of success: %d",
  async (last_success_at, sample) => {
    const text = await metricsText([{ ...failed, last_success_at }]);
    expect(text).toContain(`recount_run_success_timestamp_seconds{project="Listen42"} ${sample}\n`);
    expect(text).not.toContain("recount_snapshot_rows{");
  },
);

it("has shortfalls by kind, rows in quarantine among them, the free space, and the build", async () => {
  const run = {
    ...failed,
    last_success_at: null,
    shortfalls: { quarantined: 3 },
    free_bytes: 1234,
  };
  const text = await metricsText([run]);
  expect(text).toContain('recount_shortfalls{project="Listen42",kind="quarantined"} 3\n');
  expect(text).toContain('recount_shortfalls{project="Listen42",kind="torn"} 0\n');
  expect(text).toContain('recount_lake_free_bytes{project="Listen42"} 1234\n');
  expect(text).toMatch(/recount_build_info\{version="[\d.]+",node="[\d.]+"\} 1\n/);
  expect(await metricsText([{ ...failed, last_success_at: null }])).not.toMatch(
    /recount_(shortfalls|lake_free_bytes)\{/,
  );
});
