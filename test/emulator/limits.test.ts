import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { startEmulator } from "../../src/emulator/index.js";
import { virtualClock } from "../support/virtual-clock.js";
import { ask, parsed, plain, withKey } from "../support/http-client.js";

test("a rate limit per key responds with 429 and Retry-After", async () => {
  const service = await startEmulator({ rateLimit: { requests: 2, seconds: 60 } }, virtualClock());
  const statuses: number[] = [];
  for (let i = 0; i < 3; i += 1) statuses.push((await ask(service, "experiments/")).status);
  expect(statuses).toEqual([200, 200, 429]);
  const refused = await ask(service, "experiments/");
  expect(Number(refused.headers["retry-after"])).toBe(60);
  expect(parsed(refused)).toMatchObject({ code: "throttled" });
  expect((await ask(service, "experiments/", { key: service.keys.member })).status).toBe(200);
  await service.close();
});

test("a list keeps its ETag until something changes", async () => {
  const service = await startEmulator({ etag: true });
  const url = `${service.url}/projects/${service.projectId}/webhooks/`;
  const get = (etag?: string) =>
    plain(url, { headers: { ...withKey(service.apiKey), ...(etag === undefined ? {} : { "if-none-match": etag }) } });
  const etag = String((await get()).headers.etag);
  const known = await get(etag);
  expect([known.status, known.body.length]).toEqual([304, 0]);
  expect((await plain(`${url}?x=1`, { headers: { ...withKey(service.apiKey), "if-none-match": etag } })).status).toBe(
    200,
  );
  await ask(service, "webhooks/", { method: "POST", body: { url: "http://127.0.0.1:9/" } });
  const changed = await get(etag);
  expect(changed.status).toBe(200);
  expect(changed.headers.etag).not.toBe(etag);
  await service.close();
});

test("gzip for clients that accept it", async () => {
  const service = await startEmulator({ gzip: true });
  const url = `${service.url}/projects/${service.projectId}/experiments/Codecs16k/ratings/?training=true`;
  const packed = await plain(url, { headers: { ...withKey(service.apiKey), "accept-encoding": "gzip" } });
  const whole = await plain(url, { headers: withKey(service.apiKey) });
  expect(packed.headers["content-encoding"]).toBe("gzip");
  expect(gunzipSync(packed.body).equals(whole.body)).toBe(true);
  expect(service.faults.journal().map(({ bytes, is_complete }) => [bytes, is_complete])).toEqual([
    [packed.body.length, true],
    [whole.body.length, true],
  ]);
  await service.close();
});

test("the synthetic experiment has the requested number of ratings, the same inside slates, and matching results", async () => {
  const service = await startEmulator({ sample: false, syntheticRatings: 4001 });
  const at = "experiments/Synthetic";
  const ratings = parsed<{ score: number; session_id: string }[]>(await ask(service, `${at}/ratings/?training=true`));
  const slates = parsed<{ ratings: unknown[] }[]>(await ask(service, `${at}/slates/?training=true`));
  const sessions = parsed<{ id: string }[]>(await ask(service, `${at}/sessions/?training=true`));
  const results = parsed<{ kind: string; scores: { wins: number; losses: number; n: number }[] }[]>(
    await ask(service, `${at}/results/`),
  );
  expect(ratings).toHaveLength(4001);
  expect(slates.flatMap((slate) => slate.ratings)).toEqual(ratings);
  expect(new Set(ratings.map(({ session_id }) => session_id))).toEqual(new Set(sessions.map(({ id }) => id)));
  const [counts] = results.filter(({ kind }) => kind === "win_loss");
  expect(counts?.scores.reduce((sum, { n }) => sum + n, 0)).toBe(4000);
  expect(counts?.scores.reduce((sum, { wins, losses }) => sum + wins - losses, 0)).toBe(0);
  await service.close();
});
