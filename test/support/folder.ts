import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";

/** The path of a temporary folder that stands while the tests of this block run, and never if they are skipped. */
export function folderOfTests(name: string): string {
  const path = join(tmpdir(), `${name}-${randomUUID()}`);
  beforeAll(() => {
    mkdirSync(path);
  });
  afterAll(() => {
    rmSync(path, { recursive: true });
  });
  return path;
}
