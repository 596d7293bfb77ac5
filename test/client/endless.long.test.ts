import { afterEach, describe, expect, it } from "vitest";
import { createClient, fileSink, type Client, type Sink } from "../../src/client/index.js";
import type { Clock } from "../../src/platform/index.js";
import { clientFixture, socketServer, type RawServer } from "../support/raw-server.js";

const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
const chunked = `${head}transfer-encoding: chunked\r\n`;
const chunk = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);

describe("an answer without end", () => {
  let server: RawServer;
  let client: Client | undefined;
  afterEach(async () => {
    await client?.close();
    await server.close();
  });

  it.each([
    [5, /too slow: 5\.0 bytes\/s in the last minute, under 10\. Gave up after 2 attempts/],
    [15, /took longer than 10 min\. Gave up after 1 attempts|took longer than 10 min/],
  ])("dripping at %d bytes/s is abandoned", async (rate, says) => {
    let now = 0;
    const clock: Clock = {
      now: () => new Date(now),
      monotonicMs: () => now,
      sleep: () => Promise.resolve(),
    };
    let next = () => undefined as unknown;
    server = await socketServer((socket) => {
      next = () => {
        now += 30_000;
        socket.write(chunk(Buffer.alloc(rate * 30, " ")));
      };
      socket.write(`${chunked}\r\n`);
      socket.write(chunk(Buffer.from("[")));
    });
    client = createClient(
      {
        baseUrl: server.url,
        credentials: { scheme: "api-key", key: "planted+key/1" },
        limits: { bytesPerSecond: 10, bodyMs: 600_000 },
        retry: { attempts: 2 },
      },
      { clock, random: () => 0 },
    );
    const nowhere: Sink<null> = {
      start: () => Promise.resolve(),
      // The next bytes leave once the last have arrived and the client waits again.
      write: () => Promise.resolve(void setImmediate(() => next())),
      finish: () => Promise.resolve(null),
      abort: () => Promise.resolve(),
    };
    await expect(client.download("listDatasets", { project_id: "P1" }, nowhere)).rejects.toThrow(
      says,
    );
  });
});

describe("100 Continue before the answer", () => {
  const answer = `HTTP/1.1 100 Continue\r\nx-note: 1\r\n\r\nHTTP/1.1 100\r\n\r\n${head}content-length: 3\r\n\r\n[1]`;

  it("is skipped, wherever the bytes are split, on a connection that is used again", async () => {
    let at = 0;
    const server = await socketServer((socket) => {
      socket.setNoDelay(true);
      socket.write(answer.slice(0, at), () => setImmediate(() => socket.write(answer.slice(at))));
    });
    const client = clientFixture(server, { retry: { attempts: 1 } });
    for (at = 1; at < answer.length; at++) {
      const { body } = await client.client.download(
        "listDatasets",
        { project_id: "P1" },
        fileSink(client.file),
      );
      expect(body?.bytes).toBe(3);
    }
  });
});
