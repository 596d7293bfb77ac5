import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createCooldown,
  backoffMs,
  defaultRetryPolicy,
  retryAfterMs,
  withRetry,
  type RetryContext,
} from "../../src/client/retry.js";
import { TransientFailure } from "../../src/client/failures.js";
import { createClient } from "../../src/client/index.js";
import { createLog } from "../../src/platform/index.js";
import { httpServer, type RawServer } from "../support/raw-server.js";
import { virtualClock } from "../support/virtual-clock.js";

const context = (more: Partial<RetryContext> = {}) => {
  const clock = virtualClock();
  const retry: RetryContext = {
    policy: defaultRetryPolicy,
    clock,
    random: () => 0.5,
    cooldown: createCooldown(clock),
    signal: undefined,
    mayRetry: () => true,
    onRetry: () => undefined,
    ...more,
  };
  return { clock, retry };
};

describe("the pause before the next attempt", () => {
  const policies = fc.record({
    attempts: fc.integer({ min: 1, max: 9 }),
    totalMs: fc.nat(),
    baseMs: fc.integer({ min: 1, max: 10_000 }),
    capMs: fc.integer({ min: 1, max: 100_000 }),
  });

  it("is between 0 and the doubling bound, for any policy", () => {
    fc.assert(
      fc.property(
        policies,
        fc.integer({ min: 1, max: 60 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (policy, attempt, drawn) => {
          const pause = backoffMs(policy, attempt, () => drawn);
          expect(pause).toBeGreaterThanOrEqual(0);
          expect(pause).toBeLessThanOrEqual(policy.capMs);
          expect(pause).toBeLessThanOrEqual(policy.baseMs * 2 ** (attempt - 1));
        },
      ),
    );
  });
});

describe("Retry-After", () => {
  const now = new Date(Date.UTC(2026, 0, 1));

  it("is read as an HTTP date, a past one as no wait", () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), (seconds) => {
        const date = new Date(now.getTime() + seconds * 1000).toUTCString();
        expect(retryAfterMs(date, now)).toBe(Math.max(0, seconds * 1000));
      }),
    );
  });

  it.each([
    "",
    "soon",
    "soon 5",
    "-3",
    "1.5",
    "1e9",
    "NaN",
    "0x10",
    "May 2027",
    "2027-01-01T00:00:00Z",
    undefined,
  ])("is ignored when it is %j", (text) => {
    expect(retryAfterMs(text, now)).toBeUndefined();
  });
});

describe("the retry loop", () => {
  it("stops after the policy's attempts and says so", async () => {
    const { clock, retry } = context();
    let made = 0;
    const failing = withRetry(() => Promise.reject(new TransientFailure(`no ${++made}.`)), retry);
    await expect(failing).rejects.toThrow("no 5. Gave up after 5 attempts.");
    expect(made).toBe(5);
    expect(clock.sleeps).toEqual([250, 500, 1000, 2000]);
  });

  it("waits as long as Retry-After asks, plus jitter", async () => {
    const { clock, retry } = context();
    let made = 0;
    await withRetry(
      () =>
        ++made === 1
          ? Promise.reject(new TransientFailure("busy", { retryAfterMs: 90_000 }))
          : Promise.resolve(),
      retry,
    );
    expect(clock.monotonicMs()).toBe(90_250);
  });

  it("starts no attempt after the policy's time, even if Retry-After asks for it", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.option(fc.integer({ min: 0, max: 400_000 }), { nil: undefined }), {
          minLength: 6,
          maxLength: 6,
        }),
        async (asked) => {
          const clock = virtualClock();
          const instant = {
            ...clock,
            sleep: (ms: number) => ((elapsed += ms), Promise.resolve()),
            monotonicMs: () => elapsed,
          };
          let elapsed = 0;
          const starts: number[] = [];
          const { retry } = context({ clock: instant, cooldown: createCooldown(instant) });
          const failing = withRetry(
            () => (
              starts.push(elapsed),
              Promise.reject(
                new TransientFailure("busy", {
                  retryAfterMs: asked[starts.length - 1],
                  isOutage: true,
                }),
              )
            ),
            retry,
          );
          await expect(failing).rejects.toThrow(TransientFailure);
          expect(Math.max(...starts)).toBeLessThanOrEqual(defaultRetryPolicy.totalMs);
          for (const [i, start] of starts.slice(1).entries())
            expect(start - (starts[i] ?? 0)).toBeGreaterThanOrEqual(asked[i] ?? 0);
        },
      ),
      { numRuns: 50 },
    );
  });

  it("ends a pause immediately when the run is interrupted", async () => {
    const controller = new AbortController();
    const { retry } = context({ signal: controller.signal, onRetry: () => controller.abort() });
    await expect(
      withRetry(
        () => Promise.reject(new TransientFailure("busy", { retryAfterMs: 500_000 })),
        retry,
      ),
    ).rejects.toMatchObject({ exitCode: 130 });
  });

  it("survives an outage of nine minutes and says so", async () => {
    const closed = await httpServer(() => undefined);
    await closed.close();
    const clock = virtualClock();
    const lines: string[] = [];
    let server: RawServer | undefined;
    const client = createClient(
      { baseUrl: closed.url, credentials: { scheme: "api-key", key: "planted+key/1" } },
      {
        clock: {
          ...clock,
          async sleep(ms, signal) {
            await clock.sleep(ms, signal);
            if (clock.monotonicMs() > 540_000)
              server ??= await httpServer((to) => to.end("[]"), closed.port);
          },
        },
        random: () => 0.5,
        log: createLog(({ message }) => lines.push(message)),
      },
    );
    expect(await client.listExperiments({ project_id: "P1" })).toEqual([]);
    await client.close();
    await server?.close();
    expect(lines[0]).toMatch(
      /connection refused \(ECONNREFUSED\).* Retrying in 0\.3 s \(for at most 600 s more\)\.$/,
    );
    expect(lines.at(-1)).toMatch(/Retrying in 30\.0 s \(for at most \d+ s more\)\.$/);
  });
});
