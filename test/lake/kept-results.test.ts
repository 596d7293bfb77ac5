import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { keepResult, recall, recalled } from "../../src/lake/kept-results.js";
import { folderOfTests } from "../support/folder.js";

const folder = folderOfTests("recount-kept");

test("what is damaged, cut or of another name is made again, damage with a line, and nothing temporary stays", async () => {
  await keepResult({ folder }, "one", "key", { numbers: Float64Array.of(0.1, NaN) });
  const file = join(folder, readdirSync(folder)[0] ?? "");
  const whole = readFileSync(file);
  let told = 0;
  const warn = (line: string) => {
    expect(line).toMatch(/ is damaged: it is made again\.$/);
    told++;
  };
  const read = () => recall({ folder, warn }, "one", "key");
  expect(await read()).toEqual({ numbers: Float64Array.of(0.1, NaN) });
  for (let at = 0; at < whole.length; at++) {
    const changed = Buffer.from(whole);
    changed[at]! ^= 1;
    writeFileSync(file, changed);
    expect(await read()).toBeNull();
    writeFileSync(file, whole.subarray(0, at));
    expect(await read()).toBeNull();
  }
  // A file of no length is none.
  expect(told).toBe(2 * whole.length - 1);
  writeFileSync(file, whole);
  const other = file.replace("one-", "other-");
  writeFileSync(other, whole);
  expect(await recall({ folder, warn }, "other", "key")).toBeNull();
  expect(told).toBe(2 * whole.length);
  expect(await recall({ folder, isFull: true }, "one", "key")).toBeNull();
  expect(readdirSync(folder)).toEqual([basename(file)]);
});

test("the last four results of a name are kept, none of other versions, and what cannot be written is made again", async () => {
  writeFileSync(join(folder, "audit"), "of 0.3.0");
  for (const key of ["a", "b", "c", "b", "d", "e"])
    await keepResult({ folder }, "keys", key, { key });
  expect(await recalled({ folder }, "keys")).toEqual(["e", "d", "b", "c"].map((key) => ({ key })));
  expect(readdirSync(folder).filter((name) => name.startsWith("keys-"))).toHaveLength(4);
  expect(readdirSync(folder)).not.toContain("audit");
  const rows = Array.from({ length: 1000 }, (_, i) => ({
    item: null,
    n: i / 3,
    [`f${i % 2}`]: "x",
  }));
  await keepResult({ folder }, "rows", "a", { rows });
  expect(await recall({ folder }, "rows", "a")).toEqual({ rows });
  const none = { folder: join(folder, readdirSync(folder)[0] ?? "") };
  await keepResult(none, "keys", "e", {});
  expect(await recalled(none, "keys")).toEqual([]);
});
