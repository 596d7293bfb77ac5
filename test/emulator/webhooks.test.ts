import { createHmac } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startEmulator, type RunningEmulator } from "../../src/emulator/index.js";
import { systemClock } from "../../src/platform/index.js";
import { ask, parsed, plain } from "../support/http-client.js";
import { until } from "../support/until.js";
import { study } from "../support/zip-archive.js";

interface Received {
  signature: string;
  body: string;
}

let receiver: Server;
let received: Received[];
let statuses: number[];
let service: RunningEmulator;

beforeEach(async () => {
  received = [];
  statuses = [];
  receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (piece: Buffer) => (body += piece.toString()));
    request.on("end", () => {
      received.push({ signature: String(request.headers["recount-signature"]), body });
      response.statusCode = statuses.shift() ?? 204;
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  service = await startEmulator(
    { sample: false, speed: "at once" },
    { ...systemClock, sleep: () => Promise.resolve() },
  );
});
afterEach(async () => {
  await service.close();
  receiver.closeAllConnections();
  receiver.close();
});

const url = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
const create = (body: object) => ask(service, "webhooks/", { method: "POST", body });

test("can be created, listed, read, patched and deleted; the secret is shown once", async () => {
  const first = await create({ url: url(), events: ["dataset.ready"] });
  expect(first.status).toBe(201);
  const { id, secret } = parsed<{ id: string; secret: string }>(first);
  expect(secret).toMatch(/^whsec[0-9a-f]{48}$/);
  expect(parsed(await create({ url: url() }))).not.toHaveProperty("secret");
  expect((await ask(service, "webhooks/")).body.toString()).not.toContain(secret);
  expect(parsed(await ask(service, `webhooks/${id}/`, { method: "PATCH", body: { is_active: false } }))).toMatchObject({
    id,
    is_active: false,
    events: ["dataset.ready"],
  });
  const unchanged = await ask(service, `webhooks/${id}/`, { method: "PATCH" });
  expect(unchanged.status).toBe(200);
  expect((await ask(service, `webhooks/${id}/`, { method: "DELETE" })).status).toBe(204);
  expect((await ask(service, `webhooks/${id}/`)).status).toBe(404);
  for (const body of [{}, { url: "ftp://x" }, { url: 5 }, { url: url(), events: ["earthquake"] }])
    expect((await create(body)).status).toBe(400);
});

test("deliveries are signed and retried until they are confirmed", async () => {
  statuses = [500, 503, 200];
  const { secret } = parsed<{ secret: string }>(await create({ url: url(), events: ["dataset.ready"] }));
  await create({ url: url(), events: ["job.launched"] });
  const dataset = parsed<{ id: string; upload_url: string }>(
    await ask(service, "datasets/", { method: "POST", body: { name: "d", filename: "d.zip" } }),
  );
  await plain(dataset.upload_url, { method: "PUT", body: await study(["s"], ["a", "b"]) });
  await until(() => received.length === 3);
  await until(() => service.deliveries()[0]?.is_delivered === true);
  expect(service.deliveries().map(({ event, attempts }) => [event, attempts.map(({ status }) => status)])).toEqual([
    ["dataset.ready", [500, 503, 200]],
  ]);
  for (const { signature, body } of received) {
    const [, t = "", v1 = ""] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
    expect(createHmac("sha256", secret).update(`${t}.${body}`).digest("hex")).toBe(v1);
    expect(JSON.parse(body)).toMatchObject({
      event: "dataset.ready",
      project_id: service.projectId,
      data: { dataset_id: dataset.id },
    });
  }
  expect(new Set(received.map(({ body }) => body)).size).toBe(1);
});

test("a delivery to a receiver that never responds is dropped", async () => {
  await create({ url: "http://127.0.0.1:9/", events: ["dataset.error"] });
  const dataset = parsed<{ upload_url: string }>(
    await ask(service, "datasets/", { method: "POST", body: { name: "d", filename: "d.zip" } }),
  );
  await plain(dataset.upload_url, { method: "PUT", body: "not a zip" });
  await until(() => service.deliveries()[0]?.attempts.length === 5);
  expect(service.deliveries()[0]).toMatchObject({ is_delivered: false, event: "dataset.error" });
});
