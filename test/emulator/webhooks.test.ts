import { expect, test } from "vitest";
import { startEmulator } from "../../src/emulator/index.js";
import { ask, parsed } from "../support/http-client.js";

test("can be created, listed, read, patched and deleted; the secret is shown once", async () => {
  const service = await startEmulator({ sample: false });
  const create = (body: object) => ask(service, "webhooks/", { method: "POST", body });
  const url = "http://127.0.0.1:9/hook";
  const first = await create({ url, events: ["dataset.ready"] });
  expect(first.status).toBe(201);
  const { id, secret } = parsed<{ id: string; secret: string }>(first);
  expect(secret).toMatch(/^whsec[0-9a-f]{48}$/);
  expect(parsed(await create({ url }))).not.toHaveProperty("secret");
  expect((await ask(service, "webhooks/")).body.toString()).not.toContain(secret);
  expect(
    parsed(await ask(service, `webhooks/${id}/`, { method: "PATCH", body: { is_active: false } })),
  ).toMatchObject({
    id,
    is_active: false,
    events: ["dataset.ready"],
  });
  const unchanged = await ask(service, `webhooks/${id}/`, { method: "PATCH" });
  expect(unchanged.status).toBe(200);
  expect((await ask(service, `webhooks/${id}/`, { method: "DELETE" })).status).toBe(204);
  expect((await ask(service, `webhooks/${id}/`)).status).toBe(404);
  for (const body of [{}, { url: "ftp://x" }, { url: 5 }, { url, events: ["earthquake"] }])
    expect((await create(body)).status).toBe(400);
  await service.close();
});
