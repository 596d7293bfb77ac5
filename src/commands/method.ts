import type { Pipeline } from "../pipeline/index.js";

type Method = Pick<Pipeline, "conventions" | "tolerances" | "score_shapes" | "record_shapes">;

/** What a pipeline file says about computing and comparing. The rest of it, such as the service's address, does not matter offline. */
export async function methodOf(file: string | undefined): Promise<Method> {
  if (file === undefined) return {};
  const { readPipeline } = await import("../pipeline/index.js");
  return readPipeline(file, process.env, { only: ["conventions", "tolerances", "score_shapes", "record_shapes"] });
}
