import { expect, it } from "vitest";
import { concurrencyOf, isRoundName, parseWorker, shareOf } from "../../src/extract/worker.js";
import { recountHere } from "../support/in-process.js";

const workers = (of: number) => Array.from({ length: of }, (_, i) => ({ number: i + 1, of }));

it("reads k/n, and refuses anything else in one line", () => {
  expect(parseWorker("2/3")).toEqual({ number: 2, of: 3 });
  expect(parseWorker("64/64")).toEqual({ number: 64, of: 64 });
  for (const text of ["", "0/3", "4/3", "1/65", "1", "1/0", "-1/3", "1/3/5", "1.5/3", " 1/3", "a/b"])
    expect(() => parseWorker(text)).toThrow(/^--worker must be k\/n, such as 2\/3/);
});

it.each([1, 2, 3, 7, 64])("gives each of %i workers a share: together all, none twice", (of) => {
  for (const count of [0, 1, 5, 64, 130]) {
    const all = Array.from({ length: count }, (_, i) => i);
    const shares = workers(of).map((worker) => shareOf(all, worker));
    expect(shares.flat().toSorted((a, b) => a - b)).toEqual(all);
    const sizes = shares.map(({ length }) => length);
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
  }
  for (const total of [of, of + 1, 2 * of, 64]) {
    const requests = workers(of).map((worker) => concurrencyOf(total, worker));
    expect(requests.reduce((a, b) => a + b)).toBe(total);
    expect(Math.min(...requests)).toBeGreaterThan(0);
  }
  if (of > 1) expect(() => concurrencyOf(of - 1, { number: 1, of })).toThrow(/for all workers together/);
});

it("takes dates and ids of schedulers as names of rounds, and no path", () => {
  for (const name of ["2026-11-22", "scheduled__2026-11-22T01:00:00+00:00", "a"]) expect(isRoundName(name)).toBe(true);
  for (const name of ["", ".", "..", "a/b", "a b", "a\n", "ä", "a".repeat(201)]) expect(isRoundName(name)).toBe(false);
});

it.each([
  [
    ["--worker", "1/2", "--lake", "here"],
    /^recount: --worker needs a lake in object storage \(s3:.*\): here is a folder/,
  ],
  [["--worker", "3/2", "--lake", "here"], /^recount: --worker must be k\/n/],
  [["--worker", "1/2", "--resume", "--lake", "s3://b/l"], /^recount: --worker always resumes: leave out --resume\./],
  [["--round", "x", "--lake", "here"], /^recount: .*worker/],
])("refuses %j before anything is read", async (args, line) => {
  const service = ["--base-url", "http://127.0.0.1:9", "--project", "P"];
  const { code, stderr } = await recountHere(["export", ...service, ...args], { RECOUNT_API_KEY: "key" });
  expect(stderr).toMatch(line);
  expect(stderr.trimEnd()).not.toContain("\n");
  expect(code).toBe(4);
});
