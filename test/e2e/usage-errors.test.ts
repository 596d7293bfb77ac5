import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { recount } from "../support/command-line.js";
import { goldenLake } from "../support/kept.js";
import { testProject } from "../support/project.js";

const project = await testProject();
const { env, folder: dir, path } = project;
const lake = await goldenLake("tiny-pairwise");
/** An export from an address that refuses connections. */
const unanswered = recount(
  ["export", "--base-url", "http://127.0.0.1:1", "--retry-for", "0", "--lake", path("x-unanswered")],
  env,
);

describe("a usage error", () => {
  const written = () => readdirSync(dir).filter((name) => name.startsWith("x-"));
  const cases: [mistake: string, args: string[], says: RegExp, env?: Record<string, string>][] = [
    [
      "wrong key",
      ["export", "--lake", path("x-lake")],
      /^recount: listExperiments: .* rejects the credentials \(401\)\. Check RECOUNT_API_KEY/,
      { RECOUNT_API_KEY: "wrongkey" },
    ],
    [
      "unknown project",
      ["export", "--project", "Nowhere1", "--lake", path("x-lake")],
      /^recount: listExperiments: .*(404|403)/,
    ],
    [
      "a project that is no identifier",
      ["export", "--project", "../x", "--lake", path("x-lake")],
      /^recount: project.* "\.\.\/x" is not an identifier/,
    ],
    [
      "unknown experiment",
      ["export", "--id", "Nothing1", "--lake", path("x-lake")],
      /^recount: No experiment Nothing1 in this project\. It has: /,
    ],
    [
      "no such experiment in a call",
      ["call", "listJobs", "-p", "experiment_id=Nothing1"],
      /^recount: listJobs: nothing at .*Nothing1/,
    ],
    [
      "a malformed identifier",
      ["call", "listJobs", "-p", "experiment_id=a/b"],
      /^recount: experiment_id "a\/b" is not an identifier/,
    ],
    ["an unknown operation", ["call", "listRating"], /^recount: There is no operation "listRating"/],
    ["no such pipeline", ["run", "nowhere.yaml"], /^recount: nowhere\.yaml: the pipeline file cannot be read/],
    ["no lake", ["audit", "--lake", path("x-none")], /^recount: .*no snapshot.*Run `recount export` first/],
    ["wrong SQL", ["query", "select nothing from ratings", "--lake", lake], /^recount: The query failed: .*nothing/],
    [
      "a value that is not listed",
      ["query", "select 1", "--format", "xx"],
      /^recount: --format must be .*, not "xx"\./,
    ],
    ["a number out of bounds", ["audit", "--depth", "99"], /^recount: --depth must be a whole number .*, not 99\.$/],
    [
      "a query that writes a file",
      ["query", `copy ratings to '${path("x-copied.csv")}'`, "--lake", lake],
      /^recount: The query was refused: .*--output, or pass --unsafe/,
    ],
    ["a malformed case file", ["serve", "--load", import.meta.filename], /^recount: .*usage-errors\.test\.ts/],
    ["an unknown flag", ["audit", "--jsn", "x"], /^recount: audit has no flag --jsn\. Did you mean --json\?$/],
    [
      "an address that is none",
      ["export", "--base-url", "here", "--lake", path("x-lake")],
      /^recount: The service address "here" is not/,
    ],
  ];

  it.each(cases)(
    "%s: prints one line, exits with the documented code and leaves no partial files",
    async (_, args, says, more = {}) => {
      const outcome = await project.recount(args, more);
      const last = outcome.stderr
        .trim()
        .split("\n")
        .filter((line) => line.startsWith("recount:"));
      expect(last).toHaveLength(1);
      expect(last[0]).toMatch(says);
      expect(outcome.code).toBe(4);
      expect(outcome.stderr).not.toMatch(/\n\s+at /);
      expect(outcome.stderr).not.toContain("wrongkey");
      expect(
        written()
          .flatMap((name) => readdirSync(path(name), { recursive: true, encoding: "utf8" }))
          .filter((path) => /parquet|manifest|current$/.test(path)),
      ).toEqual([]);
    },
  );

  it("a refused connection exits with the export's code, in a process of its own", async () => {
    const outcome = await unanswered;
    expect(outcome.code).toBe(3);
    expect(outcome.stderr).toMatch(
      /recount: listExperiments: http:\/\/127\.0\.0\.1:1: connection refused \(ECONNREFUSED\)\. Check --base-url and any proxy\. Gave up after 1 attempt in \d+ s\./,
    );
  });
});
