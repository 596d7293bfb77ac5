import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { secretForms } from "../../src/client/secrets.js";
import { openWarehouse } from "../../src/warehouse/index.js";
import { recount as recountApart } from "../support/command-line.js";
import { testProject } from "../support/project.js";

describe("planted secrets", async () => {
  const { env, folder, path, recount, service } = await testProject();
  const lake = path("lake");
  const secrets: string[] = [];
  let said = "";

  const post = async (path: string, body: unknown) => {
    const response = await fetch(`${service.url}/projects/${service.projectId}/${path}`, {
      method: "POST",
      headers: { authorization: `Api-Key ${service.apiKey}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Record<string, unknown>;
  };
  const files = () =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((path) => join(folder, path))
      .filter((path) => statSync(path).isFile());

  beforeAll(async () => {
    const read = async (path: string) => {
      const response = await fetch(
        `${service.url}/projects/${service.projectId}/experiments/exp1/jobs/${path}`,
        {
          headers: { authorization: `Api-Key ${service.apiKey}` },
        },
      );
      return await response.json();
    };
    const [job] = (await read("")) as { id: string }[];
    const { token } = (await read(`${job?.id ?? ""}/costs/`)) as { token: string };
    const hook = await post("webhooks/", {
      url: "http://127.0.0.1:9/hook",
      events: ["job.completed"],
      secret: "planted+hook/secret=42",
    });
    const dataset = await post("datasets/", { name: "planted", filename: "planted.zip" });
    const signature = new URL(String(dataset.upload_url)).searchParams;
    secrets.push(token, service.apiKey, String(dataset.upload_url), ...signature.values());
    if (typeof hook.secret === "string") secrets.push(hook.secret);
    service.faults.set([
      { operation: "listSessions", times: 1, fault: { kind: "status", status: 400 } },
    ]);
    // The mode of its files is a matter of the process.
    const outcomes = [
      await recountApart(["export", "-v", "--lake", lake], env),
      await recount(["export", "-v", "--lake", path("other"), "--log-format", "json"]),
      await recount(["export", "-v", "--lake", path("costs"), "--table", "job_costs"]),
      await recount(["audit", "--lake", lake, "--json", path("audit.json")]),
    ];
    for (const { stdout, stderr } of outcomes) said += stdout + stderr;
  });
  const formsOf = (all: readonly string[]) =>
    all.filter((secret) => secret.length >= 6).flatMap(secretForms);
  const found = (text: string, needles: readonly string[]) =>
    needles.filter((needle) => text.includes(needle));

  it("appear in no file or output line in plain, percent-encoded or base64 form", () => {
    expect(secrets.filter((secret) => secret.length >= 6).length).toBeGreaterThanOrEqual(4);
    const needles = formsOf(secrets);
    expect(found(said, needles)).toEqual([]);
    const all = files();
    expect(
      all.some((path) => path.endsWith(".parquet")) &&
        all.some((path) => path.endsWith(".json.gz")),
    ).toBe(true);
    const offenders = all.filter((path) => {
      const bytes = readFileSync(path);
      const text = path.endsWith(".gz")
        ? gunzipSync(bytes).toString("latin1")
        : bytes.toString("latin1");
      return found(text, needles).length > 0 || text.includes('"token":"');
    });
    expect(offenders).toEqual([]);
  });

  it("appear in no column of any Parquet file, whatever its compression", async () => {
    const warehouse = await openWarehouse({ sources: {} });
    const needles = formsOf(secrets);
    const parts = files().filter((one) => one.endsWith(".parquet"));
    expect(parts.filter((one) => one.includes("job_costs")).length).toBeGreaterThan(0);
    for (const path of parts) {
      const rows = await warehouse.all(
        `select to_json(t)::varchar as row from read_parquet('${path}') as t`,
      );
      const text = rows.map(({ row }) => row as string).join("\n");
      expect(found(text, needles), path).toEqual([]);
      // A token is drawn for each request.
      if (path.includes("job_costs")) expect(text).not.toMatch(/[\da-f]{20}/);
    }
    warehouse.close();
  });

  it("would be found if they appeared", () => {
    const key = service.apiKey;
    for (const text of [
      key,
      encodeURIComponent(key),
      Buffer.from(`x${key}`).toString("base64"),
      Buffer.from(key).toString("base64url"),
    ]) {
      expect(found(`before ${text} after`, formsOf([key])).length).toBeGreaterThan(0);
    }
  });

  it.skipIf(process.platform === "win32")("no file is world-readable", () => {
    const open = files().filter(
      (path) => path.startsWith(lake) && (statSync(path).mode & 0o007) !== 0,
    );
    expect(open).toEqual([]);
  });
});
