import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import type { Outcome } from "../command-line.js";
import { goldenDir } from "../golden-case.js";
import { testProject, type TestProject } from "../project.js";

/** A name that ends its line, forges one, colours it, clears the screen, ends a C1 string and reverses what follows. */
export const hostileName =
  "Tiny\nrecount: all is well\r\x1b[2J\x1b[32m\x07\x7f\x9b1m\u202e\u2066\u2028end";

// eslint-disable-next-line no-control-regex -- these are the characters that must not arrive
export const control = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

export function hostileProject(): Promise<TestProject> {
  const file = join(mkdtempSync(join(tmpdir(), "recount-hostile-")), "case.json");
  const named = (name: string) => JSON.stringify(`${name}${hostileName}`);
  const text = readFileSync(join(goldenDir, "tiny-pairwise.json"), "utf8");
  writeFileSync(
    file,
    text
      .replace('"Tiny pairwise"', named(""))
      .replaceAll('"stimulus":"A"', `"stimulus":${named("A")}`),
  );
  return testProject({ load: [file] });
}

/** Fails unless a command ended with this code and has shown hostile names escaped, its error in one line. */
export function expectEscaped({ code, stdout, stderr }: Outcome, wanted: number): void {
  expect(stdout + stderr).not.toMatch(control);
  expect((stdout + stderr).split("\n")).not.toContain("recount: all is well");
  expect(stderr.split("\n").filter((line) => line.startsWith("recount:"))).toHaveLength(
    wanted === 0 ? 0 : 1,
  );
  expect(code).toBe(wanted);
}
