/** `recount status`: lists the last runs of each project. */
import type { CommandModule, InferredOptionTypes } from "yargs";
import { exitCodes, settings, systemClock } from "../platform/index.js";
import { conclude, print, warn } from "./console.js";
import { flagFor, jsonOption, projectsOptions } from "./flags.js";

const options = {
  ...projectsOptions,
  "max-age": flagFor("max-age", settings.max_age),
  rows: flagFor("rows", settings.runs),
  ...jsonOption,
} as const;

export const command: CommandModule<object, InferredOptionTypes<typeof options>> = {
  command: "status",
  describe: "Show the last runs of each project of a lake, and failed or stale runs",
  builder: (yargs) =>
    yargs
      .options(options)
      .example(
        "recount status --lake lake --max-age 26",
        "Exit code 2 if a nightly run failed or did not happen",
      ),
  handler: async ({
    lake,
    project = process.env.RECOUNT_PROJECT_ID,
    "max-age": hours,
    rows,
    json,
  }) => {
    const { nothingIn, projectsWithRuns, readRuns, runsBefore } = await import("../lake/index.js");
    const { projectStatus, statusText } = await import("../report/index.js");
    const recorded = await projectsWithRuns(lake);
    const projects = recorded.filter((one) => project === undefined || one === project);
    if (projects.length === 0)
      throw await nothingIn(
        lake,
        `no run${project === undefined ? "" : ` of ${project}`} is recorded in this lake`,
        "Use `recount run`, or pass --lake.",
      );
    const now = systemClock.now();
    const maxAgeMs = hours === undefined ? undefined : hours * 3_600_000;
    const all = await Promise.all(
      projects.map(async (one) => {
        const runs = runsBefore(await readRuns(lake, one), now, (message) =>
          warn(`${one}: ${message}`),
        );
        return projectStatus(one, runs, now, maxAgeMs);
      }),
    );
    const shown = all.map((status) => ({ ...status, runs: status.runs.slice(-rows) }));
    print(json ? JSON.stringify(shown, null, 2) : statusText(shown, rows));
    const problems = all.flatMap(({ project: id, problem }) =>
      problem === null ? [] : [`${id}: ${problem}.`],
    );
    conclude(
      problems.length === 0 ? exitCodes.ok : exitCodes.inconclusive,
      problems.join(" ") || "All is well.",
    );
  },
};
