import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import type { TableName } from "../../src/contract/index.js";
import { type ExportReport } from "../../src/extract/index.js";
import { readSnapshot, verifyProject } from "../../src/lake/index.js";
import { openWarehouse, type Row } from "../../src/warehouse/index.js";
import { temporaryLake, exportTo } from "../support/export-to-lake.js";
import { httpServer } from "../support/raw-server.js";
import { isWhole } from "../support/whole.js";

let lake: string;
afterEach(() => {
  rmSync(lake, { recursive: true });
});

interface Exported {
  readonly report: ExportReport;
  /** The rows of the last table. */
  readonly rows: readonly Row[];
  readonly requests: readonly string[];
}

async function exported(
  answers: Readonly<Record<string, string | number>>,
  tables: readonly TableName[] | undefined,
  columns: string,
): Promise<Exported> {
  const requests: string[] = [];
  const service = await httpServer((response, _, request) => {
    const path = new URL(request.url ?? "", "http://service").pathname.replace("/projects/P1/", "");
    requests.push(path);
    const answer =
      { "experiments/": '[{"id":"X1","name":"one","type":"mushra"}]', ...answers }[path] ?? "[]";
    response.statusCode = typeof answer === "number" ? answer : 200;
    response.end(typeof answer === "number" ? "{}" : answer);
  });
  lake = temporaryLake();
  const served = { url: service.url, projectId: "P1", apiKey: "some-key" };
  const report = await exportTo(lake, served, tables ? { tables } : {});
  const warehouse = await openWarehouse({ sources: (await readSnapshot(lake, "P1")).tables });
  const rows = await warehouse.all(
    `select ${columns} from ${tables?.at(-1) ?? "jobs"} order by all`,
  );
  warehouse.close();
  expect((await verifyProject(lake, "P1")).problems).toEqual([]);
  await service.close();
  return { report, rows, requests };
}

const jobs = "experiments/X1/jobs/";
const messages = ({ report }: Exported) => report.shortfalls.map(({ message }) => message);

describe("the details of a list", () => {
  test("one refused job loses only its own detail fields, and is named", async () => {
    const done = await exported(
      {
        [jobs]:
          '[{"id":"J1","status":"draft"},{"id":"J2","status":"draft"},{"id":"J3","status":"draft"}]',
        [`${jobs}J1/`]: '{"id":"J1","status":"launched","max_repetitions":9007199254740993}',
        [`${jobs}J2/`]: 403,
        [`${jobs}J3/`]: 404,
      },
      ["jobs"],
      "id, status, max_repetitions",
    );
    expect(done.rows).toEqual([
      { id: "J1", status: "launched", max_repetitions: 9007199254740993n },
      { id: "J2", status: "draft", max_repetitions: null },
      { id: "J3", status: "draft", max_repetitions: null },
    ]);
    expect(messages(done)).toEqual([
      "getJob J2 of X1: the service refused the request (403).",
      "getJob J3 of X1: the service refused the request (404).",
    ]);
    rmSync(lake, { recursive: true });
    const all = await exported(
      { [jobs]: '[{"id":"J1","status":"draft"}]', [`${jobs}J1/`]: 403 },
      ["jobs"],
      "id, status",
    );
    expect(all.rows).toEqual([{ id: "J1", status: "draft" }]);
    expect(messages(all)).toEqual(["getJob J1 of X1: the service refused the request (403)."]);
  });

  test.runIf(isWhole)(
    "datasets have their details, and their statuses with error messages",
    async () => {
      const dataset = (id: string, more = "") =>
        `{"id":"${id}","name":"n","date_created":"yesterday"${more}}`;
      const answers = {
        "datasets/": `[${dataset("D1")},${dataset("D2")}]`,
        "datasets/D1/": dataset("D1", ',"filename":"one.zip"'),
        "datasets/D1/status/": '{"status":"error","errors":["no audio in a.zip"],"progress":3}',
        "datasets/D2/": dataset("D2", ',"filename":"two.zip"'),
        "datasets/D2/status/": 403,
      };
      const details = await exported(answers, ["datasets"], "id, date_created, filename");
      expect(details.rows).toEqual([
        { id: "D1", date_created: "yesterday", filename: "one.zip" },
        { id: "D2", date_created: "yesterday", filename: "two.zip" },
      ]);
      expect(messages(details)).toEqual([]);
      rmSync(lake, { recursive: true });
      const statuses = await exported(
        answers,
        ["dataset_statuses"],
        "dataset_id, status, errors, _meta",
      );
      expect(statuses.rows).toEqual([
        {
          dataset_id: "D1",
          status: "error",
          errors: '["no audio in a.zip"]',
          _meta: '{"progress":3}',
        },
      ]);
      expect(messages(statuses)).toEqual([
        "getDatasetStatus D2: the service refused the request (403).",
      ]);
    },
  );
});

const textsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)))
    .map((bytes) =>
      (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString("latin1"),
    );

describe("the costs of jobs", () => {
  const answers = {
    "experiments/X1/": '{"id":"X1"}',
    [jobs]: '[{"id":"J1"},{"id":"J2"}]',
    [`${jobs}J1/`]: '{"id":"J1"}',
    [`${jobs}J2/`]: '{"id":"J2"}',
    [`${jobs}J1/costs/`]:
      '{"num_sessions":20,"cost":23.5,"currency":"EUR","token":"costs-token-of-J1"}',
    [`${jobs}J2/costs/`]: 409,
  };

  test.runIf(isWhole)(
    "are asked for only if they are selected, and never with their token",
    async () => {
      const done = await exported(
        answers,
        ["job_costs"],
        "experiment_id, job_id, num_sessions, cost, currency, _meta",
      );
      expect(done.rows).toEqual([
        {
          experiment_id: "X1",
          job_id: "J1",
          num_sessions: 20,
          cost: 23.5,
          currency: "EUR",
          _meta: null,
        },
      ]);
      expect(
        done.report.manifest.units.filter(({ operation }) => operation === "getJobCosts"),
      ).toMatchObject([
        { parameters: { job_id: "J1" }, state: "complete" },
        { parameters: { job_id: "J2" }, state: "not_offered", status: 409 },
      ]);
      expect(textsIn(lake).filter((text) => text.includes("costs-token"))).toEqual([]);
      rmSync(lake, { recursive: true });
      const usual = await exported(answers, undefined, "id");
      expect(usual.requests.filter((path) => path.endsWith("/costs/"))).toEqual([]);
      expect(usual.rows).toEqual([{ id: "J1" }, { id: "J2" }]);
    },
  );
});
