import type { Environment } from "./environment.js";
import { methodIn, methodKeys, type Method } from "./method.js";

/** The method of a pipeline file for a project; the default without a file. Variables that other keys name need not be set. */
export async function readMethod(file: string | undefined, project: string, env: Environment): Promise<Method> {
  if (file === undefined) return methodIn({});
  const { readPipeline } = await import("./read-pipeline.js");
  const { pipelineOf } = await import("./projects.js");
  return methodIn(pipelineOf(await readPipeline(file, env, { only: methodKeys }), project));
}
