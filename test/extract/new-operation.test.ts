import { rmSync } from "node:fs";
import { Type } from "typebox";
import { afterAll, expect, it } from "vitest";
import { lakeTables, operations, records, tableNames, type TableName } from "../../src/contract/index.js";
import { openWarehouse } from "../../src/warehouse/index.js";
import { httpServer } from "../support/raw-server.js";
import { temporaryLake } from "../support/export-to-lake.js";
import { isWhole } from "../support/whole.js";

const lake = temporaryLake();
afterAll(() => {
  rmSync(lake, { recursive: true });
  // Test files share their modules.
  for (const [registry, name] of [
    [operations, "listAnnotations"],
    [records, "annotation"],
    [lakeTables, "annotations"],
  ] as const)
    Reflect.deleteProperty(registry, name);
  tableNames.splice(tableNames.indexOf("annotations" as TableName), 1);
});

/** The operation, the record and the table: everything that a new exported operation needs. */
function addAnnotations(): void {
  const annotation = Type.Object({ id: Type.String(), text: Type.String() });
  Object.assign(operations, {
    listAnnotations: {
      method: "GET",
      path: "/projects/{project_id}/experiments/{experiment_id}/annotations/",
      record: "annotation",
      list: true,
      summary: "Annotations of an experiment",
      status: 200,
      source: "a test",
    },
  });
  Object.assign(records, { annotation: { "0.8.3": annotation, "0.7.5": annotation } });
  Object.assign(lakeTables, {
    annotations: {
      description: "Annotation of an experiment",
      record: "annotation",
      operation: "listAnnotations",
      scope: "experiment",
      sortBy: ["id"],
      primaryKey: "id",
    },
  });
  tableNames.push("annotations" as TableName);
}

it.runIf(isWhole)(
  "a new operation is exported, guarded and tracked once its operation, record and table exist",
  async () => {
    addAnnotations();
    const { createClient } = await import("../../src/client/index.js");
    const { exportSnapshot } = await import("../../src/extract/index.js");
    const { openSnapshot, verifyProject } = await import("../../src/lake/index.js");
    let annotations = ["b", "a"].map((id) => ({ id, text: `note ${id}`, mood: 1 }));
    const server = await httpServer((response, _, request) => {
      const path = new URL(request.url ?? "", "http://service").pathname;
      const body = path.endsWith("/experiments/")
        ? [{ id: "X1", name: "one", type: "acr_audio" }]
        : path.endsWith("/annotations/")
          ? annotations
          : [];
      response.end(JSON.stringify(body));
    });
    const client = createClient({ baseUrl: server.url, credentials: { scheme: "api-key", key: "some-key" } });
    const tables = ["annotations" as TableName];
    const run = () => exportSnapshot({ client, projectId: "P1", lake, tables });
    await run();
    const snapshot = await openSnapshot(lake, "P1");
    const warehouse = await openWarehouse({ sources: snapshot.tables });
    expect(await warehouse.all("select experiment_id, id, text, _meta from annotations")).toEqual([
      { experiment_id: "X1", id: "a", text: "note a", _meta: '{"mood":1}' },
      { experiment_id: "X1", id: "b", text: "note b", _meta: '{"mood":1}' },
    ]);
    warehouse.close();
    annotations = annotations.slice(1);
    const { manifest } = await run();
    expect(manifest.tombstones).toEqual([{ table: "annotations", experiment_id: "X1", ids: ["b"] }]);
    annotations = [];
    await expect(run()).rejects.toThrow("listAnnotations of X1 has 0 elements, 1 in snapshot");
    expect((await verifyProject(lake, "P1")).problems).toEqual([]);
    await client.close();
    await server.close();
  },
);
