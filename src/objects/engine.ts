import type { DuckDBConnection } from "@duckdb/node-api";
import { duckdb, messageOf, sqlText, UsageError } from "../platform/index.js";
import { connection, endpointOf, isObject, objectFailure } from "./connection.js";

const firstLine = (error: unknown) => messageOf(error).split("\n")[0] ?? "";

/**
 * Lets the engine open what is in object storage, with the credentials of this process, which stay in its memory. Does
 * nothing if no file is there. @throws UsageError if the engine lacks its extension for that.
 */
export async function letEngineRead(engine: DuckDBConnection, files: readonly string[]): Promise<void> {
  const buckets = new Set(files.filter(isObject).flatMap((file) => file.split("/")[2] ?? []));
  if (buckets.size === 0) return;
  await engine.run("set autoinstall_known_extensions = false; load httpfs").catch((error: unknown) => {
    const why = firstLine(error).replace(/^IO Error: |\.$/g, "");
    throw new UsageError(
      `A lake in object storage needs DuckDB's extension httpfs: ${why}. Run \`install httpfs\` in DuckDB ${duckdb().version().slice(1)} as this user, or see docs/how-to/scale.md.`,
      { cause: error },
    );
  });
  // The extension has taken these from the environment, where a query could read them.
  await engine.run("set s3_secret_access_key = ''; set s3_session_token = ''");
  for (const bucket of buckets) await addSecret(engine, bucket);
}

async function addSecret(engine: DuckDBConnection, bucket: string): Promise<void> {
  const fields = await fieldsFor(bucket).catch((error: unknown) => {
    throw objectFailure(`s3://${bucket}`, error);
  });
  const given = Object.entries(fields).map(([name, value]) => `${name} ${sqlText(value)}`);
  const name = `"recount ${bucket}"`;
  await engine
    .run(`create or replace temporary secret ${name} (type s3, ${given.join(", ")})`)
    .catch((error: unknown) => {
      // The statement has the credentials.
      throw new UsageError(`s3://${bucket}: the engine refused the credentials: ${firstLine(error)}`);
    });
}

async function fieldsFor(bucket: string): Promise<Record<string, string>> {
  const { client } = await connection();
  const { accessKeyId, secretAccessKey, sessionToken } = await client.config.credentials();
  const own = endpointOf(process.env);
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
