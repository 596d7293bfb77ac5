import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createClient } from "../../src/client/index.js";
import { systemClock, type Clock } from "../../src/platform/clock.js";
import { exportSnapshot } from "../../src/extract/index.js";
import { currentSnapshot, pruneSnapshots, summariseSnapshots, verifyProject } from "../../src/lake/index.js";
import { startEmulator } from "../../src/emulator/index.js";
import { goldenDir } from "../support/golden-case.js";

const lake = mkdtempSync(join(tmpdir(), "recount-clock-"));
afterAll(() => rmSync(lake, { recursive: true }));

/** A wall clock that shows the given instants in turn and then the last one; the monotonic clock is the machine's. */
function jumping(...instants: string[]): Clock {
  let read = 0;
  return { ...systemClock, now: () => new Date(instants[Math.min(read++, instants.length - 1)] ?? 0) };
}

describe("a clock that jumps", () => {
  it("back by a year, between exports or during one, does not change what is published and kept", async () => {
    const service = await startEmulator({ load: [join(goldenDir, "tiny-pairwise.json")] });
    const client = createClient({ baseUrl: service.url, credentials: { scheme: "api-key", key: service.apiKey } });
    const { projectId } = service;
    try {
      const first = await exportSnapshot({ client, projectId, lake }, { clock: jumping("2026-06-01T00:00:00Z") });
      const second = await exportSnapshot(
        { client, projectId, lake },
        {
          clock: jumping(
            "2026-06-02T00:00:00Z",
            "2025-06-01T00:00:00Z",
            "2027-01-01T00:00:00Z",
            "2025-01-01T00:00:00Z",
          ),
        },
      );
      expect(second.snapshot < first.snapshot || second.manifest.created_at !== first.manifest.created_at).toBe(true);
      const third = await exportSnapshot({ client, projectId, lake }, { clock: jumping("2020-01-01T00:00:00Z") });
      expect(third.snapshot < first.snapshot).toBe(true);
      expect(third.manifest.previous).toBe(second.snapshot);
      expect(await currentSnapshot(lake, projectId)).toBe(third.snapshot);
      expect(third.manifest.experiments.map(({ state }) => state)).toEqual(["complete"]);
      expect(third.manifest.elapsed_ms).toBeGreaterThanOrEqual(0);
      await pruneSnapshots(lake, projectId, { last: 1 });
      const left = await summariseSnapshots(lake, projectId);
      expect(left.filter(({ is_current }) => is_current).map(({ id }) => id)).toEqual([third.snapshot]);
      expect(await verifyProject(lake, projectId)).toMatchObject({ problems: [] });
    } finally {
      await client.close();
      await service.close();
    }
  });
});
