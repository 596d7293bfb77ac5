import { chmodSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { currentSnapshot } from "../../src/lake/index.js";
import type { Fault, FaultRule } from "../../src/emulator/index.js";
import { faultKinds } from "../../src/emulator/faults/kinds.js";
import { faultFixture, partsOf, type FaultFixture } from "../support/fault-fixture.js";
import { everyNth, isWhole } from "../support/whole.js";

const ratings = (fault: Fault, more: Partial<FaultRule> = {}): FaultRule => ({
  operation: "listRatings",
  fault,
  ...more,
});
const once = { times: 1 };
const whole = { sources: "whole" } as const;

const cured: Record<string, FaultRule[]> = {
  "a delay": [ratings({ kind: "delay", ms: 50 })],
  "a slow drip": [ratings({ kind: "drip", bytes: 400, every_ms: 1 })],
  "a cut, content-length": [ratings({ kind: "cut", after: 100, framing: "content-length" }, once)],
  "a cut, chunked": [ratings({ kind: "cut", after: 100, framing: "chunked" }, once)],
  "a cut, close-delimited": [ratings({ kind: "cut", after: 100, framing: "close" }, once)],
  "a cut that leaves valid JSON, content-length": [
    ratings({ kind: "cut_after_row", row: 2, framing: "content-length", end: "]" }, once),
  ],
  "a cut that leaves valid JSON, chunked": [
    ratings({ kind: "cut_after_row", row: 2, framing: "chunked", end: "]" }, once),
  ],
  "a reset before the head": [ratings({ kind: "reset" }, once)],
  "a reset in the body": [ratings({ kind: "reset", after: 300 }, once)],
  "a compressed body": [ratings({ kind: "gzip" })],
  "a compressed body cut, close-delimited": [
    ratings({ kind: "gzip" }, once),
    ratings({ kind: "cut", after: 80, framing: "close" }, once),
  ],
  "a compressed body that is broken": [ratings({ kind: "invalid_gzip" }, once)],
  "a compressed body cut short": [ratings({ kind: "invalid_gzip", cut: 60 }, once)],
  "a maintenance page with status 200": [ratings({ kind: "html" }, once)],
  "429 for everything at first": [
    { operation: "*", times: 4, fault: { kind: "status", status: 429, retry_after: "7" } },
  ],
  "500 four times": [ratings({ kind: "status", status: 500 }, { times: 4 })],
  "every third request reset": [
    { operation: "*", nth: [3, 6, 9, 12, 15, 18], fault: { kind: "reset", after: 40 } },
  ],
};

/** Faults that no retry resolves: exit 3, or 4 if the user can fix it, and the old snapshot is untouched. */
const fatal: Record<string, { rules: FaultRule[]; exitCode: number; says: RegExp }> = {
  "always cut": {
    rules: [ratings({ kind: "cut", after: 100, framing: "close" })],
    exitCode: 3,
    says: /listRatings: .*truncated.*Gave up after 5 attempts/,
  },
  "always reset": {
    rules: [ratings({ kind: "reset" })],
    exitCode: 3,
    says: /listRatings: .*Gave up after \d+ attempts in 600 s/,
  },
  "always a maintenance page": {
    rules: [ratings({ kind: "html" })],
    exitCode: 3,
    says: /begins with </,
  },
  "always broken gzip": {
    rules: [ratings({ kind: "invalid_gzip" })],
    exitCode: 3,
    says: /compressed body is corrupted/,
  },
  "an empty list for a full one": {
    rules: [ratings({ kind: "short_list", rows: 0 })],
    exitCode: 3,
    says: /listRatings|ratings/,
  },
  "no experiment any more": {
    rules: [{ operation: "listExperiments", fault: { kind: "short_list", rows: 0 } }],
    exitCode: 3,
    says: /./,
  },
  "a header of a first page": {
    rules: [ratings({ kind: "header", name: "content-range", value: "0-19/60" })],
    exitCode: 3,
    says: /one page of a longer list \(content-range: 0-19\/60\)/,
  },
  "401": {
    rules: [ratings({ kind: "status", status: 401 })],
    exitCode: 4,
    says: /rejects the credentials/,
  },
  "403 for the list of experiments": {
    rules: [{ operation: "listExperiments", fault: { kind: "status", status: 403 } }],
    exitCode: 3,
    says: /listExperiments: .*403/,
  },
};

const text = (
  operation: NonNullable<FaultRule["operation"]>,
  own: string,
  more: Partial<FaultRule> = {},
): FaultRule => ({
  operation,
  fault: { kind: "body", text: own },
  ...more,
});

const confused: Record<string, { rules: FaultRule[]; says: RegExp }> = {
  "no slates": {
    rules: [text("listSlates", "[]")],
    says: /slates hold 0 ratings, but the list of ratings 32/,
  },
  "fewer ratings": {
    rules: [ratings({ kind: "short_list", rows: 30 })],
    says: /slates hold 32 ratings, but the list of ratings 30/,
  },
  "every rating twice": {
    rules: [ratings({ kind: "doubled" })],
    says: /slates hold 32 ratings, but the list of ratings 64/,
  },
  "no sessions": {
    rules: [text("listSessions", "[]")],
    says: /name \d+ sessions that its list of sessions lacks/,
  },
  "ratings of another job": {
    rules: [ratings({ kind: "other", field: "job_id", text: '"Elsewhere1"' })],
    says: /name 1 job that its list of jobs lacks/,
  },
  "results of another source": {
    rules: [
      { operation: "listResults", fault: { kind: "other", field: "source", text: '"Elsewhere1"' } },
    ],
    says: /name 1 source other than it and its jobs/,
  },
  "sessions of another experiment": {
    rules: [
      {
        operation: "listSessions",
        fault: { kind: "other", field: "experiment_id", text: '"Elsewhere1"' },
      },
    ],
    says: /exp1: \d+ rows of sessions in quarantine: experiment_id is not what was asked for \(/,
  },
  ...Object.fromEntries(
    ["{}", '{"detail":"try later"}', '{"id":"Elsewhere1","name":"x","type":"y"}'].map((own) => [
      `the detail ${own}`,
      {
        rules: [text("getExperiment", own)],
        says: /getExperiment of exp1: 1 row of experiment_details in quarantine/,
      },
    ]),
  ),
};

const cleared: Record<string, FaultRule[]> = {
  "no slates": [text("listSlates", "[]", once)],
  "every rating twice": [ratings({ kind: "doubled" }, once)],
};

const allOfExperiment = [
  "experiments",
  "experiment_details",
  "jobs",
  "ratings",
  "slates",
  "slate_ratings",
  "sessions",
  "results",
] as const;

const rows: Record<string, { fault: Fault; quarantined: number; more?: number }> = {
  "a duplicate key": { fault: { kind: "duplicate_keys", row: 1 }, quarantined: 1 },
  "a wrong type": { fault: { kind: "wrong_type", row: 1, field: "score" }, quarantined: 1 },
  "an integer beyond 2^53": {
    fault: { kind: "raw_value", row: 1, field: "slate_id", text: "9007199254740993" },
    quarantined: 0,
  },
  "a null row": { fault: { kind: "raw_row", row: 1, text: "null" }, quarantined: 1 },
  "a row twice": { fault: { kind: "double_row", row: 1 }, quarantined: 0, more: 1 },
  "unknown fields": { fault: { kind: "unknown_fields" }, quarantined: 0 },
  "rows of the older version": { fault: { kind: "older_shape", from_row: 3 }, quarantined: 0 },
};

describe("an export under every fault of the emulator", () => {
  let at: FaultFixture;
  let all: FaultFixture;
  let parts: Record<string, string>;
  let elements: number;

  beforeAll(async () => {
    at = await faultFixture("tiny-pairwise.json", [
      "experiments",
      "ratings",
      "sessions",
      "results",
    ]);
    all = await faultFixture("tiny-pairwise.json", allOfExperiment);
    expect((await all.exportUnder([], whole)).report?.shortfalls).toEqual([]);
    const first = await at.exportUnder([]);
    parts = partsOf(first.manifest);
    elements =
      first.manifest.units.find(({ operation }) => operation === "listRatings")?.elements ?? 0;
    expect(elements).toBeGreaterThan(20);
    expect(first.problems).toEqual([]);
  });
  afterAll(() => Promise.all([at.close(), all.close()]));

  it.each(everyNth(Object.entries(cured), 18))(
    "%s: the new snapshot is complete",
    async (_, rules) => {
      const after = await at.exportUnder(rules);
      expect(after.error).toBeNull();
      expect(after.current).toBe(after.report?.snapshot);
      expect(partsOf(after.manifest)).toEqual(parts);
      expect(after.manifest.experiments.map(({ state }) => state)).toEqual(["complete"]);
      expect(after.problems).toEqual([]);
      expect(after.staging).toEqual([]);
      expect(at.service.faults.journal().some(({ faults }) => faults.length > 0)).toBe(true);
    },
  );

  it.each(everyNth(Object.entries(fatal), 10))(
    "%s: it fails and the old snapshot is untouched",
    async (_, { rules, exitCode, says }) => {
      const before = await currentSnapshot(at.lake, at.service.projectId);
      const after = await at.exportUnder(rules);
      expect(after.error).toMatchObject({
        exitCode,
        message: expect.stringMatching(says) as string,
      });
      expect(after.current).toBe(before);
      expect(partsOf(after.manifest)).toEqual(parts);
      expect(after.problems).toEqual([]);
      expect(after.staging).toEqual([]);
    },
  );

  it.each(everyNth(Object.entries(rows), 8))(
    "%s: every element is a row or quarantined",
    async (_, { fault, quarantined, more = 0 }) => {
      const after = await at.exportUnder([ratings(fault)]);
      expect(after.error).toBeNull();
      const unit = after.manifest.units.find(({ operation }) => operation === "listRatings");
      expect(unit?.elements).toBe(elements + more);
      expect(unit?.parts[0]).toMatchObject({ rows: elements + more - quarantined, quarantined });
      expect({ ...partsOf(after.manifest), [unit?.parts[0]?.path ?? ""]: "" }).toEqual({
        ...parts,
        [unit?.parts[0]?.path ?? ""]: "",
      });
      expect(after.problems).toEqual([]);
      expect(after.staging).toEqual([]);
    },
  );

  it.runIf(isWhole).each(Object.entries(cleared))(
    "%s, once: it is read again, and whole",
    async (_, rules) => {
      const after = await all.exportUnder(rules, whole);
      expect({ error: after.error, shortfalls: after.report?.shortfalls }).toEqual({
        error: null,
        shortfalls: [],
      });
    },
  );

  it.each(everyNth(Object.entries(confused), 12))(
    "%s: the snapshot is not whole",
    async (_, { rules, says }) => {
      const after = await all.exportUnder(rules, { ...whole, shrink: { max: 1, allow: true } });
      expect(after.error).toBeNull();
      expect(after.report?.shortfalls.map(({ message }) => message).join("\n")).toMatch(says);
      expect(after.problems).toEqual([]);
    },
  );

  const vanishing: readonly [string, Fault][] = [
    ["one row", { kind: "short_list", rows: 1 }],
    ["no row", { kind: "short_list", rows: 0 }],
    ["404", { kind: "status", status: 404 }],
  ];
  it.each(everyNth(vanishing, 6))(
    "published numbers that vanish are named, and no success: %s",
    async (_, fault) => {
      const lists = await faultFixture("tiny-pairwise.json", ["experiments", "metrics"]);
      const first = await lists.exportUnder([], whole);
      const had =
        first.manifest.units.find(({ operation }) => operation === "listMetrics")?.elements ?? 0;
      const after = await lists.exportUnder([{ operation: "listMetrics", fault }], whole);
      const n = had - (fault.kind === "short_list" ? fault.rows : 0);
      expect(n).toBeGreaterThan(1);
      expect({
        error: after.error,
        vanished: after.report?.shortfalls.find(({ kind }) => kind === "vanished"),
      }).toEqual({
        error: null,
        vanished: {
          kind: "vanished",
          experiment_id: null,
          count: n,
          message: expect.stringMatching(
            new RegExp(
              `^listMetrics: ${n} published results of the previous snapshot are missing: .*\\belo \\(.*exp1`,
            ),
          ) as string,
        },
      });
      expect(after.problems).toEqual([]);
      await lists.close();
    },
  );

  it.runIf(isWhole)(
    "published numbers that vanish are counted if those of the previous snapshot are damaged",
    async () => {
      const lists = await faultFixture("tiny-pairwise.json", ["experiments", "metrics"]);
      const { manifest, current } = await lists.exportUnder([], whole);
      const path = Object.keys(partsOf(manifest)).find((one) => one.includes("metrics")) ?? "";
      const file = join(lists.lake, lists.service.projectId, "snapshots", current, path);
      chmodSync(file, 0o640);
      truncateSync(file, 30);
      const rule = { operation: "listMetrics", fault: { kind: "short_list", rows: 1 } } as const;
      const after = await lists.exportUnder([rule], whole);
      expect([after.error, after.problems]).toEqual([null, []]);
      expect(after.report?.shortfalls.map(({ kind }) => kind)).toContain("vanished");
      await lists.close();
    },
  );

  it("results that change during the export are read again, then marked as torn", async () => {
    if (isWhole) {
      const settled = await at.exportUnder(
        [{ operation: "listResults", times: 2, fault: { kind: "changing" } }],
        whole,
      );
      expect(settled.manifest.experiments).toMatchObject([{ state: "complete" }]);
    }
    const torn = await at.exportUnder(
      [{ operation: "listResults", fault: { kind: "changing" } }],
      whole,
    );
    expect(torn.manifest.experiments).toMatchObject([{ state: "torn" }]);
    expect(torn.problems).toEqual([]);
  });

  it("knows every kind of fault", () => {
    const ordered = [
      ...Object.values(cured).flat(),
      ...Object.values(fatal).flatMap(({ rules }) => rules),
    ].map(({ fault }) => fault.kind);
    const others = Object.values(confused).flatMap(({ rules }) =>
      rules.map(({ fault }) => fault.kind),
    );
    const shown = Object.values(rows).map(({ fault }) => fault.kind);
    const known = new Set<string>([...ordered, ...others, ...shown, "changing"]);
    expect(Object.keys(faultKinds).filter((kind) => !known.has(kind))).toEqual([]);
  });
});
