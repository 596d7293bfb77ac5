import type { DuckDBConnection } from "@duckdb/node-api";
import { messageOf, UsageError } from "../platform/index.js";
import { isObject } from "./address.js";
import { connection, endpointOf } from "./client.js";
import { objectFailure } from "./failures.js";

const literal = (value: string) => `'${value.replaceAll("'", "''")}'`;

/**
 * Lets the engine open what is in object storage, with the credentials of this process, which stay in its memory. Does
 * nothing if no file is there. @throws UsageError if the engine lacks its extension for that.
 */
export async function letEngineRead(engine: DuckDBConnection, files: readonly string[]): Promise<void> {
  const buckets = new Set(files.filter(isObject).flatMap((file) => file.split("/")[2] ?? []));
  if (buckets.size === 0) return;
  await engine.run("set autoinstall_known_extensions = false; load httpfs").catch((error: unknown) => {
    throw new UsageError(
      "DuckDB's extension httpfs is not installed, and a lake in object storage needs it: docs/scale.md says how to install it.",
      { cause: error },
    );
  });
  for (const bucket of buckets) await addSecret(engine, bucket);
}

async function addSecret(engine: DuckDBConnection, bucket: string): Promise<void> {
  const fields = await fieldsFor(bucket).catch((error: unknown) => {
    throw objectFailure(`s3://${bucket}`, error);
  });
  const given = Object.entries(fields).map(([name, value]) => `${name} ${literal(value)}`);
  const name = `"recount ${bucket}"`;
  await engine
    .run(`create or replace temporary secret ${name} (type s3, ${given.join(", ")})`)
    .catch((error: unknown) => {
      // The statement has the credentials.
      throw new UsageError(
        `s3://${bucket}: the engine refused the credentials: ${messageOf(error).split("\n")[0] ?? ""}`,
      );
    });
}

async function fieldsFor(bucket: string): Promise<Record<string, string>> {
  const { client } = await connection();
  const { accessKeyId, secretAccessKey, sessionToken } = await client.config.credentials();
  const endpoint = endpointOf(process.env);
  const own = endpoint === undefined ? undefined : new URL(endpoint);
  return {
    key_id: accessKeyId,
    secret: secretAccessKey,
    ...(sessionToken === undefined ? {} : { session_token: sessionToken }),
    region: await client.config.region(),
    scope: `s3://${bucket}`,
    // A name with dots matches no certificate.
    url_style: own !== undefined || bucket.includes(".") ? "path" : "vhost",
    ...(own === undefined
      ? {}
      : { endpoint: own.host + own.pathname.replace(/\/$/, ""), use_ssl: String(own.protocol === "https:") }),
  };
}
