import { UsageError } from "../platform/index.js";
import { sparkAddress, type SparkAddress } from "../warehouse/index.js";
import type { Environment } from "./environment.js";
import type { Pipeline, ProjectPipeline } from "./schema.js";

/** Engines that the flag names. */
export const engines = ["duckdb", "spark"] as const;

/** The engine that a flag chooses, or what the pipeline says. @throws UsageError if nothing says where Spark is. */
export function chosenEngine(
  flag: (typeof engines)[number] | undefined,
  stated: Pipeline["engine"],
  { SPARK_REMOTE: remote }: Environment,
): Pipeline["engine"] {
  if (flag !== "spark") return flag ?? stated;
  if (typeof stated === "object") return stated;
  if (remote) return { spark: { connect: remote } };
  throw new UsageError(
    "--engine spark needs an address: set SPARK_REMOTE=sc://host:15002, or engine.spark.connect in the pipeline file.",
  );
}

/** Spark Connect of a pipeline; null if DuckDB runs all models. @throws UsageError. */
export const addressIn = ({
  engine,
}: {
  readonly engine?: ProjectPipeline["engine"] | undefined;
}): SparkAddress | null => (typeof engine === "object" ? sparkAddress(engine.spark.connect) : null);
