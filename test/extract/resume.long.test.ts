import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { createClient, type Client } from "../../src/client/index.js";
import type { TableName } from "../../src/contract/index.js";
import { exportSnapshot, type ExportOptions, type ExportReport } from "../../src/extract/index.js";
import { layoutOf, verifyProject } from "../../src/lake/index.js";
import { goldenPaths } from "../support/golden-case.js";
import { partsOf } from "../support/fault-fixture.js";
import { until } from "../support/until.js";
import { testProject } from "../support/project.js";

type BeforeSlates = (experiment: string) => Promise<unknown>;

const { service, path } = await testProject({ load: goldenPaths("tiny-pairwise", "approval") });
const tables: TableName[] = ["slates", "ratings", "results"];
let lake = "";
let count = 0;

beforeEach(() => {
  lake = path(`lake-${count++}`);
  service.faults.set([]);
  service.faults.clearJournal();
});

/** `beforeSlates` holds back each request for an experiment's slates. */
async function run(
  options: Partial<ExportOptions> = {},
  beforeSlates?: BeforeSlates,
  base = "",
): Promise<ExportReport> {
  const plain = createClient({
    baseUrl: service.url,
    credentials: { scheme: "api-key", key: service.apiKey },
    retry: { totalMs: 0 },
  });
  const client: Client = {
    ...plain,
    address: plain.address + base,
    download: async (name, args, file, more) => {
      if (name === "listSlates")
        await beforeSlates?.((args as { experiment_id: string }).experiment_id);
      return plain.download(name, args, file, more);
    },
  };
  try {
    return await exportSnapshot({ client, projectId: service.projectId, lake, tables, ...options });
  } finally {
    await client.close();
  }
}

const staging = () => readdirSync(join(lake, layoutOf(service.projectId).staging));
const checkpoint = () => {
  const name = staging().find((one) => one.endsWith(".resume.jsonl"));
  return name === undefined ? undefined : join(lake, layoutOf(service.projectId).staging, name);
};
const ratingsRead = () =>
  service.faults
    .journal()
    .filter(({ operation }) => operation === "listRatings")
    .map(({ experiment }) => experiment);

async function broken(): Promise<string> {
  service.faults.set([
    { operation: "listSlates", experiment: "exp6", fault: { kind: "status", status: 500 } },
  ]);
  const isNoted = () => readFileSync(checkpoint() ?? "", "utf8").split("\n").length > 2;
  const afterTheFirst = (experiment: string) =>
    experiment === "exp6" ? until(isNoted) : Promise.resolve();
  await expect(run({ concurrency: 1 }, afterTheFirst)).rejects.toMatchObject({ exitCode: 3 });
  service.faults.set([]);
  service.faults.clearJournal();
  return basename(checkpoint() ?? "", ".resume.jsonl");
}

describe("experiments", () => {
  it("are read one after the other, so that each is consistent in time and an interrupted export has finished some", async () => {
    await run({ concurrency: 1 });
    const order = service.faults.journal().flatMap(({ experiment }) => experiment ?? []);
    expect(order.filter((one, i) => one !== order[i - 1])).toHaveLength(2);
  });
});

describe("an interrupted export", () => {
  let whole: Record<string, string>;
  beforeEach(async () => {
    whole = partsOf((await run()).manifest);
    lake = path(`lake-${count++}`);
  });

  it("is resumed as of its start and reads only the experiments that were not complete", async () => {
    const id = await broken();
    expect(id).not.toBe("");
    const { manifest } = await run({ resume: true });
    expect(partsOf(manifest)).toEqual(whole);
    expect(manifest.created_at.replaceAll(/[-:.]/g, "")).toBe(id.split("-")[0]);
    expect(ratingsRead()).toHaveLength(1);
    expect(manifest.experiments.map(({ state }) => state)).toEqual(["complete", "complete"]);
    expect(await verifyProject(lake, service.projectId)).toMatchObject({ problems: [] });
    expect(staging()).toEqual([]);
  });

  it("reads a whole experiment again when one of its files was corrupted", async () => {
    const id = await broken();
    const staged = join(lake, layoutOf(service.projectId).staging, id);
    writeFileSync(join(staged, "experiment_id=exp1/ratings.parquet"), "damaged");
    await run({ resume: true });
    expect(ratingsRead()).toHaveLength(2);
    expect(await verifyProject(lake, service.projectId)).toMatchObject({ problems: [] });
  });

  it("reads again what was torn or incomplete", async () => {
    await broken();
    const file = checkpoint() ?? "";
    const torn = readFileSync(file, "utf8").replace(
      '"state":"complete","reason":null}',
      '"state":"torn","reason":"x"}',
    );
    writeFileSync(file, torn);
    const { manifest } = await run({ resume: true });
    expect(ratingsRead()).toHaveLength(2);
    expect(manifest.experiments.map(({ state }) => state)).toEqual(["complete", "complete"]);
    const status = (code: number) => ({ kind: "status", status: code }) as const;
    service.faults.set([
      { operation: "listRatings", experiment: "exp1", fault: status(403) },
      { operation: "listSlates", experiment: "exp6", fault: status(500) },
    ]);
    await expect(run({ concurrency: 1 })).rejects.toMatchObject({ exitCode: 3 });
    expect(checkpoint()).toBeUndefined();
  });

  it("is not resumed with other settings, nor without --resume", async () => {
    await broken();
    await run({ resume: true, selection: { ids: [], names: ["*"], types: [] } });
    expect(ratingsRead()).toHaveLength(2);
    expect(staging()).toEqual([]);
    await broken();
    await run({ resume: true }, undefined, "/base");
    expect(ratingsRead()).toHaveLength(2);
    await broken();
    await run();
    expect(ratingsRead()).toHaveLength(2);
    expect(staging()).toEqual([]);
  });
});
