import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Fault } from "../../src/emulator/index.js";
import type { Manifest } from "../../src/lake/index.js";
import { faultFixture, type FaultFixture } from "../support/fault-fixture.js";

const ratingsOf = ({ units }: Manifest): Record<string, number> =>
  Object.fromEntries(
    units
      .filter(({ operation }) => operation === "listRatings")
      .map(({ experiment_id, parts }) => [
        experiment_id ?? "",
        parts.reduce((sum, { rows }) => sum + rows, 0),
      ]),
  );

const name = (text: string): Fault => ({ kind: "raw_value", row: 0, field: "name", text });
const gone: Fault = { kind: "status", status: 404 };
const id = (text: string): Fault => ({ kind: "raw_value", row: 0, field: "id", text });

/** A row of the list that does not fit: its experiment is exported under its identifier. */
const unfit: Record<string, { fault: Fault; reason: RegExp }> = {
  "a field of another type": { fault: name("5"), reason: /quarantine: name is not text$/ },
  "a field twice": {
    fault: { kind: "duplicate_keys", row: 0 },
    reason: /quarantine: a field occurs twice$/,
  },
  "a newline within text": { fault: name('"two\nlines"'), reason: /quarantine: not valid JSON$/ },
  "a lone surrogate": { fault: name('"\\ud800"'), reason: /quarantine: not valid JSON$/ },
};

/** A row that no request can name: everything else is exported. */
const unnamed: Record<string, { fault: Fault; says: RegExp }> = {
  "no identifier": {
    fault: id("null"),
    says: /^listExperiments: nothing was read for element 0: it has no identifier/,
  },
  "an identifier that the interface forbids": {
    fault: id('"../other"'),
    says: /element 0 \(\.\.\/other\): its identifier does not match \^\[a-zA-Z0-9\]\+\$/,
  },
  "an unreadable row": {
    fault: { kind: "raw_row", row: 0, text: "[]" },
    says: /element 0: it has no identifier/,
  },
};

describe("an experiment never vanishes", () => {
  let at: FaultFixture;
  let whole: Record<string, number>;
  beforeAll(async () => {
    at = await faultFixture(
      ["tiny-pairwise.json", "approval.json"],
      ["experiments", "jobs", "ratings"],
    );
    whole = ratingsOf((await at.exportUnder([])).manifest);
    expect(Object.values(whole)).toEqual([expect.any(Number), expect.any(Number)]);
  });
  afterAll(() => at.close());

  const exportUnder = async (fault: Fault) => {
    const after = await at.exportUnder([{ operation: "listExperiments", fault }]);
    expect(after.error).toBeNull();
    expect(after.problems).toEqual([]);
    return after;
  };

  it.each(Object.entries(unfit))(
    "with %s in its row it is exported and incomplete",
    async (_, { fault, reason }) => {
      const { manifest, report } = await exportUnder(fault);
      expect(ratingsOf(manifest)).toEqual(whole);
      const states = manifest.experiments.map((one) => [one.state, one.reason]);
      expect(states.toSorted()).toEqual([
        ["complete", null],
        ["incomplete", expect.stringMatching(reason)],
      ]);
      expect(report?.shortfalls.map(({ kind }) => kind)).toEqual(["experiment", "quarantined"]);
    },
  );

  it.each(Object.entries(unnamed))(
    "with %s it is named, and the others are exported",
    async (_, { fault, says }) => {
      const { manifest, report } = await exportUnder(fault);
      expect(Object.entries(whole)).toEqual(
        expect.arrayContaining(Object.entries(ratingsOf(manifest))),
      );
      expect(manifest.experiments).toMatchObject([{ state: "complete" }]);
      const shortfalls = report?.shortfalls.filter(({ kind }) => kind === "misidentified") ?? [];
      expect(shortfalls.map(({ message }) => message)).toEqual([expect.stringMatching(says)]);
    },
  );

  it("with nothing at its address it is incomplete, and the others are exported", async () => {
    const { manifest, report } = await exportUnder(id('"gone"'));
    expect(Object.entries(whole)).toEqual(
      expect.arrayContaining(Object.entries(ratingsOf(manifest)).slice(1)),
    );
    const states = manifest.experiments.map((one) => [one.id, one.state, one.reason]);
    expect(states).toEqual([
      ["gone", "incomplete", "the service answered 404: listRatings, listJobs"],
      [expect.any(String), "complete", null],
    ]);
    expect(report?.shortfalls.map(({ kind }) => kind)).toEqual(["experiment"]);
  });

  it("like all others with nothing at its address it fails the export: the address is probably wrong", async () => {
    const lists = ["listJobs", "listRatings"] as const;
    const { error } = await at.exportUnder(lists.map((operation) => ({ operation, fault: gone })));
    expect(error).toMatchObject({
      exitCode: 4,
      message: expect.stringMatching(/: nothing at \/.* \(404\)/) as string,
    });
  });

  it("listed twice, it is read once and named", async () => {
    const { manifest, report } = await exportUnder({ kind: "double_row", row: 0 });
    expect(ratingsOf(manifest)).toEqual(whole);
    expect(manifest.experiments).toHaveLength(2);
    expect(report?.shortfalls.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^listExperiments: nothing was read for element 1 \(\w+\): element 0 has the same identifier/,
      ),
    ]);
  });

  it.each([
    [
      id("null"),
      /^listJobs of \w+: nothing was read for element 0: it has no identifier that can be read/,
    ],
    [
      id('"a-b"'),
      /^listJobs of \w+: nothing was read for element 0 \(a-b\): its identifier does not match/,
    ],
    [
      { kind: "double_row", row: 0 } as const,
      /element 1 \(\w+\): element 0 has the same identifier/,
    ],
  ])("names a job that cannot be asked for, or not again: %j", async (fault, says) => {
    const { report, manifest, problems } = await at.exportUnder([{ operation: "listJobs", fault }]);
    // Other lists name the job too, so the experiment's lists contradict each other as well.
    const said = report?.shortfalls
      .map(({ message }) => message)
      .filter((message) => message.startsWith("listJobs"));
    expect(said).toEqual(manifest.experiments.map(() => expect.stringMatching(says) as string));
    expect(problems).toEqual([]);
  });
});
