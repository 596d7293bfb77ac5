import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FoundCause } from "../../src/audit/findings/find-cause.js";
import { findCauses, findCausesHere, type OpenResults } from "../../src/audit/findings/find-causes.js";
import type { Kind } from "../../src/metrics/kinds.js";
import { defaultLimits, defaultTolerances } from "../../src/audit/settings.js";
import type { PublishingRule } from "../../src/emulator/index.js";
import { fixtureOf } from "../support/audit/fixture.js";
import { publishedTarget } from "../support/audit/mutation.js";

const corrupted: PublishingRule = { corruption: { damage: "add", item: "codec-c", field: "value", by: 0.7 } };
/** A kind as it is published, and what explains it. */
const published: readonly (readonly [Kind, PublishingRule, string])[] = [
  ["bayesian_elo", { conventions: { bayesian_elo: { shape: 2, rate: 0.05 } } }, "shape=2"],
  ["elo", { conventions: { elo: { k: 24 } } }, "k=24"],
  ["bayesian_elo", corrupted, "the value of codec-c is 0.7 too high"],
  [
    "percent_chosen",
    { corruption: { damage: "drop_session", index: 7 } },
    "the numbers match when session s2x0007 is left out",
  ],
];

const dir = mkdtempSync(join(tmpdir(), "recount-worker-"));
const built = resolve(import.meta.dirname, "../../dist/audit/findings/worker.js");
let results: OpenResults;
let alone: FoundCause[];

beforeAll(async () => {
  const fixture = await fixtureOf("codec-preference");
  const open = published.map(([kind, rule]) => ({
    group: publishedTarget(fixture, kind, "", [rule]).group,
    kind,
    rows: [],
  }));
  results = {
    ratings: fixture.evaluator.ratings,
    open,
    settings: { conventions: fixture.conventions, tolerances: defaultTolerances, limits: defaultLimits, accept: [] },
  };
  alone = findCausesHere(results);
});
afterAll(() => rmSync(dir, { recursive: true }));

function workerOf(text: string): string {
  const file = join(dir, `${text.length}.mjs`);
  writeFileSync(file, text);
  return file;
}

describe("findCauses in two threads", () => {
  it("gives the same result as one thread", async () => {
    expect(existsSync(built), "run `npm run build` first").toBe(true);
    expect(alone.map(({ finding }) => finding.explanation?.name ?? finding.smallest_difference?.says)).toEqual(
      published.map(([, , says]) => says),
    );
    expect(await findCauses(results, { worker: built, large: 0 })).toEqual(alone);
  });

  it.each(["throw new Error('planted')", "", "nowhere"])(
    "runs here when the worker ends without an answer (%s)",
    async (text) => {
      const worker = text === "nowhere" ? "nowhere.js" : workerOf(text);
      expect(await findCauses(results, { worker, large: 0 })).toEqual(alone);
    },
  );

  it("keeps the order of the results, with those of bayesian_elo from the worker", async () => {
    const worker = workerOf(`import { parentPort, workerData } from "node:worker_threads";
      parentPort.postMessage(workerData.open.map(({ kind }, i) => ({ rows: [], finding: { kind, stated: ["worker " + i] } })));`);
    const small = { ...results, open: results.open.filter(({ kind }) => kind !== "elo") };
    expect((await findCauses(small, { worker, large: 0 })).map(({ finding }) => finding.stated)).toEqual([
      ["worker 0"],
      ["worker 1"],
      [],
    ]);
    expect((await findCauses(small, { worker })).map(({ finding }) => finding.stated)).not.toContainEqual(["worker 0"]);
  });
});
