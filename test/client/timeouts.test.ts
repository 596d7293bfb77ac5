import { afterEach, describe, expect, it } from "vitest";
import { TransientFailure } from "../../src/client/index.js";
import { clientFixture, socketServer, type ClientFixture, type RawServer } from "../support/raw-server.js";

/** Short bounds; each test shows which of the three ends the attempt. */
const timeouts = { connect: 150, head: 150, stall: 150 };
const retry = { attempts: 2 };
const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";

describe("timeouts", () => {
  let server: RawServer;
  let at: ClientFixture;
  afterEach(async () => {
    await at.close();
    await server.close();
  });

  const list = () => at.client.download("listDatasets", { project_id: "P1" }, at.file);

  it("ends an attempt whose connection is never made", async () => {
    // The TCP connection opens, but nobody greets back: a TLS connection is never established.
    server = await socketServer(() => undefined);
    at = clientFixture(server.url.replace("http:", "https:"), { timeouts, retry });
    await expect(list()).rejects.toThrow(/no connection within the time allowed.*Gave up after 2 attempts/);
  });

  it("ends an attempt whose answer does not begin", async () => {
    server = await socketServer(() => undefined);
    at = clientFixture(server.url, { timeouts, retry });
    await expect(list()).rejects.toThrow(/no answer within the time allowed.*Gave up after 2 attempts/);
    expect(server.requests).toBe(2);
  });

  it("ends an attempt whose body stalls, and takes the next one whole", async () => {
    server = await socketServer((socket, nth) =>
      socket.write(`${head}content-length: 6\r\n\r\n${nth === 1 ? "[1," : "[1, 2]"}`),
    );
    at = clientFixture(server.url, { timeouts, retry });
    expect(await list()).toMatchObject({ attempts: 2, bytes: 6 });
  });

  it("bears a body that comes slowly but never stalls", async () => {
    server = await socketServer((socket) => {
      socket.write(`${head}content-length: 6\r\n\r\n`);
      "[1, 2]".match(/./g)?.forEach((byte, i) => setTimeout(() => socket.write(byte), 30 * (i + 1)));
    });
    at = clientFixture(server.url, { timeouts: { ...timeouts, stall: 1000 }, retry });
    expect(await list()).toMatchObject({ attempts: 1, bytes: 6 });
  });

  it("tells that nobody listens", async () => {
    server = await socketServer(() => undefined);
    await server.close();
    at = clientFixture(server.url, { retry });
    const failure = await list().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(TransientFailure);
    expect(String(failure)).toMatch(/nobody answers there \(ECONNREFUSED\)/);
  });

  it("stops at once on an interrupt, in the middle of a body", async () => {
    const controller = new AbortController();
    server = await socketServer((socket) => {
      socket.write(`${head}content-length: 600\r\n\r\n[`);
      setTimeout(() => controller.abort(), 20);
    });
    at = clientFixture(server.url, { signal: controller.signal });
    await expect(list()).rejects.toMatchObject({ exitCode: 130 });
    expect(server.requests).toBe(1);
  });
});
