import { createHash } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { currentSnapshot, verifyProject } from "../../src/lake/index.js";
import { importSnapshot, readMapping } from "../../src/import/index.js";
import { transform } from "../../src/pipeline/index.js";
import { folderOfTests } from "../support/folder.js";
import { httpServer } from "../support/raw-server.js";
import { bin, startProcess } from "../support/command-line.js";
import { exportTo } from "../support/export-to-lake.js";

const noise = (seed: number) =>
  Array.from({ length: 20 }, (_, i) =>
    createHash("sha256").update(`${seed} ${i}`).digest("base64"),
  ).join("");
const ratings = (score: string) =>
  `[${Array.from({ length: 200 }, (_, i) => `{"score":${score},"rater_id":1,"slate_id":${i},"session_id":"s","job_id":"j","stimulus_id":1,"stimulus":"${noise(i)}","dimension":"","is_training":false,"meta":{},"is_correct":null}`).join(",")}]`;

const dir = folderOfTests("recount-full");
const lake = join(dir, "lake");
let body = ratings("1");
const server = await httpServer((response, _, { url: path = "" }) => {
  const experiments = /\/experiments\/(\?.*)?$/.test(path)
    ? '[{"id":"e1","name":"one","type":"pairwise_audio"}]'
    : "[]";
  response.end(path.includes("/ratings/") ? body : experiments);
});
const { url } = server;
afterAll(() => server.close());

const ways = {
  export: {
    words: ["export", "--base-url", url, "--project", "p1", "--table", "ratings", "--no-raw"],
    write: () =>
      exportTo(
        lake,
        { url, projectId: "p1", apiKey: "k" },
        { tables: ["ratings"], keepRaw: false },
      ),
  },
  import: {
    words: ["import", join(dir, "m.yaml")],
    async write() {
      writeFileSync(join(dir, "m.yaml"), mapping);
      writeFileSync(join(dir, "body.json"), body);
      return importSnapshot(await readMapping(join(dir, "m.yaml")), { lake });
    },
  },
};
const mapping =
  "{ study: { id: p2 }, files: { r: body.json }, ratings: { from: r, item: stimulus, score: score, rater: rater_id } }";

/** Runs Recount in a process whose files may not exceed `bytes`, which the engine sees as a full disk. */
const limited = (bytes: number, words: readonly string[]) =>
  startProcess(
    ["-c", `ulimit -f ${bytes / 512} && exec "$@"`, "sh", process.execPath, bin, ...words],
    { program: "sh", env: { ...process.env, RECOUNT_API_KEY: "k" } },
  ).ended;

describe("a full disk while the engine writes", () => {
  it.each([
    ["export", "p1", 1 << 18],
    ["import", "p2", 1 << 17],
  ] as const)(
    "makes the %s exit 3 with one line and leaves only the old snapshot",
    async (way, project, bytes) => {
      const { words } = ways[way];
      await ways[way].write();
      const before = await currentSnapshot(lake, project);
      body = ratings('"x"');
      writeFileSync(join(dir, "body.json"), body.replace('"x"', "1"));
      // The body fits on the disk, but the engine's file of elements that do not match their record is twice as large; the
      // file that is imported is on another disk.
      const { code, stderr } = await limited(bytes, [...words, "--lake", lake]);
      const said = stderr.split("\n").filter((line) => line.startsWith("recount:"));
      expect({ code, said }).toEqual({
        code: 3,
        said: [expect.stringMatching(/nothing was published: .*too large/) as string],
      });
      expect(stderr).not.toMatch(/\n\s+at |select|internal error/);
      expect(await currentSnapshot(lake, project)).toBe(before);
      expect(await verifyProject(lake, project)).toMatchObject({ problems: [] });
      expect(readdirSync(join(lake, project, "staging"))).toEqual([]);
      body = ratings("2");
      await ways[way].write();
    },
  );

  it("makes a transform exit 3 with one line and leaves only the old models", async () => {
    await transform(lake, "p1");
    const derived = () =>
      readdirSync(join(lake, "p1/derived"), { recursive: true, encoding: "utf8" }).toSorted();
    const before = derived();
    const { code, stderr } = await limited(1 << 13, [
      "transform",
      "--lake",
      lake,
      "--project",
      "p1",
    ]);
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringMatching(/^recount: [^\n]*recount\.duckdb[^\n]* too large\n$/) as string,
    });
    expect(derived()).toEqual(before);
  });
});
