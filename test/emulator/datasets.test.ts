import { expect, test } from "vitest";
import { startEmulator } from "../../src/emulator/index.js";
import { systemClock } from "../../src/platform/index.js";
import { ask, parsed, plain } from "../support/http-client.js";
import { testProject } from "../support/project.js";

const { service } = await testProject({ sample: false });

const create = async (where = service) =>
  parsed<{ id: string; upload_url: string }>(
    await ask(where, "datasets/", { method: "POST", body: { name: "d", filename: "d.zip" } }),
  );
const put = (url: string, body: string) => plain(url, { method: "PUT", body });
const status = async (id: string) => parsed(await ask(service, `datasets/${id}/status/`));

test("an uploaded file makes a dataset ready, an empty one is an error with a message", async () => {
  const { id, upload_url } = await create();
  expect(await status(id)).toEqual({ status: "draft", errors: [] });
  expect((await put(upload_url, "x")).status).toBe(200);
  expect(await status(id)).toEqual({ status: "ready", errors: [] });
  expect(parsed(await ask(service, `datasets/${id}/`))).toMatchObject({ num_stimuli: 8 });
  const empty = await create();
  expect((await put(empty.upload_url, "")).status).toBe(200);
  expect(await status(empty.id)).toEqual({ status: "error", errors: ["The file is empty."] });
});

test("the address is signed, expires and works once", async () => {
  const { id, upload_url } = await create();
  expect((await put(upload_url.replace(/signature=.*/, "signature=0000"), "x")).status).toBe(403);
  expect((await put(upload_url.replace(id, "Another1"), "x")).status).toBe(404);
  expect((await plain(upload_url)).status).toBe(404);
  expect(await status(id)).toMatchObject({ status: "draft" });
  const uploads = service.faults.journal().filter(({ operation }) => operation === "upload");
  expect(uploads.every(({ path }) => !path.includes("signature"))).toBe(true);
  expect((await put(upload_url, "x")).status).toBe(200);
  expect((await put(upload_url, "x")).status).toBe(403);
  const clock = { ...systemClock, ahead: 0, now: () => new Date(Date.now() + clock.ahead) };
  const brief = await startEmulator({ sample: false }, clock);
  const late = await create(brief);
  clock.ahead = 3_601_000;
  const refused = await put(late.upload_url, "x");
  expect([refused.status, parsed<{ detail: string }>(refused).detail]).toEqual([
    403,
    "The upload address has expired.",
  ]);
  await brief.close();
});
