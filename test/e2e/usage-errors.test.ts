import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEmulator, type RunningEmulator } from "../../src/emulator/index.js";
import { recount, type Outcome } from "../support/command-line.js";
import { exportTo } from "../support/export-to-lake.js";
import { goldenDir } from "../support/golden-case.js";
import { recountHere } from "../support/in-process.js";

const dir = mkdtempSync(join(tmpdir(), "recount-usage-"));
const lake = join(dir, "lake");
let service: RunningEmulator;
let env: Record<string, string>;
/** An export from an address that refuses connections; it waits between attempts while the other commands run. */
let unanswered: Promise<Outcome>;

beforeAll(async () => {
  service = await startEmulator({ load: [join(goldenDir, "tiny-pairwise.json")] });
  env = { RECOUNT_BASE_URL: service.url, RECOUNT_PROJECT_ID: service.projectId, RECOUNT_API_KEY: service.apiKey };
  unanswered = recount(["export", "--base-url", "http://127.0.0.1:1", "--lake", join(dir, "x-unanswered")], env);
  await exportTo(lake, service);
});
afterAll(async () => {
  await service.close();
  rmSync(dir, { recursive: true });
});

describe("a usage error", () => {
  const written = () => readdirSync(dir).filter((name) => name.startsWith("x-"));
  const cases: [string, string[], Record<string, string>, number, RegExp][] = [
    [
      "wrong key",
      ["export", "--lake", join(dir, "x-lake")],
      { RECOUNT_API_KEY: "wrongkey" },
      4,
      /^recount: listExperiments: .* rejects the credentials \(401\)\. Check RECOUNT_API_KEY/,
    ],
    [
      "unknown project",
      ["export", "--project", "Nowhere1", "--lake", join(dir, "x-lake")],
      {},
      4,
      /^recount: listExperiments: .*(404|403)/,
    ],
    [
      "a project that is no identifier",
      ["export", "--project", "../x", "--lake", join(dir, "x-lake")],
      {},
      4,
      /^recount: project.* "\.\.\/x" is not an identifier/,
    ],
    [
      "unknown experiment",
      ["export", "--id", "Nothing1", "--lake", join(dir, "x-lake")],
      {},
      4,
      /^recount: No experiment Nothing1 in this project\. It has: /,
    ],
    [
      "no such experiment in a call",
      ["call", "listJobs", "-p", "experiment_id=Nothing1"],
      {},
      4,
      /^recount: listJobs: nothing at .*Nothing1/,
    ],
    [
      "a malformed identifier",
      ["call", "listJobs", "-p", "experiment_id=a/b"],
      {},
      4,
      /^recount: experiment_id "a\/b" is not an identifier/,
    ],
    ["an unknown operation", ["call", "listRating"], {}, 4, /^recount: There is no operation "listRating"/],
    ["no such pipeline", ["run", "nowhere.yaml"], {}, 4, /^recount: nowhere\.yaml: the pipeline file cannot be read/],
    ["no lake", ["audit", "--lake", join(dir, "x-none")], {}, 4, /^recount: .*no snapshot.*Run `recount export` first/],
    [
      "wrong SQL",
      ["query", "select nothing from ratings", "--lake", lake],
      {},
      4,
      /^recount: The query failed: .*nothing/,
    ],
    [
      "a query that writes a file",
      ["query", `copy ratings to '${join(dir, "x-copied.csv")}'`, "--lake", lake],
      {},
      4,
      /^recount: The query was refused: .*--output, or pass --unsafe/,
    ],
    ["a malformed case file", ["serve", "--load", import.meta.filename], {}, 4, /^recount: .*usage-errors\.test\.ts/],
    ["an unknown flag", ["audit", "--jsn", "x"], {}, 4, /^recount: audit has no flag --jsn\. Did you mean --json\?$/],
    [
      "an address that is none",
      ["export", "--base-url", "here", "--lake", join(dir, "x-lake")],
      {},
      4,
      /^recount: The service address "here" is not/,
    ],
  ];

  it.each(cases)(
    "%s: prints one line, exits with the documented code and leaves no partial files",
    async (_, args, extra, code, message) => {
      const outcome = await recountHere(args, { ...env, ...extra });
      const last = outcome.stderr
        .trim()
        .split("\n")
        .filter((line) => line.startsWith("recount:"));
      expect(last).toHaveLength(1);
      expect(last[0]).toMatch(message);
      expect(outcome.code).toBe(code);
      expect(outcome.stderr).not.toMatch(/\n\s+at /);
      expect(outcome.stderr).not.toContain("wrongkey");
      expect(
        written()
          .flatMap((name) => readdirSync(join(dir, name), { recursive: true, encoding: "utf8" }))
          .filter((path) => /parquet|manifest|current$/.test(path)),
      ).toEqual([]);
    },
  );

  it("in a process of its own exits with the same code and line", async () => {
    const [, args, extra, code, message] = cases[0] as (typeof cases)[number];
    const outcome = await recount(args, { ...env, ...extra });
    expect(outcome).toMatchObject({ code, stdout: "", stderr: expect.stringMatching(message) as string });
  });

  it("a refused connection exits with the export's code", async () => {
    const outcome = await unanswered;
    expect(outcome.code).toBe(3);
    expect(outcome.stderr).toMatch(
      /recount: listExperiments: http:\/\/127\.0\.0\.1:1: connection refused \(ECONNREFUSED\)\. Check --base-url and any proxy\. Gave up after 5 attempts\./,
    );
  });
});
