import { describe, expect, it } from "vitest";
import { createAdaptiveLimit } from "../../src/client/index.js";
import { virtualClock } from "../support/virtual-clock.js";
import { clientFixture, httpServer } from "../support/raw-server.js";

const succeed = async (limit: ReturnType<typeof createAdaptiveLimit>, times: number) => {
  for (let i = 0; i < times; i++) await limit(() => Promise.resolve());
};

describe("concurrent requests", () => {
  it("halve at each push-back, down to one, and recover one by one", async () => {
    const clock = virtualClock();
    const limit = createAdaptiveLimit(6, clock);
    const seen: number[] = [];
    for (let i = 0; i < 3; i++) {
      limit.pushedBack();
      seen.push(limit.concurrency);
      await clock.sleep(2000);
    }
    expect(seen).toEqual([3, 1, 1]);
    await succeed(limit, 1);
    expect(limit.concurrency).toBe(2);
    await succeed(limit, 2);
    expect(limit.concurrency).toBe(3);
    await succeed(limit, 100);
    expect(limit.concurrency).toBe(6);
  });

  it("fall when a real service answers 429 and rise again", async () => {
    const server = await httpServer((response, nth) =>
      nth <= 4 ? response.writeHead(429).end() : response.end("[]"),
    );
    const at = clientFixture(server);
    const limit = createAdaptiveLimit(4, at.clock);
    const seen: number[] = [];
    const watched = Object.assign(<T>(task: () => Promise<T>) => limit(task), {
      pushedBack: () => (limit.pushedBack(), seen.push(limit.concurrency)),
    });
    const one = (i: number) =>
      at.client.download("listDatasets", { project_id: "P1" }, `${at.file}${i}`, {
        limit: watched,
      });
    await Promise.all(Array.from({ length: 20 }, (_, i) => one(i)));
    expect(Math.min(...seen)).toBeLessThanOrEqual(2);
    expect(limit.concurrency).toBe(4);
  });
});
