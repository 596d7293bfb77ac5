import type { Cluster } from "../warehouse/index.js";
import { hide } from "../platform/index.js";
import { interruptSignal } from "./interrupt.js";

/** The flag of commands that compute. */
export const engineOption = {
  engine: {
    choices: ["duckdb", "spark"] as const,
    describe:
      "Where the models run; spark needs a pipeline file with engine.spark.connect, or its address in SPARK_REMOTE [default: as the pipeline file says, otherwise duckdb]",
  },
} as const;

export interface EngineArguments {
  engine: (typeof engineOption.engine.choices)[number] | undefined;
  pipeline: string | undefined;
}

/** Does `work`, which closes its warehouse, with the cluster that the flags name, or none. SIGINT and SIGTERM stop what runs there. */
export async function onEngine<T>(
  { engine, pipeline }: EngineArguments,
  project: string,
  work: (cluster: Cluster | null) => Promise<T>,
): Promise<T> {
  const { readEngine } = await import("../pipeline/index.js");
  const address = await readEngine(engine, pipeline, project, process.env);
  if (address === null) return work(null);
  const { withCluster } = await import("../warehouse/index.js");
  if (address.token !== null) hide(address.token);
  const { showProgress } = await import("./progress.js");
  const { log, onTasks, stop } = showProgress();
  const { signal, dispose } = interruptSignal(log);
  try {
    return await withCluster(address, { signal, onTasks }, async (cluster) => {
      const result = await work(cluster);
      signal.throwIfAborted();
      return result;
    });
  } finally {
    stop();
    dispose();
  }
}
