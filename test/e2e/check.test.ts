import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import grpc from "@grpc/grpc-js";
import { expect, it } from "vitest";
import { exportTo } from "../support/export-to-lake.js";
import { complete, failure, fakeSpark } from "../support/fake-spark.js";
import { recountHere } from "../support/in-process.js";
import { testProject } from "../support/project.js";
import { isWhole } from "../support/whole.js";

const { service: emulator, folder: dir, path } = await testProject();
const file = path("p.yaml");
function check(yaml: string, args: readonly string[] = [], key = emulator.apiKey) {
  writeFileSync(file, `service: { base_url: ${emulator.url}, project: Listen42 }\n${yaml}`);
  return recountHere(["check", file, ...args], { RECOUNT_API_KEY: key });
}

it("every check has a line, and nothing is written or exported", async () => {
  const { code, stdout, stderr } = await check("outputs: { audit: out/audit.json }\n");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.trim().split("\n")).toEqual([
    `ok     pipeline: ${file} is valid`,
    `ok     credentials: an address and a key for ${emulator.url}`,
    "ok     service: it answers, and the key may list 1 experiment",
    expect.stringMatching(
      /^ok +selection: 1 of 1 experiment: Tiny pairwise; \d+ tables$/,
    ) as string,
    "ok     estimate: no snapshot of the project yet to estimate from",
    expect.stringMatching(/^ok +lake: .*lake can be written, [\d.]+ GB free$/) as string,
    "ok     outputs: 1 file can be written",
  ]);
  expect(readdirSync(dir)).toEqual(["p.yaml"]);
  expect(emulator.faults.journal().map(({ operation }) => operation)).toEqual(["listExperiments"]);
});

it.runIf(isWhole)("requests and bytes are estimated from the last snapshot", async () => {
  const { snapshot, manifest } = await exportTo(join(dir, "other"), emulator);
  const { stdout } = await check("lake: other\n", ["--json"]);
  expect(JSON.parse(stdout)).toContainEqual({
    ...{ project: "Listen42", name: "estimate", exit_code: 0 },
    detail: expect.stringMatching(
      `^${manifest.units.length} requests and [\\d.]+ kB, as in snapshot ${snapshot}$`,
    ) as string,
  });
});

it.each<[string, string, number, RegExp]>([
  [
    "an experiment that is not there",
    "selection: { ids: [exp9] }",
    4,
    /^failed selection: No experiment exp9/m,
  ],
  [
    "an accepted convention of an experiment that is not there",
    "accept: [{ experiment: Tiny pairwize, kind: elo, convention: k=16, reason: r }]",
    4,
    /^failed accept: accept names the experiment Tiny pairwize, .* Did you mean Tiny pairwise\?$/m,
  ],
  [
    "an accepted convention of one that is there",
    "accept: [{ experiment: Tiny pairwise, kind: elo, convention: k=16, reason: r }]",
    0,
    /^ok +accept: 1 convention$/m,
  ],
  ["a lake below a file", "lake: p.yaml/lake", 4, /^failed lake: .*p\.yaml is not a folder/m],
  [
    "Spark that does not answer",
    'engine: { spark: { connect: "sc://127.0.0.1:1" } }',
    3,
    /^failed engine: Spark Connect at 127\.0\.0\.1:1 does not answer/m,
  ],
  [
    "an output that is a folder",
    "outputs: { audit: . }",
    4,
    /^failed outputs: .* is a folder\. Name a file in it$/m,
  ],
  [
    "a key that is rejected",
    "export: {}",
    4,
    /^failed service: .*rejects the credentials \(401\)/m,
  ],
])("%s is a failed check, with the exit code of the run", async (what, yaml, code, said) => {
  const ended = await check(
    `${yaml}\n`,
    [],
    what.startsWith("a key") ? "planted-wrong-key" : undefined,
  );
  expect(ended).toEqual({ code, stdout: expect.stringMatching(said) as string, stderr: "" });
  expect(ended.stdout).not.toContain("planted");
  expect(existsSync(join(dir, "lake"))).toBe(false);
});

it("a cluster must have functions", async () => {
  const spark = await fakeSpark();
  const sail = "found function at 28:36 expected 'EXTERNAL'";
  spark.handlers.push((call) => {
    if (JSON.stringify(call.request).includes("function"))
      return void call.emit("error", failure(grpc.status.INTERNAL, sail));
    call.write(complete("1"));
    call.end();
  });
  const yaml = `engine: { spark: { connect: "sc://127.0.0.1:${spark.port}" } }\n`;
  const { code, stdout } = await check(yaml).finally(() => spark.close());
  expect(stdout).toMatch(/^failed engine: .* has no `create temporary function`, .* Sail/m);
  expect(code).toBe(3);
});

it("an outage is exit code 3, and what needs no service is checked all the same", async () => {
  emulator.faults.set([{ fault: { kind: "status", status: 503, retry_after: "3600" } }]);
  const { code, stdout } = await check("").finally(() => emulator.faults.set([]));
  expect({ code, stdout }).toEqual({
    code: 3,
    stdout: expect.stringMatching(/^failed service: .*503/m) as string,
  });
  expect(stdout).toMatch(/^ok +outputs: none$/m);
});

it("each of many projects is checked, and the exit code is the worst", async () => {
  writeFileSync(
    file,
    `service: { base_url: ${emulator.url} }\nlake: lake\nprojects: [Listen42, Motion17]\n`,
  );
  const { code, stdout } = await recountHere(["check", file], { RECOUNT_API_KEY: emulator.apiKey });
  expect(code).toBe(4);
  expect(stdout).toMatch(/^ok +Listen42, service: it answers/m);
  expect(stdout).toMatch(/^failed Motion17, service: /m);
});
