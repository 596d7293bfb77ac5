import { describe, expect, test } from "vitest";
import { auditExitCode } from "../../src/audit/index.js";
import { deceptions } from "../support/audit/deceptions.js";
import { audited } from "../support/audit/published-case.js";

describe("nothing wrong passes", () => {
  test.each(deceptions.map((one) => [one.name, one] as const))(
    "%s does not pass",
    async (_, { file, results, lists, options, verdict, says }) => {
      const { summary, correctness, rows } = await audited(file, results, {
        ...(lists && { lists }),
        ...(options && { options }),
      });
      expect(auditExitCode(summary, correctness)).not.toBe(0);
      const found = rows.filter((row) => row.verdict === verdict);
      expect(found.map(({ explanation }) => explanation ?? "").join("\n")).toMatch(says ?? /^/);
      expect(found.length).toBeGreaterThan(0);
    },
  );
});
