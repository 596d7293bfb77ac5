/** The address of a Spark Connect server, and what a cluster engine must offer. */
import { UsageError } from "../platform/index.js";
import type { Warehouse } from "./engine.js";
import type { TableSource } from "./parquet.js";

/** `sc://host:port/;use_ssl=true;token=…`, as PySpark writes it. */
export interface SparkAddress {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
  readonly token: string | null;
  readonly user: string;
  /** Headers of every request: the parameters that Spark does not define. */
  readonly headers: Readonly<Record<string, string>>;
}

const form = "Write it as sc://host:15002 or sc://host:443/;use_ssl=true;token=…";

/** The text may hold a token: no error quotes it. */
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

/** @throws UsageError, which does not quote the address */
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

export interface ClusterProgress {
  readonly model: string;
  readonly tasks: number;
  readonly done: number;
}

export interface Cluster {
  readonly address: SparkAddress;
  readonly signal?: AbortSignal | undefined;
  readonly onTasks?: ((progress: ClusterProgress) => void) | undefined;
  /** What closed warehouses still do: end a session, then remove its scratch. */
  readonly leaving?: Promise<void>[];
}

export interface ClusterTables {
  readonly cluster: Cluster;
  readonly sources: Readonly<Record<string, TableSource>>;
  readonly scratch: string;
}

/** Implemented by `src/spark/`. */
export interface ClusterEngine {
  /** @throws SparkError */
  readonly clusterVersion: (address: SparkAddress) => Promise<string>;
  /** @throws SparkError */
  readonly overSpark: (warehouse: Warehouse, tables: ClusterTables) => Promise<Warehouse>;
}
