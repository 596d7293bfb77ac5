import { execFile, spawnSync } from "node:child_process";
import {
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { goldenLake } from "../support/kept.js";
import { testProject } from "../support/project.js";
import { isWhole } from "../support/whole.js";

const { path, recount } = await testProject();
const lake = await goldenLake("tiny-pairwise");
const folder = (name: string) => {
  mkdirSync(path(name));
  return path(name);
};

/** What comes through a pipe. By a process of its own: one that waits for ever can then be ended. */
const readPipe = (pipe: string): Promise<string> =>
  new Promise((resolve) => {
    const options = { encoding: "latin1", maxBuffer: 1e9 } as const;
    const reader = execFile("cat", [pipe], options, (_, text) => resolve(text));
    onTestFinished(() => void reader.kill());
  });

const writers: readonly (readonly [string, (out: string) => string[], RegExp])[] = [
  ["query -o", (out) => ["query", "select 1 as one", "--format", "csv", "-o", out], /^one\r?\n1/],
  [
    "query -o as a table",
    (out) => ["query", "select 1 as one", "--format", "table", "-o", out],
    /one/,
  ],
  ["audit --json", (out) => ["audit", "--json", out], /^\{/],
  ["report -o", (out) => ["report", "-o", out], /^<!doctype html>/i],
  ["audit --bundle", (out) => ["audit", "--bundle", out], /^PK/],
];

describe.skipIf(process.platform === "win32")("an output that a flag names", () => {
  it.each(isWhole ? writers : writers.slice(0, 3))(
    "%s: is written into a pipe, which stays one",
    async (name, args, begin) => {
      const pipe = join(folder(`pipe of ${name}`), "out");
      spawnSync("mkfifo", [pipe]);
      const received = readPipe(pipe);
      expect(await recount([...args(pipe), "--lake", lake])).toMatchObject({ code: 0, stderr: "" });
      expect(lstatSync(pipe).isFIFO()).toBe(true);
      expect(await received).toMatch(begin);
    },
  );

  it.each(isWhole ? [...writers.slice(0, 1), ...writers.slice(2, 3)] : writers.slice(0, 1))(
    "%s: goes where a link leads, which stays one, even if nothing is there yet",
    async (name, args, begin) => {
      const own = folder(`link of ${name}`);
      const [link, target] = [join(own, "link"), join(folder(`target of ${name}`), "out")];
      symlinkSync(target, link);
      for (const before of [undefined, "old"]) {
        if (before !== undefined) writeFileSync(target, before);
        expect(await recount([...args(link), "--lake", lake])).toMatchObject({
          code: 0,
          stderr: "",
        });
        expect(readFileSync(target, "latin1")).toMatch(begin);
        expect(lstatSync(link).isSymbolicLink()).toBe(true);
      }
      expect(readdirSync(own)).toEqual(["link"]);
    },
  );

  it.each(writers)(
    "%s: is refused where its folder does not exist, which nobody makes",
    async (name, args) => {
      const own = folder(`nothing of ${name}`);
      const { code, stderr } = await recount([
        ...args(join(own, "reprots", "out")),
        "--lake",
        lake,
      ]);
      expect(stderr).toBe(
        `recount: ${own}/reprots/out: there is no folder ${own}/reprots. Make it, or name a file in another one.\n`,
      );
      expect(code).toBe(4);
      expect(readdirSync(own)).toEqual([]);
    },
  );

  it.each(writers)(
    "%s: is refused in the folder of a lake's project, however it is named",
    async (_, args) => {
      const written = path(`copy for ${args("")[0] ?? ""} ${args("").length}`);
      cpSync(lake, written, { recursive: true });
      const before = readdirSync(written, { recursive: true });
      const own = folder(`lake of ${args("").join(" ").replaceAll("/", "")}`);
      symlinkSync(join(written, "Listen42"), join(own, "link"));
      for (const out of [
        join(written, "Listen42", "current"),
        join(own, "link", "snapshots", "x.csv"),
      ]) {
        const { code, stderr } = await recount([...args(out), "--lake", lake]);
        expect(stderr).toBe(
          `recount: ${out}: the folder ${realpathSync(written)}/Listen42 is a project of a lake. Name a file outside it, for example out.csv.\n`,
        );
        expect(code).toBe(4);
      }
      expect(readdirSync(written, { recursive: true })).toEqual(before);
    },
  );
});

describe.skipIf(process.platform === "win32")("an output that a pipeline file names", () => {
  it.runIf(isWhole)(
    "is written into a pipe and through a link, in folders that a run makes",
    async () => {
      const own = folder("run");
      const [pipe, link, made] = [
        join(own, "pipe"),
        join(own, "link"),
        join(own, "reports", "audit.json"),
      ];
      spawnSync("mkfifo", [pipe]);
      symlinkSync(join(own, "summary.json"), link);
      const outputs = { junit: pipe, summary: link, audit: made };
      writeFileSync(join(own, "pipeline.yaml"), JSON.stringify({ lake: "lake", outputs }));
      const received = readPipe(pipe);
      expect(await recount(["run", join(own, "pipeline.yaml"), "-q"])).toMatchObject({
        code: 0,
        stderr: "",
      });
      expect(lstatSync(pipe).isFIFO()).toBe(true);
      expect(await received).toMatch(/^<\?xml/);
      expect(lstatSync(link).isSymbolicLink()).toBe(true);
      expect(JSON.parse(readFileSync(join(own, "summary.json"), "utf8"))).toMatchObject({
        exit_code: 0,
      });
      expect(readFileSync(made, "utf8")).toMatch(/^\{/);
    },
  );
});
