import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { recount } from "../support/command-line.js";
import { exportTo } from "../support/export-to-lake.js";
import { recountHere } from "../support/in-process.js";
import {
  inBucket,
  isMoto,
  objectsOf,
  objectStorageOfTests,
  type Fate,
  type Seen,
} from "./object-storage.js";

const project = "Listen42";

const unfit: Record<string, readonly [fate: (seen: Seen) => Fate, why: RegExp]> = {
  "ignores If-None-Match": [
    without("if-none-match"),
    /the store does not honour If-None-Match, so it cannot lock a lake\./,
  ],
  "ignores If-Match": [
    without("if-match"),
    /the store does not honour If-Match, so it cannot lock a lake\./,
  ],
  "never finds that If-Match holds": [
    ({ headers }) => (headers["if-match"] === undefined ? "pass" : [412, "PreconditionFailed"]),
    /the store does not honour If-Match, so it cannot lock a lake\./,
  ],
  "refuses conditions": [
    ({ method }) => (method === "PUT" ? [501, "NotImplemented"] : "pass"),
    /the store cannot write under a condition \(If-None-Match, If-Match\), so it cannot lock a lake\./,
  ],
};

function without(name: string): (seen: Seen) => Fate {
  return ({ headers }) => ({
    headers: Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name)),
  });
}

it.each(["x*", "x?", "x[1]", ".."])(
  "an address whose folder is %s is refused: the engine would take it for another",
  async (name) => {
    const { code, stderr } = await recountHere([
      "query",
      "from ratings",
      "--lake",
      `s3://bucket/${name}`,
    ]);
    expect(stderr).toBe(
      `recount: s3://bucket/${name}: not a place in object storage. Write s3://bucket or s3://bucket/folder.\n`,
    );
    expect(code).toBe(4);
  },
);

describe.runIf(process.env.RECOUNT_OBJECTS !== undefined)("object storage says in one line", () => {
  const tests = objectStorageOfTests();
  const lake = inBucket("night");

  beforeAll(async () => {
    await exportTo(lake, tests.service, { tables: ["ratings", "results"] });
  });

  it.each([
    [
      [403, "InvalidAccessKeyId"],
      /^recount: s3:\/\/[\w-]+\/night\S*: the store does not know the access key\.\n$/,
      4,
    ],
    [
      [403, "SignatureDoesNotMatch"],
      /^recount: s3:\/\/[\w-]+\/night\S*: the secret key is wrong\.\n$/,
      4,
    ],
    [
      [403, "AccessDenied"],
      /^recount: s3:\/\/[\w-]+\/night\S*: these credentials may not do this\..*\n$/,
      4,
    ],
    [[404, "NoSuchBucket"], /^recount: s3:\/\/[\w-]+\/night\S*: there is no such bucket\.\n$/, 4],
    ["reset", /^recount: s3:\/\/[\w-]+\/night\S*: the object store failed: .*\n$/, 3],
  ] as const)("that the store answers %j", async (fate, line, code) => {
    tests.storage.decide(() => fate);
    const outcome = await recountHere(["snapshots", "list", "--lake", lake, "--project", project]);
    expect(outcome).toEqual({ code, stdout: "", stderr: expect.stringMatching(line) as string });
  });

  // Another store would find that the signature is wrong.
  it.runIf(isMoto).each(Object.entries(unfit))(
    "that a store %s, and writes nothing there",
    async (name, [fate, why]) => {
      const other = inBucket(name.replaceAll(" ", "-"));
      tests.storage.decide(fate);
      const args = [
        "export",
        "--base-url",
        tests.service.url,
        "--project",
        project,
        "--lake",
        other,
      ];
      const outcome = await recountHere(args, { RECOUNT_API_KEY: tests.service.apiKey });
      tests.storage.decide(() => "pass");
      expect(outcome.stderr).toMatch(why);
      expect(outcome.stderr.split("\n")).toHaveLength(2);
      expect(outcome.code).toBe(4);
      expect(await objectsOf(other).list("")).toEqual([]);
    },
  );

  it("that the engine lacks httpfs, and how to install it", async () => {
    const HOME = join(tests.home, "bare");
    mkdirSync(HOME);
    const outcome = await recount(["query", "from ratings", "--lake", lake], { HOME });
    expect(outcome.stderr).toMatch(
      /^recount: A lake in object storage needs DuckDB's extension httpfs: Extension "\S+" not found\. Run `install httpfs` in DuckDB \d+\.\d+\.\d+ as this user, or see docs\/how-to\/scale\.md\.\n$/,
    );
    expect(outcome).toMatchObject({ code: 4, stdout: "" });
  });
});
