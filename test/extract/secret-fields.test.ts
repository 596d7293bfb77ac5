import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { looksSecret } from "../../src/contract/index.js";
import { layoutOf, verifyProject } from "../../src/lake/index.js";
import { importSnapshot, parseMapping } from "../../src/import/index.js";
import { createLog, type Log } from "../../src/platform/index.js";
import { exportTo } from "../support/export-to-lake.js";
import { goldenPaths } from "../support/golden-case.js";
import { snapshotText } from "../support/snapshot-text.js";
import { testProject } from "../support/project.js";

describe("an unknown field whose name looks like a secret", async () => {
  const { service, path } = await testProject({ load: goldenPaths("tiny-pairwise"), etag: true });
  const lake = path("lake");
  const tables = ["webhooks", "experiments", "sessions", "slates", "raters"] as const;
  beforeAll(async () => {
    await fetch(`${service.url}/projects/${service.projectId}/webhooks/`, {
      method: "POST",
      headers: { authorization: `Api-Key ${service.apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ url: "http://127.0.0.1:9/hook", events: ["job.completed"] }),
    });
    const put = (field: string) =>
      ({ kind: "raw_value", row: 0, field, text: '"hush-hush"' }) as const;
    service.faults.set([
      { operation: "listWebhooks", fault: put("signing_secret") },
      { operation: "listExperiments", fault: put("apiKey") },
      { operation: "listSessions", fault: put("access_token") },
      { operation: "listSlates", fault: { kind: "unknown_fields" } },
      {
        operation: "listRaters",
        fault: { kind: "raw_row", row: 0, text: '{"id":1.5,"password":"hush-hush"}' },
      },
    ]);
  });

  const ways = {
    export: {
      project: service.projectId,
      write: (log: Log) => exportTo(lake, service, { tables, log }),
      quarantined: 1,
    },
    import: {
      project: "secretive",
      write: async (log: Log) =>
        importSnapshot(await parseMapping(path("m.yaml"), mapping), { lake }, { log }),
      quarantined: 2,
    },
  } as const;
  const mapping = `{ study: { id: secretive }, files: { a: a.csv, b: b.jsonl }, ratings: [
    { from: a, rater: who, item: item, score: score }, { from: b, rater: who, item: item, score: score }] }`;

  it.each(Object.entries(ways))(
    "is in no part, quarantine file or kept body of an %s",
    async (_, way) => {
      writeFileSync(
        path("a.csv"),
        "who,item,score,password\nann,A,1,hush-hush\nbob,A,x,hush-hush\n",
      );
      writeFileSync(
        path("b.jsonl"),
        '{"who":"cy","item":"A","score":"x","browser":{"apiKey":"hush-hush"}}\n',
      );
      const log = createLog(() => undefined);
      for (const time of ["first", "again"]) {
        const report = await way.write(log);
        expect(await snapshotText(lake, report), time).not.toContain("hush-hush");
        expect(report.quarantined).toBe(way.quarantined);
        expect((await verifyProject(lake, way.project)).problems).toEqual([]);
      }
    },
  );

  it("is named by the manifest and the log of an export", async () => {
    const said: string[] = [];
    const log = createLog(({ message }) => said.push(message));
    const report = await exportTo(path("named"), service, { tables, log });
    expect(await snapshotText(path("named"), report)).toContain('"x_confidence":0.5');
    const withheld = report.manifest.units
      .filter(({ is_withheld }) => is_withheld)
      .map(({ operation }) => operation);
    expect(withheld.toSorted()).toEqual([
      "listExperiments",
      "listRaters",
      "listSessions",
      "listWebhooks",
    ]);
    const kept = readdirSync(join(path("named"), layoutOf(service.projectId).raw));
    expect(kept).toHaveLength(report.manifest.raw?.length ?? 0);
    expect(said.join("\n")).toContain(
      "in sessions, not stored because they look like secrets: access_token.",
    );
  });

  it("is recognised by its name", () => {
    for (const name of [
      "signing_secret",
      "apiKey",
      "API-KEY",
      "token",
      "csrfToken",
      "db_password",
      "signed_url",
    ])
      expect(looksSecret(name), name).toBe(true);
    for (const name of [
      "token_count",
      "tokens",
      "session_id",
      "keyboard",
      "url",
      "name",
      "signatures",
    ])
      expect(looksSecret(name), name).toBe(false);
  });
});
