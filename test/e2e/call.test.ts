import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { recountHere } from "../support/in-process.js";
import { testProject } from "../support/project.js";

const { service, flags, path } = await testProject({ speed: 0 });
const keyFile = path("key");
writeFileSync(keyFile, service.apiKey);

/** Runs `recount call` in this process. */
const run = (...args: string[]) => recountHere(["call", ...args, ...flags, "--key-file", keyFile]);

/** What `recount call` printed. */
async function call(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

const body = {
  name: 'Forms "é" & co.\r\n=',
  type: "acr_audio",
  datasets: ["Voices5Media", "Music64kMedia"],
  config: { dimensions: ["quality"], scale: [1, 7] },
};

describe("recount call", () => {
  test("sends a body as JSON, form or multipart", async () => {
    for (const encoding of [[], ["--encoding", "json"], ["--encoding", "form"], ["--encoding", "multipart"]]) {
      const created = JSON.parse(await call("createExperiment", "--body", JSON.stringify(body), ...encoding)) as object;
      expect(created).toMatchObject({ name: body.name, dataset_ids: body.datasets, config: body.config });
    }
  });

  test("requests the older spelling of rater pools", async () => {
    const newer = await call("listRaterPools", "-p", "experiment_id=Voices5");
    service.faults.clearJournal();
    expect(await call("listRaterPools", "-p", "experiment_id=Voices5", "--older-spelling")).toBe(newer);
    expect(service.faults.journal().map(({ path }) => path)).toEqual([
      "/projects/Listen42/experiments/Voices5/rater_pools/",
    ]);
  });

  test.each([
    ["a stray body", ["listJobs", "-p", "experiment_id=Voices5", "--body", "{}"], /listJobs has no body/],
    ["a missing body", ["createDataset"], /createDataset needs --body/],
    ["a body that is no object", ["createDataset", "--body", "[1]"], /--body is not a JSON object: \[1\]/],
    ["a stray file", ["listDatasets", "--file", "x"], /Only uploadDataset takes --file/],
    ["a body of an upload", ["uploadDataset", "--body", "{}"], /uploadDataset has no body/],
    ["a stray encoding", ["listDatasets", "--encoding", "form"], /--encoding requires --body/],
    ["an operation with one spelling", ["listDatasets", "--older-spelling"], /listDatasets has only one spelling/],
    ["a parameter given twice", ["listJobs", "-p", "experiment_id=a", "-p", "experiment_id=b"], /given twice/],
    ["a body that the service refuses", ["createDataset", "--body", "{}"], /createDataset: .* answered 400: .*name/],
    ["a parameter that it refuses", ["listMetrics", "-p", "metric=best"], /listMetrics: .* answered 400/],
  ])("%s exits with 4", async (_name, args, message) => {
    expect(await run(...args)).toMatchObject({ code: 4, stderr: expect.stringMatching(message) as string });
  });
});
