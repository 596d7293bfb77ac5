import type { ProjectPipeline } from "../pipeline/index.js";

type Method = Pick<ProjectPipeline, "conventions" | "tolerances" | "accept" | "score_shapes" | "record_shapes">;

/** The keys of a pipeline file that matter offline, for a project. Variables that other keys name need not be set. */
export async function methodOf(file: string | undefined, project: string): Promise<Method> {
  if (file === undefined) return {};
  const { pipelineOf, readPipeline } = await import("../pipeline/index.js");
  const pipeline = await readPipeline(file, process.env, {
    only: ["conventions", "tolerances", "accept", "score_shapes", "record_shapes"],
  });
  return pipelineOf(pipeline, project);
}
