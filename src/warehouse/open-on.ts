/** Opens a snapshot on DuckDB alone, or together with a Spark cluster. */
import { locateScratch, type Snapshot } from "../lake/index.js";
import type { Conventions } from "../metrics/index.js";
import { codeOf, InterruptedError, UsageError } from "../platform/index.js";
import { fromPack } from "../packs.js";
import { openWarehouse, type WarehouseOptions } from "./duckdb/index.js";
import type { Warehouse } from "./engine.js";
import { modelsOnDemand, type Computation, type TakenTables } from "./recompute.js";
import type { Cluster, SparkAddress } from "./spark-address.js";

interface ClusterOptions extends WarehouseOptions {
  readonly cluster?: Cluster | null | undefined;
  /** A folder that does not exist yet, or a place in object storage, within reach of both. */
  readonly scratch: string;
}

/** @throws UsageError without the packages that it needs */
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

export async function sparkVersion(address: SparkAddress): Promise<string> {
  return (await spark()).clusterVersion(address);
}

/** @throws SparkError, UsageError */
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

interface ComputationOptions {
  readonly conventions: Conventions;
  readonly cluster?: Cluster | null | undefined;
  readonly taken?: TakenTables | undefined;
}

export async function openComputation(
  lake: string,
  { projectId, tables, bytes }: Pick<Snapshot, "projectId" | "tables" | "bytes">,
  { conventions, cluster, taken }: ComputationOptions,
): Promise<Computation> {
  const scratch = await locateScratch(lake, projectId);
  const warehouse = await openOn({ cluster, scratch, sources: tables, bytes });
  try {
    await warehouse.setConventions(conventions);
    return { warehouse, make: await modelsOnDemand(warehouse, conventions, taken) };
  } catch (error) {
    warehouse.close();
    throw error;
  }
}

/**
 * Waits until closed warehouses have left the cluster.
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
