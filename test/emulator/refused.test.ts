import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readFaultRules, startEmulator, type EmulatorOptions } from "../../src/emulator/index.js";
import { folderOfTests } from "../support/folder.js";
import { read } from "../support/root.js";

const folder = folderOfTests("recount-refused");

async function refused(options: EmulatorOptions, message: RegExp): Promise<void> {
  const start = startEmulator({ sample: false, ...options });
  await expect(start).rejects.toMatchObject({
    name: "UsageError",
    exitCode: 4,
    message: expect.stringMatching(message) as string,
  });
}

test("a port that is none, or in use", async () => {
  for (const port of [70_000, -1, 1.5, NaN]) await refused({ port }, /is not a port/);
  const first = await startEmulator({ sample: false });
  await refused({ port: Number(new URL(first.url).port) }, /is in use/);
  await first.close();
});

test("a file of rules for faults", async () => {
  const path = join(folder, "rules.yaml");
  writeFileSync(path, "- { operation: listRatings, fault: { kind: delay } }\n");
  await expect(readFaultRules(path)).rejects.toMatchObject({
    exitCode: 4,
    message: expect.stringMatching(/: entry 1, fault needs ms, for example ms: \d+; /) as string,
  });
  writeFileSync(path, "- { operation: listRatings, nth: [1, 2], fault: { kind: delay, ms: 3 } }\n");
  expect(await readFaultRules(path)).toEqual([
    { operation: "listRatings", nth: [1, 2], fault: { kind: "delay", ms: 3 } },
  ]);
});

test.each<[rules: unknown, message: RegExp]>([
  [{}, /the list of rules must be a list, .*, not \{\}/],
  [[{ kind: ["elo"] }], /unknown key entry 1, kind\. Did you mean kinds\?/],
  [
    [{}, { conventions: { training: "all" } }],
    /entry 2, conventions\.training must be one of exclude, include, only, not "all"/,
  ],
  [
    [{ conventions: { bayesian_elo: { rater_quality: { alpha: 10 } } } }],
    /entry 1, conventions\.bayesian_elo\.rater_quality needs beta, for example beta: /,
  ],
])("rules of what is published: %j", async (rules, message) => {
  await refused({ publishing: rules as [] }, message);
});

type Case = Record<"experiment" | "ratings" | "sessions", unknown>;
const first = (list: unknown, changed: object) =>
  (list as object[]).map((row, i) => (i === 0 ? { ...row, ...changed } : row));
const rating = (changed: object) => (own: Case) => ({
  ...own,
  ratings: first(own.ratings, changed),
});
const whole = JSON.parse(read("test/golden/tiny-pairwise.json")) as Case;

test.each<[string, (own: Case) => unknown, RegExp]>([
  ["not JSON", () => "{", /is not JSON/],
  ["a list", () => [], /the file must be a map, not \[\]/],
  ["without ratings", (own) => ({ ...own, ratings: undefined }), /the file needs ratings\./],
  ["a wrong type", rating({ score: "3" }), /ratings, entry 1, score must be a number.*, not "3"/],
  [
    "a wrong date",
    (own) => ({ ...own, sessions: first(own.sessions, { date_created: "yesterday" }) }),
    /sessions, entry 1, date_created must be an instant such as .*, not "yesterday"/,
  ],
  [
    "an unknown session",
    rating({ session_id: "gone" }),
    /ratings\.0\.session_id "gone" is not the id of a session/,
  ],
  [
    "a wrong identifier",
    (own) => ({ ...own, experiment: { id: "a-b", name: "x", type: "acr_audio" } }),
    /experiment\.id must be text of letters and digits, not "a-b"/,
  ],
])("a case of %s", async (_, change, message) => {
  const path = join(folder, "case.json");
  const value = change(whole);
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
  await refused({ load: [path] }, new RegExp(`^${path}.*${message.source}.*$`));
});
