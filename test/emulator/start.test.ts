import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Clock } from "../../src/platform/clock.js";
import { readFaultRules, startEmulator } from "../../src/emulator/index.js";
import { writeDurably } from "../../src/platform/files.js";
import { ask, parsed } from "../support/http-client.js";

test("an invalid port, or one in use, is a one-line error", async () => {
  for (const port of [70_000, -1, 1.5, NaN])
    await expect(startEmulator({ port })).rejects.toMatchObject({
      exitCode: 4,
      message: expect.stringMatching(/is not a port/) as string,
    });
  const first = await startEmulator({ sample: false });
  const taken = Number(new URL(first.url).port);
  await expect(startEmulator({ sample: false, port: taken })).rejects.toMatchObject({
    exitCode: 4,
    message: expect.stringMatching(/is in use/) as string,
  });
  await expect(startEmulator({ sample: false, adminPort: taken })).rejects.toMatchObject({ exitCode: 4 });
  await first.close();
});

test("an unusable state or rules file is a one-line error", async () => {
  await expect(startEmulator({ data: "/nowhere/at/all" })).rejects.toMatchObject({
    exitCode: 4,
    message: expect.stringMatching(/cannot be opened/) as string,
  });
  const folder = await mkdtemp(join(tmpdir(), "recount-start-"));
  const path = join(folder, "rules.yaml");
  await writeDurably(path, "- { operation: listRatings, fault: { kind: delay } }\n");
  await expect(readFaultRules(path)).rejects.toMatchObject({
    exitCode: 4,
    message: expect.stringMatching(/rule 0\.fault must have required property 'ms'/) as string,
  });
  await writeDurably(path, "- { operation: listRatings, nth: [1, 2], fault: { kind: delay, ms: 3 } }\n");
  expect(await readFaultRules(path)).toEqual([
    { operation: "listRatings", nth: [1, 2], fault: { kind: "delay", ms: 3 } },
  ]);
  await rm(folder, { recursive: true });
});

/** A clock that stops until the test lets it continue. */
class HandClock implements Clock {
  private at = Date.parse("2026-05-01T08:00:00Z");
  private waiting: { due: number; wake: () => void }[] = [];

  now = (): Date => new Date(this.at);
  monotonicMs = (): number => this.at;

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => reject(new Error("ended"));
      const wake = (): void => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      };
      this.waiting.push({ due: this.at + ms, wake });
      signal?.addEventListener("abort", onAbort);
    });
  }

  async go(ms: number): Promise<void> {
    const end = this.at + ms;
    for (;;) {
      const next = this.waiting.sort((a, b) => a.due - b.due)[0];
      if (next === undefined || next.due > end) break;
      this.at = Math.max(this.at, next.due);
      this.waiting.shift();
      next.wake();
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.at = end;
  }
}

test("a launched job is answered over time, at the requested speed", async () => {
  const clock = new HandClock();
  const service = await startEmulator({ speed: 60 }, clock);
  const at = "experiments/Subtitles/";
  const [draft] = parsed<{ id: string }[]>(await ask(service, `${at}jobs/`));
  const own = `${at}jobs/${draft?.id ?? ""}/`;
  const { token } = parsed<{ token: string }>(await ask(service, `${own}costs/`));
  await ask(service, `${own}launch/`, { method: "POST", body: { token } });
  const seen = async () =>
    parsed<{ date_completed: string | null; date_updated: string }[]>(await ask(service, `${at}sessions/`));
  expect(await seen()).toEqual([]);
  const launched = clock.now().getTime();
  await clock.go(60_000);
  const first = await seen();
  expect(first.length).toBeGreaterThan(3);
  for (const session of first) expect(Date.parse(session.date_updated) - launched).toBeLessThanOrEqual(60 * 60_000);
  expect(parsed(await ask(service, own))).toMatchObject({ status: "launched" });
  await clock.go(600_000);
  expect((await seen()).filter((session) => session.date_completed !== null)).toHaveLength(25);
  expect(parsed(await ask(service, own))).toMatchObject({ status: "completed" });
  await service.close();
});
