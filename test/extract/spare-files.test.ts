import {
  existsSync,
  linkSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createSpareFiles } from "../../src/extract/fetch/spare-files.js";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "recount-spare-"));
});
afterEach(() => {
  rmSync(dir, { recursive: true });
});

const at = (name: string) => join(dir, name);

it("a scratch file that nobody needs gives its place on the disk to the next one", async () => {
  const spare = createSpareFiles();
  writeFileSync(at("1"), "[1]");
  const { ino } = statSync(at("1"));
  await spare.give(at("1"));
  expect(existsSync(at("1"))).toBe(false);
  spare.take(at("2"));
  writeFileSync(at("2"), "[]");
  expect([statSync(at("2")).ino, readFileSync(at("2"), "utf8")]).toEqual([ino, "[]"]);
});

it("a body that waits to be kept is not overwritten by a later one", async () => {
  const spare = createSpareFiles();
  writeFileSync(at("1"), "[1]");
  linkSync(at("1"), at("1.raw"));
  await spare.give(at("1"));
  spare.take(at("2"));
  writeFileSync(at("2"), "[]");
  expect([readFileSync(at("1.raw"), "utf8"), existsSync(at("1"))]).toEqual(["[1]", false]);
});

it("a large scratch file, or one that is gone, is not kept", async () => {
  const spare = createSpareFiles();
  writeFileSync(at("1"), "");
  truncateSync(at("1"), 1 << 24);
  for (const name of ["1", "gone"]) await spare.give(at(name));
  spare.take(at("2"));
  expect([existsSync(at("1")), existsSync(at("2"))]).toEqual([false, false]);
});
