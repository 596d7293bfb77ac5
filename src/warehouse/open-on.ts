import { codeOf, InterruptedError, UsageError } from "../platform/index.js";
import { fromPack } from "../packs.js";
import { openWarehouse, type WarehouseOptions } from "./duckdb/index.js";
import type { Warehouse } from "./engine.js";
import type { Cluster, SparkAddress } from "./spark-address.js";

interface ClusterOptions extends WarehouseOptions {
  /** The cluster that makes the long tables; null or undefined: DuckDB makes all of them. */
  readonly cluster?: Cluster | null | undefined;
  /**
   * A folder that does not exist yet, or a place in object storage, which this process and the
   * cluster reach.
   */
  readonly scratch: string;
}

/** The client of Spark. @throws UsageError without the packages that it needs */
const spark = () =>
  fromPack("cluster")().catch((error: unknown) => {
    throw codeOf(error) === "ERR_MODULE_NOT_FOUND"
      ? new UsageError(
          "--engine spark needs two more packages: run `npm install @grpc/grpc-js " +
            "@grpc/proto-loader` beside Recount.",
          { cause: error },
        )
      : error;
  });

/** Asks Spark Connect for its version. @throws SparkError, UsageError */
export async function sparkVersion(address: SparkAddress): Promise<string> {
  return (await spark()).clusterVersion(address);
}

/**
 * Opens the tables of a snapshot on DuckDB alone, or together with a cluster.
 * @throws SparkError, UsageError
 */
export async function openOn({ cluster, scratch, ...options }: ClusterOptions): Promise<Warehouse> {
  if (!cluster) return openWarehouse(options);
  const { overSpark } = await spark();
  const warehouse = await openWarehouse({ lake: scratch, ...options });
  try {
    return await overSpark(warehouse, { cluster, sources: options.sources, scratch });
  } catch (error) {
    warehouse.close();
    throw error;
  }
}

/**
 * Does `work` with a cluster, or with none, and waits until the warehouses that it has closed have
 * left the cluster.
 * @throws InterruptedError for what fails after the signal
 */
export async function withCluster<T>(
  address: SparkAddress | null,
  { signal, onTasks }: Pick<Cluster, "signal" | "onTasks">,
  work: (cluster: Cluster | null) => Promise<T>,
): Promise<T> {
  if (address === null) return work(null);
  const leaving: Promise<void>[] = [];
  try {
    return await work({ address, signal, onTasks, leaving });
  } catch (error) {
    throw signal?.aborted
      ? new InterruptedError("Interrupted; the cluster was asked to stop.", { cause: error })
      : error;
  } finally {
    await Promise.all(leaving);
  }
}
