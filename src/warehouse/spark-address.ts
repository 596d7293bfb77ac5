import { UsageError } from "../platform/index.js";
import type { Warehouse } from "./engine.js";
import type { TableSource } from "./parquet.js";

/** A Spark Connect server: `sc://host:port/;use_ssl=true;token=…`, as PySpark writes it. */
export interface SparkAddress {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
  /** Sent as a bearer token; null: none. */
  readonly token: string | null;
  readonly user: string;
  /**
   * Headers of every request: the parameters that Spark does not define, which a provider asks for.
   */
  readonly headers: Readonly<Record<string, string>>;
}

const form = "Write it as sc://host:15002 or sc://host:443/;use_ssl=true;token=…";

/** The text may hold a token: an error does not quote it. */
const refuseAddress = (problem: string): never => {
  throw new UsageError(`The address of Spark Connect ${problem}. ${form}.`);
};

const decodedPart = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return refuseAddress("has a parameter that is not percent-encoded");
  }
};

/** @throws UsageError, which does not quote the address. */
export function sparkAddress(text: string): SparkAddress {
  const [, host = "", port = "15002", rest = ""] =
    /^sc:\/\/([^/:;\s]+|\[[^\]]+\])(?::(\d+))?(?:\/(.*))?$/.exec(text) ?? [];
  if (host === "" || Number(port) > 65535) refuseAddress("is not valid");
  const pairs = rest.split(";").filter((pair) => pair !== "");
  const parameters = new Map<string, string>();
  for (const pair of pairs) {
    const at = pair.indexOf("=");
    if (at < 1) refuseAddress("has a parameter without a value");
    parameters.set(pair.slice(0, at), decodedPart(pair.slice(at + 1)));
  }
  const take = (name: string): string | undefined => {
    const value = parameters.get(name);
    parameters.delete(name);
    return value;
  };
  const token = take("token") ?? null;
  const ssl = take("use_ssl") ?? String(token !== null);
  if (!/^(true|false)$/i.test(ssl)) refuseAddress("has a use_ssl that is neither true nor false");
  const isSecure = ssl.toLowerCase() === "true";
  if (token !== null && !isSecure)
    refuseAddress("has a token but no TLS, so that anybody on the way could read it");
  const user = take("user_id") ?? "recount";
  for (const name of ["session_id", "user_agent"]) take(name);
  return {
    host,
    port: Number(port),
    isSecure,
    token,
    user,
    headers: Object.fromEntries(parameters),
  };
}

/** How far the cluster is with one model. */
export interface ClusterProgress {
  readonly model: string;
  /** Tasks of the stages that Spark has begun. */
  readonly tasks: number;
  readonly done: number;
}

/** A cluster that has the long tables made. */
export interface Cluster {
  readonly address: SparkAddress;
  /** Stops what runs there. */
  readonly signal?: AbortSignal | undefined;
  /** Called about every two seconds while a model takes longer than that. */
  readonly onTasks?: ((progress: ClusterProgress) => void) | undefined;
  /**
   * Takes what a warehouse still does after it was closed: it ends its session, and then removes
   * its scratch.
   */
  readonly leaving?: Promise<void>[];
}

/** What a cluster makes long tables of. */
export interface ClusterTables {
  readonly cluster: Cluster;
  /** The lake's tables by name, as `openWarehouse` has them. */
  readonly sources: Readonly<Record<string, TableSource>>;
  /**
   * A new folder, or a place in object storage, that this process and the cluster reach. It is
   * removed in the end.
   */
  readonly scratch: string;
}

/** What has a cluster make tables: `src/spark/`. */
export interface ClusterEngine {
  /** Asks Spark Connect for its version. @throws SparkError */
  readonly clusterVersion: (address: SparkAddress) => Promise<string>;
  /** The warehouse, with its long tables made by the cluster. @throws SparkError */
  readonly overSpark: (warehouse: Warehouse, tables: ClusterTables) => Promise<Warehouse>;
}
