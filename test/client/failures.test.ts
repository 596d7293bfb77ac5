import { describe, expect, it } from "vitest";
import {
  AuthenticationFailure,
  NotFoundFailure,
  PermissionFailure,
  TerminalFailure,
  TransientFailure,
} from "../../src/client/index.js";
import { messageOf } from "../../src/platform/errors.js";
import {
  clientFixture,
  httpServer,
  type ClientFixture,
  type RawServer,
} from "../support/raw-server.js";

describe("failures over a real socket", () => {
  let server: RawServer;
  let at: ClientFixture;

  const list = () => at.client.download("listDatasets", { project_id: "P1" }, at.file);

  async function serving(answer: Parameters<typeof httpServer>[0]) {
    server = await httpServer(answer);
    at = clientFixture(server);
  }

  it.each([
    [401, AuthenticationFailure, 1, 4],
    [403, PermissionFailure, 1, 3],
    [404, NotFoundFailure, 1, 4],
    [202, TerminalFailure, 1, 3],
    [204, TerminalFailure, 1, 3],
    [206, TerminalFailure, 1, 3],
    [304, TerminalFailure, 1, 3],
    [400, TerminalFailure, 1, 3],
    [301, TerminalFailure, 1, 3],
    [501, TerminalFailure, 1, 3],
    [408, TransientFailure, 27, 3],
    [429, TransientFailure, 27, 3],
    [500, TransientFailure, 27, 3],
    [503, TransientFailure, 27, 3],
  ])("%d is a %o after %d requests, exit %d", async (status, type, requests, exitCode) => {
    await serving((response) =>
      response.writeHead(status, { location: "http://127.0.0.1:1/" }).end('["no"]'),
    );
    const failure = await list().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(type);
    expect(failure).toMatchObject({ exitCode });
    expect(server.requests).toBe(requests);
  });

  it.each([200, 201, 202, 204])("%d is a success of a change", async (status) => {
    await serving((response) => response.writeHead(status).end());
    expect(
      await at.client.call("deleteWebhook", { project_id: "P1", webhook_id: "W1" }),
    ).toBeNull();
  });

  it("repeats a request that changes state only if it was temporarily refused", async () => {
    await serving((response, nth) => response.writeHead(nth === 1 ? 429 : 500).end());
    await expect(
      at.client.call("launchJob", {
        project_id: "P1",
        experiment_id: "E1",
        job_id: "J1",
        body: { token: "t" },
      }),
    ).rejects.toThrow(TransientFailure);
    expect(server.requests).toBe(2);
  });

  it("never reveals the key, even if the service repeats it in any form", async () => {
    const key = "planted+key/1";
    const forms = [
      key,
      encodeURIComponent(key),
      Buffer.from(key).toString("base64"),
      Buffer.from(key).toString("base64url"),
    ];
    await serving((response) => response.writeHead(400).end(`bad key: ${forms.join(" | ")}`));
    const failure = await list().then(() => "", messageOf);
    expect(failure).toContain("bad key");
    for (const form of forms) expect(failure).not.toContain(form);
  });

  it("makes all workers wait when one is asked to", async () => {
    const arrivals: number[] = [];
    const both: Promise<unknown>[] = [];
    await serving((response, nth) => {
      arrivals.push(at.clock.monotonicMs());
      if (nth === 1) response.writeHead(429, { "retry-after": "30" }).end();
      else response.end("[]");
    });
    at.clock.holdUntilSleeping(2);
    await new Promise<void>((refused, failed) => {
      const first = at.client.download("listDatasets", { project_id: "P1" }, at.file, {
        limit: Object.assign(<T>(task: () => Promise<T>) => task(), { pushedBack: refused }),
      });
      both.push(first);
      first.catch(failed);
    });
    both.push(at.client.download("listDatasets", { project_id: "P1" }, `${at.file}.other`));
    await Promise.all(both);
    expect(at.clock.sleeps).toEqual([30_250, 30_000]);
    expect(arrivals.length).toBe(3);
    for (const arrival of arrivals.slice(1)) expect(arrival).toBeGreaterThanOrEqual(30_000);
  });

  it("waits until a Retry-After date", async () => {
    await serving((response, nth) => {
      const date = new Date(at.clock.now().getTime() + 120_000).toUTCString();
      return nth === 1
        ? response.writeHead(503, { "retry-after": date }).end()
        : response.end("[]");
    });
    await list();
    expect(at.clock.monotonicMs()).toBeGreaterThanOrEqual(120_000);
  });

  it.each(["864000", "99999999999999999999"])(
    "fails immediately when Retry-After is %s seconds",
    async (seconds) => {
      await serving((response) => response.writeHead(429, { "retry-after": seconds }).end());
      await expect(list()).rejects.toThrow("longer than the 600 s left");
      expect(server.requests).toBe(1);
    },
  );

  it("makes no more requests than the policy allows when many workers fail together", async () => {
    await serving((response) => response.writeHead(503).end());
    await Promise.allSettled(
      Array.from({ length: 8 }, (_, i) =>
        at.client.download("listDatasets", { project_id: "P1" }, `${at.file}${i}`),
      ),
    );
    // Fewer if the clock moves on while a request of one worker is still open.
    expect(server.requests).toBeLessThanOrEqual(8 * 27);
    expect(server.requests).toBeGreaterThan(8 * 5);
  });
});
