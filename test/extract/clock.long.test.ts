import { expect, it } from "vitest";
import { type Clock, systemClock } from "../../src/platform/clock.js";
import {
  currentSnapshot,
  pruneSnapshots,
  summariseSnapshots,
  verifyProject,
} from "../../src/lake/index.js";
import { testProject } from "../support/project.js";
import { exportTo } from "../support/export-to-lake.js";

const { service, path } = await testProject();
const { projectId } = service;
const lake = path("lake");

function jumping(...instants: string[]): Clock {
  let read = 0;
  return {
    ...systemClock,
    now: () => new Date(instants[Math.min(read++, instants.length - 1)] ?? 0),
  };
}

const exported = (...instants: string[]) =>
  exportTo(lake, service, { clock: jumping(...instants) });

it("a clock that jumps back by a year, between exports or during one, does not change what is published and kept", async () => {
  const first = await exported("2026-06-01T00:00:00Z");
  const second = await exported(
    "2026-06-02T00:00:00Z",
    "2025-06-01T00:00:00Z",
    "2027-01-01T00:00:00Z",
    "2025-01-01T00:00:00Z",
  );
  expect(
    second.snapshot < first.snapshot || second.manifest.created_at !== first.manifest.created_at,
  ).toBe(true);
  const third = await exported("2020-01-01T00:00:00Z");
  expect(third.snapshot < first.snapshot).toBe(true);
  expect(third.manifest.previous).toBe(second.snapshot);
  expect(await currentSnapshot(lake, projectId)).toBe(third.snapshot);
  expect(third.manifest.experiments.map(({ state }) => state)).toEqual(["complete"]);
  expect(third.manifest.elapsed_ms).toBeGreaterThanOrEqual(0);
  await pruneSnapshots(lake, projectId, { last: 1 });
  const left = await summariseSnapshots(lake, projectId);
  expect(left.filter(({ is_current }) => is_current).map(({ id }) => id)).toEqual([third.snapshot]);
  expect(await verifyProject(lake, projectId)).toMatchObject({ problems: [] });
});
