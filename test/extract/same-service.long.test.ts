import { afterAll, expect, it } from "vitest";
import { type ExportReport } from "../../src/extract/index.js";
import { verifyProject } from "../../src/lake/index.js";
import { forwarder } from "../support/forwarder.js";
import { goldenPaths } from "../support/golden-case.js";
import { testProject } from "../support/project.js";
import { exportTo } from "../support/export-to-lake.js";

/** Two services below one origin, which claim one validator for everything; `b` has fewer ratings. */
const load = goldenPaths("tiny-pairwise", "approval");
const { service: a, path } = await testProject({ load });
const { service: b } = await testProject({ load });
b.faults.set([{ operation: "listRatings", fault: { kind: "short_list", rows: 20 } }]);
const gate = await forwarder('"v1"');
gate.services.set("/a", a.url).set("/b", b.url);
afterAll(() => gate.close());

const exported = (lake: string, base: string) =>
  exportTo(
    lake,
    { ...a, url: `${gate.origin}${base}` },
    { retry: { totalMs: 0 }, shrink: { max: 1, allow: true } },
  );

const ratings = ({ manifest }: ExportReport) =>
  manifest.units
    .filter(({ operation }) => operation === "listRatings")
    .map(({ elements, status }) => [elements, status]);

it("takes no validator, part or deletion over from a service with another base path", async () => {
  const lake = path("lake");
  const first = await exported(lake, "/a");
  expect(first.manifest.service).toBe(`${gate.origin}/a`);
  const other = await exported(lake, "/b/");
  expect(other.manifest.service).toBe(`${gate.origin}/b`);
  expect(ratings(other)).toEqual([
    [20, 200],
    [20, 200],
  ]);
  expect(other.manifest.tombstones).toBeUndefined();
  const again = await exported(lake, "/b");
  expect(ratings(again)).toEqual([
    [20, 304],
    [20, 304],
  ]);
  expect((await verifyProject(lake, a.projectId)).problems).toEqual([]);
});
