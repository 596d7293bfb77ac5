import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditLake } from "../../src/audit/index.js";
import type { Fault, FaultRule } from "../../src/emulator/index.js";
import { shortfallsOf, shortfallText, summariseSnapshots } from "../../src/lake/index.js";
import { faultFixture, type FaultFixture } from "../support/fault-fixture.js";

const at = (operation: NonNullable<FaultRule["operation"]>, fault: Fault): FaultRule => ({
  operation,
  fault,
});
const status = (code: number): Fault => ({ kind: "status", status: code });

/**
 * What the service does, and what the export then says: the summary, a part of its sentence, and the data check that fails
 * because of what is missing.
 */
const notWhole: Record<
  string,
  { rules: FaultRule[]; summary: string; says: RegExp; check?: string }
> = {
  "a row that does not match its record": {
    rules: [at("listSessions", { kind: "wrong_type", row: 0, field: "date_created" })],
    summary: "1 row in quarantine, 1 violation of the data's rules",
    says: /^listSessions of exp1: 1 row of sessions in quarantine: date_created is not an instant with a zone \(experiment_id=exp1\/sessions\.quarantine\.jsonl\)\.$/,
    check: "The data check assert_sessions_listed found 1 row.",
  },
  "a list of an experiment that the key may not read": {
    rules: [at("listRatings", status(403))],
    summary: "1 torn or incomplete experiment",
    says: /\(exp1\) is incomplete: not permitted for this key: listRatings/,
  },
  "results that change all the time": {
    rules: [at("listResults", { kind: "changing" })],
    summary: "1 torn or incomplete experiment",
    says: /\(exp1\) is torn: its results changed twice/,
  },
  "a refused job": {
    rules: [{ ...at("getJob", status(403)), times: 1 }],
    summary: "1 refused request",
    says: /^getJob \w+ of exp1: the service refused the request \(403\)/,
  },
  "slates with more ratings than the list of ratings": {
    rules: [at("listRatings", { kind: "short_list", rows: 20 })],
    summary: "1 torn or incomplete experiment, 12 violations of the data's rules",
    says: /\(exp1\) is incomplete: its slates hold \d+ ratings, but the list of ratings 20/,
    check: "The data check assert_ratings_match_slates found 12 rows.",
  },
};

describe("a snapshot that is published but not whole", () => {
  let service: FaultFixture;
  beforeAll(async () => {
    service = await faultFixture();
  });
  afterAll(() => service.close());
  const shrink = { max: 1, allow: true };

  it("is whole if every list was read, or is one that the key may never read", async () => {
    const every = await service.exportUnder([]);
    expect(every.report?.shortfalls).toEqual([]);
    const refused = [
      "listMetrics",
      "listRubrics",
      "listDatasets",
      "listWebhooks",
      "listRaterPools",
    ] as const;
    const fewer = await service.exportUnder(
      refused.map((operation, i) => at(operation, status(i % 2 ? 403 : 404))),
    );
    // Only published results may not vanish: they were in the snapshot before.
    expect(fewer.report?.shortfalls.map(({ kind, message }) => [kind, message])).toEqual([
      [
        "vanished",
        expect.stringMatching(
          /^listMetrics: \d+ published results of the previous snapshot are missing/,
        ),
      ],
    ]);
  });

  it.each(Object.entries(notWhole))(
    "%s: is named in one sentence",
    async (_, { rules, summary, says, check }) => {
      const { report, manifest, problems } = await service.exportUnder(rules, {
        shrink,
        sources: "whole",
      });
      const said = [expect.stringMatching(says), ...(check === undefined ? [] : [check])];
      expect(report?.shortfalls.map(({ message }) => message)).toEqual(said);
      expect(shortfallText(report?.shortfalls ?? [])).toBe(summary);
      expect(shortfallsOf(manifest)).toEqual(report?.shortfalls);
      expect(problems).toEqual([]);
      const { report: audit, warehouse } = await auditLake(
        service.lake,
        service.service.projectId,
        { limits: { work: 0 } },
      );
      warehouse.close();
      expect(audit.shortfalls).toEqual(report?.shortfalls);
      const snapshots = await summariseSnapshots(service.lake, service.service.projectId);
      expect(snapshots.at(-1)?.shortfalls).toHaveLength(said.length);
    },
  );
});
