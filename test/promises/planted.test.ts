import { execFile } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { folderOfTests } from "../support/folder.js";
import { type HowToRun, patternOf, plant, promises } from "../support/promises.js";
import { root } from "../support/root.js";

/**
 * `npm run test:promises` plants each fault of promises.yaml in a copy of the sources and demands that the test which the
 * promise names fails. With all rows it takes hours: `RECOUNT_PROMISES=client,pruning` tries those with one of these
 * words. Rows of test/objects, test/spark and test/notebooks need what those tests need.
 */
const words = (process.env.RECOUNT_PROMISES ?? "").toLowerCase().split(",");
const isChosen = (row: object): boolean =>
  words[0] === "all" ||
  words.some((word) => word !== "" && Object.values(row).join(" ").toLowerCase().includes(word));

const planted = promises
  .flatMap(({ faults, ...row }) => faults.map((fault) => ({ ...row, fault })))
  .filter(isChosen);

const asked: Record<string, NodeJS.ProcessEnv> = {
  objects: { RECOUNT_OBJECTS: "1" },
  spark: { RECOUNT_SPARK: "1" },
  notebooks: { RECOUNT_NOTEBOOKS: "python" },
};

/** Tests that hang fail by the limit of their own; this is for a loop without end. */
const longest = 3_600_000;

interface Report {
  testResults: {
    status: string;
    assertionResults: { fullName: string; status: string }[];
    message: string;
  }[];
}

interface Ran {
  passed: boolean;
  failed: boolean;
  text: string;
}

describe.skipIf(words[0] === "")("a planted fault", () => {
  const copy = folderOfTests("recount-promises");
  const temporary = join(copy, "tmp");

  beforeAll(() => {
    const isOwn = (name: string) => name === "node_modules" || name === ".git";
    for (const name of readdirSync(root).filter((one) => !isOwn(one)))
      cpSync(join(root, name), join(copy, name), { recursive: true });
    mkdirSync(join(copy, "node_modules"));
    for (const name of readdirSync(join(root, "node_modules")).filter(
      (one) => !/^\.(vite|test)/.test(one),
    ))
      symlinkSync(join(root, "node_modules", name), join(copy, "node_modules", name));
  });

  afterEach(() => {
    rmSync(temporary, { recursive: true, force: true });
  });

  function node(
    args: string[],
    more: NodeJS.ProcessEnv = {},
  ): Promise<{ code: number; text: string }> {
    mkdirSync(temporary, { recursive: true });
    const own = Object.entries(process.env).filter(
      ([name]) => !/^(VITEST|RECOUNT_PROMISES)/.test(name),
    );
    const env = { ...Object.fromEntries(own), TMPDIR: temporary, RECOUNT_TESTS: "all", ...more };
    return new Promise((resolve) => {
      const options = { cwd: copy, env, timeout: longest, maxBuffer: 1e9 };
      const child = execFile(process.execPath, args, options, (_, stdout, stderr) =>
        resolve({ code: child.exitCode ?? 1, text: stdout + stderr }),
      );
    });
  }

  async function run(file: string, pattern: string, { whole, hangs }: HowToRun): Promise<Ran> {
    const built = await node(["tools/build.js"]);
    if (built.code !== 0) throw new Error(`the sources do not build: ${built.text}`);
    const answer = join(temporary, "answer.json");
    const chosen = [
      ...(whole ? [] : ["-t", pattern, "--bail=1"]),
      ...(hangs ? ["--testTimeout=60000"] : []),
    ];
    const args = [
      "node_modules/vitest/vitest.mjs",
      "run",
      file,
      ...chosen,
      "--reporter=json",
      `--outputFile=${answer}`,
    ];
    const ran = await node(args, asked[file.split("/")[1] ?? ""]);
    const { testResults } = JSON.parse(readFileSync(answer, "utf8")) as Report;
    const cases = testResults.flatMap(({ assertionResults }) => assertionResults);
    const had = cases
      .filter(({ fullName }) => new RegExp(pattern).test(fullName))
      .map(({ status }) => status);
    const text = testResults.map(({ message }) => message).join("") + ran.text;
    // Tests whose `beforeAll` fails are skipped, all of them, and their file has failed.
    const isUnprepared =
      had.length > 0 &&
      !had.includes("passed") &&
      testResults.some(({ status }) => status === "failed");
    return { passed: had.includes("passed"), failed: had.includes("failed") || isUnprepared, text };
  }

  /** What was run without a fault: a test that fails anyway shows nothing. */
  const sound = new Map<string, Promise<Ran>>();

  it("is planted for some row", () => {
    expect(planted.length).toBeGreaterThan(0);
  });

  const named = planted.map(({ promise, ...row }) => [promise, row.fault.file, row] as const);
  it.each(named)(
    "%s: %s",
    async (_promise, _source, { file, title, fault, ...how }) => {
      const tests = how.run ?? file;
      const pattern = how.only ?? patternOf(title ?? "");
      const key = JSON.stringify([tests, pattern]);
      sound.set(key, sound.get(key) ?? run(tests, pattern, how));
      const { text, ...before } = (await sound.get(key))!;
      expect(before, `without the fault: ${text}`).toEqual({ passed: true, failed: false });

      const path = join(copy, fault.file);
      const whole = readFileSync(path);
      writeFileSync(path, plant(fault));
      try {
        const after = await run(tests, pattern, how);
        expect(
          after.failed,
          `"${title}" of ${tests} does not notice the fault. ${after.text}`,
        ).toBe(true);
      } finally {
        writeFileSync(path, whole);
      }
    },
    longest,
  );
});
