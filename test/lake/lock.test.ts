import { existsSync, mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { systemClock } from "../../src/platform/clock.js";
import { layoutOf, lockProject } from "../../src/lake/index.js";

describe("the lock of a project", () => {
  const root = mkdtempSync(join(tmpdir(), "recount-lock-"));
  afterAll(() => rmSync(root, { recursive: true }));

  it("is held by one process and can be taken again after release", async () => {
    const first = await lockProject(root, "P1");
    await expect(lockProject(root, "P1")).rejects.toThrow(/is being written by another run \(pid \d+/);
    const other = await lockProject(root, "P2");
    await other.release();
    await first.release();
    expect(existsSync(join(root, `${layoutOf("P1").lock}.json`))).toBe(false);
    await (await lockProject(root, "P1")).release();
  });

  it("ends with its owner: a note of a dead process, with any pid and time, does not lock", async () => {
    const { project, lock } = layoutOf("P3");
    mkdirSync(join(root, project), { recursive: true });
    writeFileSync(join(root, `${lock}.json`), `pid ${process.pid} on here since 2999-01-01T00:00:00.000Z\n`);
    await (await lockProject(root, "P3")).release();
  });

  it("is replaced when a crash left a corrupted one", async () => {
    const { project, lock } = layoutOf("P4");
    mkdirSync(join(root, project), { recursive: true });
    writeFileSync(join(root, lock), "half a page of nothing".repeat(400));
    await (await lockProject(root, "P4")).release();
  });

  it("does not depend on the clock, even if it jumps back", async () => {
    const backwards = { ...systemClock, now: () => new Date(0) };
    const first = await lockProject(root, "P5");
    await expect(lockProject(root, "P5", backwards)).rejects.toThrow("another run");
    await first.release();
    await (await lockProject(root, "P5", backwards)).release();
  });

  it("reports a folder that cannot be created", async () => {
    writeFileSync(join(root, "file"), "");
    await expect(lockProject(join(root, "file"), "P6")).rejects.toThrow(/cannot be written: ENOTDIR/);
  });
});
