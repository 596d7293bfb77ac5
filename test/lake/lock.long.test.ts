import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/platform/clock.js";
import { layoutOf, lockProject } from "../../src/lake/index.js";
import { folderOfTests } from "../support/folder.js";
import { bundled } from "../support/bundled.js";

async function intactLock(root: string): Promise<Buffer> {
  await (await lockProject(root, "Intact")).release();
  return readFileSync(join(root, layoutOf("Intact").lock));
}

describe("the lock of a project", () => {
  const root = folderOfTests("recount-lock");

  it("ends with its owner: a note of a dead process, with any pid and time, does not lock", async () => {
    const { project, lock } = layoutOf("P3");
    mkdirSync(join(root, project), { recursive: true });
    writeFileSync(
      join(root, `${lock}.json`),
      `pid ${process.pid} on here since 2999-01-01T00:00:00.000Z\n`,
    );
    await (await lockProject(root, "P3")).release();
  });

  it("is held by one of two processes at once, whatever is in its file", async () => {
    const sound = await intactLock(root);
    const files: Record<string, Buffer | undefined> = {
      Absent: undefined,
      Empty: Buffer.alloc(0),
      Garbage: Buffer.from("half a page of nothing".repeat(400)),
      Short: sound.subarray(0, 100),
      Truncated: sound.subarray(0, 8192),
      Flipped: sound.map((byte, at) => (at === 700 ? byte ^ 1 : byte)) as Buffer,
      Sound: sound,
    };
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(join(root, name), { recursive: true });
      if (content !== undefined) writeFileSync(join(root, layoutOf(name).lock), content);
    }
    const script = await bundled("take-locks.ts");
    const started = Array.from({ length: 2 }, () => {
      const child = spawn(process.execPath, [script, root, ...Object.keys(files)], {
        stdio: ["pipe", "pipe", "inherit"],
      });
      return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator]() };
    });
    for (const { lines } of started) expect((await lines.next()).value).toBe("ready");
    for (const { child } of started) child.stdin.write("go\n");
    const held = await Promise.all(
      started.map(
        async ({ lines }) => JSON.parse((await lines.next()).value as string) as string[],
      ),
    );
    expect(held.flat().toSorted()).toEqual(Object.keys(files).toSorted());
    // A damaged file stays, so that no run that has already found it damaged can hold a lock of its own.
    for (const [name, content] of Object.entries(files))
      if (content !== undefined && name !== "Sound")
        expect(readFileSync(join(root, layoutOf(name).lock)), name).toEqual(content);
    for (const { child } of started) {
      child.stdin.end();
      await once(child, "close");
    }
    for (const name of Object.keys(files)) await (await lockProject(root, name)).release();
  });

  it.each([0, 10])("holds while its file is truncated to %i bytes", async (size) => {
    const held = await lockProject(root, "P4");
    // By another process: this one would lose its lock on the file by closing it.
    execFileSync("truncate", [`--size=${size}`, join(root, layoutOf("P4").lock)]);
    const script = await bundled("take-locks.ts");
    const { stdout } = spawnSync(process.execPath, [script, root, "P4"], {
      input: "go\n",
      encoding: "utf8",
    });
    expect(stdout.split("\n")[1]).toBe("[]");
    await held.release();
  });

  it("is not taken on a link, a folder or a pipe", async () => {
    const { project, lock } = layoutOf("P7");
    mkdirSync(join(root, project), { recursive: true });
    for (const make of [
      (file: string) => symlinkSync("/dev/zero", file),
      (file: string) => mkdirSync(file),
      (file: string) => execFileSync("mkfifo", [file]),
    ]) {
      make(join(root, lock));
      await expect(lockProject(root, "P7")).rejects.toThrow(
        /cannot be written: .* is not a regular file\. Remove it\./,
      );
      rmSync(join(root, lock), { recursive: true });
    }
  });

  it("does not depend on the clock, even if it jumps back", async () => {
    const backwards = { ...systemClock, now: () => new Date(0) };
    const first = await lockProject(root, "P5");
    await expect(lockProject(root, "P5", backwards)).rejects.toThrow("another run");
    await first.release();
    await (await lockProject(root, "P5", backwards)).release();
  });
});
