import type { Pipeline } from "../pipeline/index.js";

type Method = Pick<Pipeline, "conventions" | "tolerances" | "accept" | "score_shapes" | "record_shapes">;

/** The keys of a pipeline file that matter offline. Variables that other keys name need not be set. */
export async function methodOf(file: string | undefined): Promise<Method> {
  if (file === undefined) return {};
  const { readPipeline } = await import("../pipeline/index.js");
  return readPipeline(file, process.env, {
    only: ["conventions", "tolerances", "accept", "score_shapes", "record_shapes"],
  });
}
