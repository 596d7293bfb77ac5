import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import {
  startEmulator,
  type EmulatorOptions,
  type RunningEmulator,
} from "../../src/emulator/index.js";
import type { Outcome } from "./command-line.js";
import { goldenPaths } from "./golden-case.js";
import { recountHere } from "./in-process.js";

/** A small project on a service, and a folder for what the tests of a file write. */
export interface TestProject {
  readonly service: RunningEmulator;
  readonly folder: string;
  /** Address, project and key, as variables and as flags. */
  readonly env: Readonly<Record<string, string>>;
  readonly flags: readonly string[];
  readonly path: (name: string) => string;
  /** Runs the command line in this process, with the service's address, project and key in the environment. */
  readonly recount: (args: readonly string[], more?: Record<string, string>) => Promise<Outcome>;
}

/** The tables that an audit of the small project reads. */
export const auditedTables = [
  "experiments",
  "sessions",
  "slates",
  "slate_ratings",
  "ratings",
  "results",
] as const;

/** Starts a service with a small golden case, or with what `options` say. Service and folder end with the file. */
export async function testProject(
  options: EmulatorOptions = { load: goldenPaths("tiny-pairwise") },
): Promise<TestProject> {
  const service = await startEmulator(options);
  const folder = mkdtempSync(join(tmpdir(), "recount-project-"));
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });
  const { url, projectId, apiKey } = service;
  const env = { RECOUNT_BASE_URL: url, RECOUNT_PROJECT_ID: projectId, RECOUNT_API_KEY: apiKey };
  return {
    service,
    folder,
    env,
    flags: ["--base-url", url, "--project", projectId],
    path: (name) => join(folder, name),
    recount: (args, more = {}) => recountHere(args, { ...env, ...more }),
  };
}
