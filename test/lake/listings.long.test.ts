import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { listSnapshots, readSnapshot, verifyProject } from "../../src/lake/index.js";
import { exportTo } from "../support/export-to-lake.js";
import { listedBy, rowsIn } from "../support/listings.js";
import { plainRows } from "../support/plain-duckdb.js";
import { testProject } from "../support/project.js";
import { reseal } from "../support/reseal.js";

const { service, path } = await testProject();
const project = service.projectId;
const tables = ["experiments", "ratings", "sessions", "slates", "results"] as const;
const doubled = { operation: "listRatings", fault: { kind: "double_row", row: 0 } } as const;

describe("tables.sql and tables.json of three snapshots", () => {
  const lake = path("three");
  beforeAll(async () => {
    for (const rules of [[], [doubled], [doubled]]) {
      service.faults.set(rules);
      await exportTo(lake, service, { tables });
    }
    service.faults.set([]);
  });

  it("have each snapshot's files and no others", async () => {
    const ids = await listSnapshots(lake, project);
    expect(ids).toHaveLength(3);
    const ratings = [];
    for (const id of ids) {
      const snapshot = await readSnapshot(lake, project, id);
      const { views, json } = await listedBy(snapshot, join(lake, project));
      expect(views).toEqual(rowsIn(snapshot.manifest));
      expect(json).toMatchObject({ project, snapshot: id });
      const files = Object.values(json.tables).flatMap((own) => own.map((one) => one.path));
      const named = Object.values(snapshot.tables).flatMap((table) => table.files);
      expect(files.map((file) => join(lake, project, file)).sort()).toEqual(named.sort());
      ratings.push(views.ratings ?? 0);
    }
    expect(ratings).toEqual([ratings[0], (ratings[0] ?? 0) + 1, (ratings[0] ?? 0) + 1]);
  });

  it("are right in a lake that was moved, under a name with the marks of patterns", async () => {
    const moved = path("moved [1] *?");
    cpSync(lake, moved, { recursive: true });
    const snapshot = await readSnapshot(moved, project);
    const { views } = await listedBy(snapshot, join(moved, project));
    expect(views).toEqual(rowsIn(snapshot.manifest));
    const [row] = await plainRows(
      undefined,
      `set variable project = '${join(moved, project)}'`,
      (await snapshot.read("tables.sql")) ?? "",
      "select array_agg(distinct experiment_id) as ids from ratings",
    );
    expect(row?.ids).toEqual({ items: ["exp1"] });
    rmSync(moved, { recursive: true });
  });

  it("may be missing in a snapshot of an earlier version, which is as valid", async () => {
    const old = path("old");
    cpSync(lake, old, { recursive: true });
    for (const id of await listSnapshots(old, project)) {
      const folder = join(old, project, "snapshots", id);
      for (const name of ["tables.sql", "tables.json"]) rmSync(join(folder, name));
      reseal(join(folder, "manifest.json"), (manifest) => ({ ...manifest, listings: undefined }));
    }
    expect(await verifyProject(old, project)).toMatchObject({ problems: [], leftovers: [] });
    const { snapshot } = await exportTo(old, service, { tables });
    const text = readFileSync(join(old, project, "snapshots", snapshot, "tables.sql"), "utf8");
    expect(text).toContain(`snapshots/${snapshot}/`);
    expect((await verifyProject(old, project)).problems).toEqual([]);
  });
});
