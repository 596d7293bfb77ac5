import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readFaultRules, startEmulator } from "../../src/emulator/index.js";
import { writeDurably } from "../../src/platform/files.js";
import { ask, parsed } from "../support/http-client.js";
import { virtualClock } from "../support/virtual-clock.js";

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
  await first.close();
});

test("an unusable rules file is a one-line error", async () => {
  const folder = await mkdtemp(join(tmpdir(), "recount-start-"));
  const path = join(folder, "rules.yaml");
  await writeDurably(path, "- { operation: listRatings, fault: { kind: delay } }\n");
  await expect(readFaultRules(path)).rejects.toMatchObject({
    exitCode: 4,
    message: expect.stringMatching(/: entry 1, fault needs ms, for example ms: \d+; /) as string,
  });
  await writeDurably(
    path,
    "- { operation: listRatings, nth: [1, 2], fault: { kind: delay, ms: 3 } }\n",
  );
  expect(await readFaultRules(path)).toEqual([
    { operation: "listRatings", nth: [1, 2], fault: { kind: "delay", ms: 3 } },
  ]);
  await rm(folder, { recursive: true });
});

test("a launched job is answered over time, at the requested speed", async () => {
  // Time stands still until the test lets the next sleeper wake.
  const waiting: (() => void)[] = [];
  const clock = virtualClock(Date.parse("2026-05-01T08:00:00Z"), (pass) => waiting.push(pass));
  const wake = async (times: number): Promise<void> => {
    for (let i = 0; i < times; i += 1) {
      waiting.splice(0).at(-1)?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const service = await startEmulator({ speed: 60 }, clock);
  const at = "experiments/Subtitles/";
  const [draft] = parsed<{ id: string }[]>(await ask(service, `${at}jobs/`));
  const own = `${at}jobs/${draft?.id ?? ""}/`;
  const { token } = parsed<{ token: string }>(await ask(service, `${own}costs/`));
  await ask(service, `${own}launch/`, { method: "POST", body: { token } });
  const seen = async () =>
    parsed<{ date_completed: string | null; date_updated: string }[]>(
      await ask(service, `${at}sessions/`),
    );
  expect(await seen()).toEqual([]);
  const launched = clock.now().getTime();
  await wake(5);
  const first = await seen();
  expect(first.length).toBeGreaterThan(3);
  const studied = 60 * (clock.now().getTime() - launched);
  for (const session of first)
    expect(Date.parse(session.date_updated) - launched).toBeLessThanOrEqual(studied + 1000);
  expect(parsed(await ask(service, own))).toMatchObject({ status: "launched" });
  await wake(60);
  expect((await seen()).filter((session) => session.date_completed !== null)).toHaveLength(25);
  expect(parsed(await ask(service, own))).toMatchObject({ status: "completed" });
  await service.close();
});
