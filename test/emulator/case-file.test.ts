import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readText } from "../../src/platform/files.js";
import { startEmulator } from "../../src/emulator/index.js";
import { goldenDir } from "../support/golden-case.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recount-case-"));
});
afterAll(() => rm(folder, { recursive: true }));

const broken: [string, (file: Record<string, unknown>) => unknown, RegExp][] = [
  ["not JSON", () => "{", /is not JSON/],
  ["a list", () => [], /the file must be a map, not \[\]/],
  ["without ratings", (file) => ({ ...file, ratings: undefined }), /the file needs ratings\./],
  [
    "a wrong type",
    (file) => withRating(file, { score: "3" }),
    /ratings, entry 1, score must be a number.*, not "3"/,
  ],
  [
    "a wrong date",
    (file) => withSession(file, { date_created: "yesterday" }),
    /sessions, entry 1, date_created must be an instant such as .*, not "yesterday"/,
  ],
  [
    "an unknown session",
    (file) => withRating(file, { session_id: "gone" }),
    /ratings\.0\.session_id "gone" is not the id of a session/,
  ],
  [
    "a wrong identifier",
    (file) => ({ ...file, experiment: { id: "a-b", name: "x", type: "acr_audio" } }),
    /experiment\.id must be text of letters and digits, for example ab, not "a-b"/,
  ],
];
const first = (list: unknown, changed: object) =>
  (list as object[]).map((row, i) => (i === 0 ? { ...row, ...changed } : row));
const withRating = (file: Record<string, unknown>, changed: object) => ({
  ...file,
  ratings: first(file.ratings, changed),
});
const withSession = (file: Record<string, unknown>, changed: object) => ({
  ...file,
  sessions: first(file.sessions, changed),
});

test.each(broken)(
  "%s: one line with file, field and value, exit 4",
  async (name, change, message) => {
    const file = JSON.parse(await readText(join(goldenDir, "tiny-pairwise.json"))) as Record<
      string,
      unknown
    >;
    const value = change(file);
    const path = join(folder, `${name.replaceAll(" ", "-")}.json`);
    await writeFile(path, typeof value === "string" ? value : JSON.stringify(value));
    const failure: unknown = await startEmulator({ load: [path] }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: "UsageError", exitCode: 4 });
    expect((failure as Error).message).toMatch(message);
    expect((failure as Error).message.startsWith(path)).toBe(true);
    expect((failure as Error).message).not.toContain("\n");
  },
);
