import { expect, test } from "vitest";
import { renderChecks } from "../../src/report/index.js";

test("failing checks are listed with their severity, errors first", () => {
  const checks = [
    { name: "assert_jobs_listed", rows: 2, severity: "warning" },
    { name: "assert_elo_sum", rows: 0, severity: "error" },
    { name: "assert_slates_unique", rows: 1, severity: "error" },
  ] as const;
  expect(renderChecks(checks)).toBe(
    "Data checks: 1 of 3 pass.\n  error: assert_slates_unique: 1 row\n  warning: assert_jobs_listed: 2 rows",
  );
});
