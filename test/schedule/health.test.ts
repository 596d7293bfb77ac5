import { afterAll, expect, it } from "vitest";
import { serveHealth, starting, type ScheduleState } from "../../src/schedule/index.js";

let state: ScheduleState = { ...starting, state: "waiting", next_run_at: "2026-01-02T02:00:00Z" };
const health = await serveHealth(
  "127.0.0.1",
  0,
  () => state,
  () => Promise.resolve("recount_build_info 1\n"),
);
afterAll(() => health.close());

it("answers /healthz, /readyz and /metrics, and nothing else", async () => {
  const answer = async (path: string, method = "GET") => {
    const response = await fetch(`${health.url}${path}`, { method });
    return { status: response.status, body: method === "HEAD" ? null : await response.json() };
  };
  expect(await answer("/healthz")).toEqual({ status: 200, body: { status: "alive" } });
  expect(await answer("/readyz?verbose")).toEqual({ status: 200, body: state });
  expect(await answer("/readyz", "HEAD")).toEqual({ status: 200, body: null });
  state = { ...state, problem: "nightly.yaml, line 3: broken" };
  expect(await answer("/readyz")).toEqual({ status: 503, body: state });
  expect((await answer("/healthz")).status).toBe(200);
  const metrics = await fetch(`${health.url}/metrics`);
  expect(metrics.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(await metrics.text()).toBe("recount_build_info 1\n");
  expect((await answer("/")).status).toBe(404);
  expect((await answer("/readyz", "POST")).status).toBe(405);
});
