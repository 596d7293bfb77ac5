import { describe, expect, test } from "vitest";
import { auditExitCode, type AuditReport } from "../../src/audit/index.js";
import { renderAudit, renderJunit } from "../../src/report/index.js";
import { verdictLine } from "../../src/report/verdict-sentence.js";
import { correctnessOf, readFlags } from "../../src/audit/compare/correctness.js";
import { recomputeBehind } from "../support/load-case.js";
import type { Warehouse } from "../../src/warehouse/index.js";
import { audit, publish } from "../support/audit/published-case.js";
import { everyNth } from "../support/whole.js";

async function withChanged<T>(
  change: string,
  task: (warehouse: Warehouse) => Promise<T>,
): Promise<T> {
  const warehouse = await publish("tiny-pairwise", []);
  try {
    await warehouse.all(`create table changed as from ratings; update changed ${change};
      create or replace view ratings as from changed`);
    return await task(warehouse);
  } finally {
    warehouse.close();
  }
}

const after = (change: string): Promise<AuditReport> => withChanged(change, audit);

const flagsAfter = (change: string) =>
  withChanged(change, async (warehouse) => {
    await recomputeBehind(warehouse, ["audit_correctness"]);
    return correctnessOf([await readFlags(warehouse)]);
  });

const exitCodeOf = ({ summary, correctness }: AuditReport) => auditExitCode(summary, correctness);

const one = "where slate_id = 1003 and stimulus = 'A'";

describe("of the flags of correctness", () => {
  test("those are counted that are published", async () => {
    const report = await after("set score = score");
    expect(report.correctness).toEqual({
      compared: 4,
      equal: 4,
      compared_in: { exp1: 4 },
      different: [],
      inconclusive: [],
    });
    expect(exitCodeOf(report)).toBe(0);
    expect(renderAudit(report)).toContain("Correctness flags: 4 of 4 ratings agree.");
  });

  test("those that the service leaves out are nothing published: no contradiction", async () => {
    const report = await after("set is_correct = null");
    expect(report.correctness).toEqual({
      compared: 0,
      equal: 0,
      compared_in: {},
      different: [],
      inconclusive: [],
    });
    expect(exitCodeOf(report)).toBe(0);
    expect(renderAudit(report)).toContain("No correctness flags are published.");
    expect([...renderJunit(report)].join("")).not.toContain("agree");
  });

  test("one that is missing beside others needs a decision", async () => {
    const report = await after(
      `set meta = '{"expectedScores":[0,2]}', score = 1, is_correct = null ${one}`,
    );
    expect(report.correctness).toMatchObject({ compared: 4, equal: 4, different: [] });
    expect(exitCodeOf(report)).toBe(2);
    expect(verdictLine(report)).toContain("1 correctness flag needs a decision.");
    expect(renderAudit(report)).toContain(
      "exp1: 1 rating: the meta gives a flag, but the service does not",
    );
  });

  const shapes = [
    ['{"isCorrect":1,"expectedScores":[0,2]}', "isCorrect is a number"],
    ['{"isCorrect":"yes"}', "isCorrect is text"],
    ['{"expectedScores":[0]}', "expectedScores is a list of 1"],
    ['{"expectedScores":[0,1,2]}', "expectedScores is a list of 3"],
    ['{"expectedScores":{"min":0,"max":2}}', "expectedScores is an object"],
    ['{"expectedScores":[2,0]}', "expectedScores is reversed"],
    ['{"expectedScores":"0-2"}', "expectedScores is text"],
    ['{"expectedScores":["0",2]}', "expectedScores has a bound that is no number"],
  ] as const;

  test.each(everyNth(["true", "false", "null"], 3))(
    "a published %s beside a shape without definition is inconclusive",
    async (flag) => {
      const cases = shapes.map(([meta], i) => `when ${i} then '${meta}'`).join(" ");
      const report = await after(
        `set meta = case rowid ${cases} end, is_correct = ${flag} where rowid < ${shapes.length}`,
      );
      const { different, inconclusive } = report.correctness;
      expect(different).toEqual([]);
      expect(inconclusive).toEqual(
        shapes
          .map(([, reason]) => ({ experiment_id: "exp1", reason, ratings: 1 }))
          .toSorted((a, b) => (a.reason < b.reason ? -1 : 1)),
      );
      expect(exitCodeOf(report)).toBe(2);
      const [console, junit] = [renderAudit(report), [...renderJunit(report)].join("")];
      for (const [, reason] of shapes) {
        expect(console).toContain(`exp1: 1 rating: ${reason}`);
        expect(junit).toContain(`type="correctness" message="${reason}"`);
      }
    },
  );

  test.each(['{"isCorrect":true,"expectedScores":"0-2"}', '{"expectedScores":[0,null]}'])(
    "one with %s is compared",
    async (meta) => {
      const flags = await flagsAfter(`set meta = '${meta}', score = 1, is_correct = true ${one}`);
      expect(flags).toEqual({
        compared: 5,
        equal: 5,
        compared_in: { exp1: 5 },
        different: [],
        inconclusive: [],
      });
    },
  );

  test.each([
    ["9007199254740992", "9007199254740994", true],
    ["9007199254740991", "9007199254740993", true],
    ["9007199254740992", "9007199254740993", false],
  ])(
    "of a score of %s and a bound of %s, they are exact or not compared",
    async (score, bound, isExact) => {
      const flags = await flagsAfter(
        `set meta = '{"expectedScores":[${bound},null]}', score = ${score}, is_correct = false ${one}`,
      );
      const reason = "the score and a bound are above 2^53";
      expect(flags).toEqual({
        compared: isExact ? 5 : 4,
        equal: isExact ? 5 : 4,
        compared_in: { exp1: isExact ? 5 : 4 },
        different: [],
        inconclusive: isExact ? [] : [{ experiment_id: "exp1", reason, ratings: 1 }],
      });
    },
  );
});
