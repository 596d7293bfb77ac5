import type { SparkAddress } from "../warehouse/index.js";
import { addressIn, chosenEngine, type engines } from "./engine.js";
import type { Environment } from "./environment.js";
import { pipelineOf } from "./projects.js";

/** Spark Connect for a project, as a flag, the environment and a pipeline file say. @throws UsageError. */
export async function readEngine(
  flag: (typeof engines)[number] | undefined,
  file: string | undefined,
  project: string,
  env: Environment,
): Promise<SparkAddress | null> {
  if (flag === "duckdb" || (flag === undefined && file === undefined)) return null;
  const { readPipeline } = await import("./read-pipeline.js");
  const stated =
    file === undefined ? undefined : pipelineOf(await readPipeline(file, env, { only: ["engine"] }), project);
  return addressIn({ engine: chosenEngine(flag, stated?.engine, env) });
}
