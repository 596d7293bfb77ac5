import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readRuns } from "../../src/lake/index.js";
import type { ScheduleState } from "../../src/schedule/index.js";
import { bin, startProcess } from "../support/command-line.js";
import { testProject } from "../support/project.js";
import { until } from "../support/until.js";
import { root } from "../support/root.js";

const { env, path, recount, service: emulator } = await testProject();
cpSync(join(root, "pipelines"), path("pipelines"), { recursive: true });
const pipeline = path("pipelines/nightly.yaml");
const nightly = readFileSync(pipeline, "utf8");
/** Due on 29 February only: whatever runs during the tests was missed. */
writeFileSync(
  pipeline,
  `${nightly}\nschedule: { cron: "30 2 29 2 *", timezone: Europe/Berlin, port: 0 }\n`,
);

async function schedule(lake: string) {
  const { child, said, ended } = startProcess([bin, "schedule", pipeline, "--lake", lake], {
    env: { ...process.env, ...env },
  });
  const url = await until(() => /^Health at (\S+)\/healthz/m.exec(said.stderr)?.[1] ?? "");
  return {
    said: () => said.stderr,
    state: async () => (await (await fetch(`${url}/readyz`)).json()) as ScheduleState,
    async stop(...signals: NodeJS.Signals[]) {
      for (const signal of signals) child.kill(signal);
      return ended;
    },
  };
}

it("runs as `recount run` does, keeps what it ran over a restart, and exits with 0 when stopped between runs", async () => {
  const lake = path("lake");
  const first = await schedule(lake);
  const state = await until(first.state, ({ last_run }) => last_run?.exit_code === 0);
  expect(state).toMatchObject({
    state: "waiting",
    next_run_at: "2028-02-29T01:30:00Z",
    last_run: { exit_code: 0 },
  });
  await until(() => first.said().includes("The next run starts at 2028-02-29T01:30:00Z.\n"));
  const { code, stdout, stderr } = await first.stop("SIGTERM");
  expect(code).toBe(0);
  expect(stderr).toContain("Making up the run due at 2024-02-29T01:30:00Z.\n");
  const plain = await recount(["run", pipeline, "--lake", path("plain")]);
  const stable = (text: string) =>
    text.slice(0, text.indexOf("Wrote:")).replace(/(?<=snapshot )\S+/, "");
  expect(stable(stdout)).toBe(stable(plain.stdout));
  const runs = await readRuns(lake, emulator.projectId);
  expect(runs).toMatchObject([{ exit_code: 0, error: null }]);

  const second = await schedule(lake);
  expect(await until(second.state, ({ next_run_at }) => next_run_at !== null)).toMatchObject({
    ...{ state: "waiting", last_run: { started_at: runs[0]?.started_at } },
  });
  expect((await second.stop("SIGINT")).code).toBe(0);
  expect((await readRuns(lake, emulator.projectId)).length).toBe(1);
});

const signalled = [
  ["once, it stops the run cleanly, and exits with 130", ["SIGTERM"]],
  ["twice, it ends at once with 130", ["SIGINT", "SIGTERM"]],
] as const;
it.each(signalled)("when signalled during a run %s", async (_, signals) => {
  const lake = path(signals.join());
  emulator.faults.clearJournal();
  emulator.faults.set([{ operation: "listRatings", fault: { kind: "delay", ms: 60_000 } }]);
  const first = await schedule(lake);
  await until(() => emulator.faults.journal().some(({ operation }) => operation === "listRatings"));
  expect(await first.state()).toMatchObject({ state: "running" });
  expect((await first.stop(...signals)).code).toBe(130);
  emulator.faults.set([]);
  const [run] = await readRuns(lake, emulator.projectId);
  if (signals.length === 1)
    expect(run).toMatchObject({ exit_code: 130, error: "Interrupted; nothing was published." });
});
