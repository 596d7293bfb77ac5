import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { fileSink, type Sink } from "../../src/client/index.js";
import { until } from "../support/until.js";
import {
  clientFixture,
  socketServer,
  type ClientFixture,
  type RawServer,
} from "../support/raw-server.js";

/** Each test shortens only the timeout that it tests: the others are never reached, even on a slow machine. */
const short = 150;
/** The timers of undici, with which a test controls time. */
const timers = createRequire(import.meta.url)("undici/lib/util/timers.js") as {
  tick(ms: number): void;
};
/** The second attempt is the last: it starts when the time is over. */
const retry = { totalMs: 250 };
const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";

describe("timeouts", () => {
  let server: RawServer;
  let at: ClientFixture;

  const list = () => at.client.download("listDatasets", { project_id: "P1" }, at.file);

  it("abandons an attempt that cannot connect", async () => {
    // The TCP connection opens, but the server never replies: the TLS connection is never established.
    server = await socketServer(() => undefined);
    at = clientFixture(server, {
      baseUrl: server.url.replace("http:", "https:"),
      limits: { connectMs: short },
      retry,
    });
    await expect(list()).rejects.toThrow(/connection timed out.*Gave up after 2 attempts/);
  });

  it("abandons an attempt without a response", async () => {
    server = await socketServer(() => undefined);
    at = clientFixture(server, { limits: { headMs: short }, retry });
    await expect(list()).rejects.toThrow(/response timed out.*Gave up after 2 attempts/);
    await until(() => server.requests === 2);
  });

  it("abandons an attempt whose body stalls, and the next one succeeds", async () => {
    server = await socketServer((socket, nth) =>
      socket.write(`${head}content-length: 6\r\n\r\n${nth === 1 ? "[1," : "[1, 2]"}`),
    );
    at = clientFixture(server, { limits: { stallMs: short }, retry });
    expect(await list()).toMatchObject({ attempts: 2, body: { bytes: 6 } });
  });

  it("accepts a body that takes longer than the timeout but never stalls", async () => {
    const rest = ["1", ",", " ", "2", "]"];
    let sendNext: () => void = () => undefined;
    server = await socketServer((socket) => {
      sendNext = () => socket.write(rest.shift() ?? "");
      socket.write(`${head}content-length: 6\r\n\r\n[`);
    });
    at = clientFixture(server, { limits: { stallMs: 60_000 }, retry });
    const file = fileSink(at.file);
    const sink: Sink<string> = {
      ...file,
      write: (chunk) => {
        timers.tick(0); // a new timer starts at the next tick
        timers.tick(40_000);
        sendNext();
        return file.write(chunk);
      },
    };
    const whole = at.client.download("listDatasets", { project_id: "P1" }, sink);
    expect(await whole).toMatchObject({ attempts: 1, body: { bytes: 6 } });
  });
});
