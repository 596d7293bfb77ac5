import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { operationHelp } from "../../src/commands/operation-help.js";
import { apiVersions, bodies, operation, operationNames } from "../../src/contract/index.js";
import { recount } from "../support/command-line.js";
import { recountHere } from "../support/in-process.js";
import { testProject } from "../support/project.js";

const { service, flags, path } = await testProject({});
const keyFile = path("key");
writeFileSync(keyFile, service.apiKey);

const run = (...args: string[]) => recountHere(["call", ...args, ...flags, "--key-file", keyFile]);

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
    for (const encoding of [
      [],
      ["--encoding", "json"],
      ["--encoding", "form"],
      ["--encoding", "multipart"],
    ]) {
      const created = JSON.parse(
        await call("createExperiment", "--body", JSON.stringify(body), ...encoding),
      ) as object;
      expect(created).toMatchObject({
        name: body.name,
        dataset_ids: body.datasets,
        config: body.config,
      });
    }
  });

  const withBody = operationNames.filter((name) => operation(name).body !== undefined);

  test.each(withBody)("the help of %s has each field of its body, with its type", (name) => {
    const stdout = operationHelp([name]);
    const { body = "webhook_create", method, path } = operation(name);
    expect(stdout).toContain(`${method} ${path}`);
    for (const version of apiVersions)
      for (const field of Object.keys(bodies[body][version].properties))
        expect(stdout).toMatch(
          new RegExp(`^${field} +.*(text|integer|boolean|list of|JSON|, )`, "m"),
        );
    if (name === "createJob") {
      expect(stdout).toMatch(/^num_sessions +required +integer, 1 to 100000$/m);
      expect(stdout).toMatch(/^pool .* Only in 0\.7\.5\.$/m);
    }
  });

  test("the help of an operation follows that of the command", async () => {
    const { code, stdout, stderr } = await recount(["call", "listRatings", "--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("--encoding");
    expect(
      stdout.trimEnd().endsWith("recount call listRatings -p experiment_id=EXPERIMENT_ID"),
    ).toBe(true);
  });

  test("the examples of the help do what they say", async () => {
    const ids: Record<string, string> = { EXPERIMENT_ID: "Voices5" };
    const example = async (name: string) => {
      const stdout = operationHelp([name]);
      const text = /For example:\s+recount call ([^]*)$/.exec(stdout)?.[1] ?? "";
      const line = text
        .trim()
        .replace(/\s*\n\s*/g, " ")
        .replace(/[A-Z_]{5,}/g, (id) => ids[id] ?? id);
      const [, rest = "", json] = /^([^']*?)(?: --body '(.*)')?$/.exec(line) ?? [];
      return JSON.parse(await call(...rest.split(" "), ...(json ? ["--body", json] : []))) as {
        id: string;
        token: string;
      };
    };
    expect(await example("createDataset")).toMatchObject({ name: "Voices" });
    expect(await example("createExperiment")).toMatchObject({ name: "Voices, second round" });
    ids.JOB_ID = (await example("createJob")).id;
    ids.TOKEN = (await example("getJobCosts")).token;
    await example("launchJob");
    ids.WEBHOOK_ID = (await example("createWebhook")).id;
    expect(await example("updateWebhook")).toMatchObject({ url: "https://example.org/hook" });
  });

  test.each([
    [
      "a stray body",
      ["listJobs", "-p", "experiment_id=Voices5", "--body", "{}"],
      /listJobs has no body/,
    ],
    ["a missing body", ["createDataset"], /createDataset needs --body/],
    [
      "a body that is no object",
      ["createDataset", "--body", "[1]"],
      /--body is not a JSON object: \[1\]/,
    ],
    [
      "a stray file",
      ["listDatasets", "--file", "x"],
      /Only createDataset and uploadDataset take --file/,
    ],
    ["a body of an upload", ["uploadDataset", "--body", "{}"], /uploadDataset has no body/],
    ["a stray encoding", ["listDatasets", "--encoding", "form"], /--encoding requires --body/],
    [
      "a parameter given twice",
      ["listJobs", "-p", "experiment_id=a", "-p", "experiment_id=b"],
      /given twice/,
    ],
    [
      "a body that the service refuses",
      ["createDataset", "--body", "{}"],
      /createDataset: .* answered 400: .*name/,
    ],
    [
      "a parameter that it refuses",
      ["listMetrics", "-p", "metric=best"],
      /listMetrics: .* answered 400/,
    ],
  ])("%s exits with 4", async (_name, args, message) => {
    expect(await run(...args)).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(message) as string,
    });
  });
});
