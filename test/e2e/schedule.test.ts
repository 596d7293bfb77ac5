import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testProject } from "../support/project.js";

const { path, recount } = await testProject();
cpSync(join(import.meta.dirname, "../../pipelines"), path("pipelines"), { recursive: true });
const nightly = readFileSync(path("pipelines/nightly.yaml"), "utf8");

it.each([
  ["no schedule", "", /nightly\.yaml has no schedule\. Add one/],
  ["no cron expression", "schedule: { cron: 2 o'clock }", /line \d+: schedule\.cron must be text \(Minute, hour, day/],
  ["an impossible one", 'schedule: { cron: "0 25 * * *" }', /schedule\.cron "0 25 \* \* \*" is not a cron expression/],
  [
    "an unknown time zone",
    'schedule: { cron: "0 2 * * *", timezone: CEST }',
    /schedule\.timezone CEST is not a time zone/,
  ],
  [
    "too long a jitter",
    'schedule: { cron: "0 2 * * *", jitter: 1d }',
    /line \d+: schedule\.jitter must be a whole number from 0/,
  ],
])("a file with %s is one line at the start", async (_, text, message) => {
  const file = path("pipelines/broken.yaml");
  writeFileSync(file, `${nightly}\n${text}\n`);
  const { code, stdout, stderr } = await recount(["schedule", file]);
  expect({ code, stdout }).toEqual({ code: 4, stdout: "" });
  expect(stderr).toMatch(/^recount: [^\n]*\n$/);
  expect(stderr.replace("broken", "nightly")).toMatch(message);
});
