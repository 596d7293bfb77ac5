/** How a bucket is reached: address, region, credentials, certificates. */
import type * as Sdk from "@aws-sdk/client-s3";
import type { DuckDBConnection } from "@duckdb/node-api";
import { hide } from "../client/index.js";
import {
  codeOf,
  isObject,
  ExportError,
  messageOf,
  RecountError,
  UsageError,
  type Environment,
  duckdb,
  sqlText,
} from "../platform/index.js";

export interface ObjectConnection {
  readonly sdk: typeof Sdk;
  readonly client: Sdk.S3Client;
}

/** @throws UsageError for an address that is no plain one. */
function endpointOf(env: Environment): URL | undefined {
  const name = env.AWS_ENDPOINT_URL_S3 === undefined ? "AWS_ENDPOINT_URL" : "AWS_ENDPOINT_URL_S3";
  const text = env[name];
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.password || url?.username)
    throw new UsageError(
      `${name} contains credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead.`,
    );
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search || url.hash)
    throw new UsageError(`${name} is not an http or https address without ? and #.`);
  return url;
}

/** Attempts for one request: the pauses between them double, at random below 20 s. */
export const maxAttempts = 6;

const opened = new Map<string | undefined, Promise<ObjectConnection>>();

/** Credentials that expire are found again. */
async function hideCredentials(client: Sdk.S3Client): Promise<void> {
  const { secretAccessKey, sessionToken } = await client.config.credentials();
  hide(secretAccessKey);
  if (sessionToken !== undefined) hide(sessionToken);
}

/** A store that is not Amazon's gets the bucket in the path. The SDK is loaded when it is used. */
export async function connection(env: Environment = process.env): Promise<ObjectConnection> {
  const endpoint = endpointOf(env)?.href;
  const found = opened.get(endpoint) ?? connect(env);
  opened.set(endpoint, found);
  await hideCredentials((await found).client);
  return found;
}

async function connect(env: Environment): Promise<ObjectConnection> {
  // The SDK would write to the console of a command.
  Object.assign(env, { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" });
  const sdk = await import("@aws-sdk/client-s3");
  const endpoint = endpointOf(env)?.href;
  const client = new sdk.S3Client({
    ...(endpoint === undefined
      ? {}
      : { endpoint, forcePathStyle: true, region: env.AWS_REGION ?? "us-east-1" }),
    maxAttempts,
    requestHandler: { connectionTimeout: 10_000, socketTimeout: 60_000 },
  });
  return { sdk, client };
}

const storeMistakes: Readonly<Record<string, string>> = {
  AccessDenied:
    "these credentials may not do this. docs/how-to/scale.md lists the rights that Recount needs",
  Forbidden:
    "these credentials may not do this. docs/how-to/scale.md lists the rights that Recount needs",
  CredentialsProviderError:
    "no credentials were found. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE",
  ExpiredToken: "the credentials have expired",
  ExpiredTokenException: "the credentials have expired",
  InvalidAccessKeyId: "the store does not know the access key",
  NotImplemented:
    "the store cannot write under a condition (If-None-Match, If-Match), so it cannot lock " +
    "a lake. docs/how-to/scale.md names stores that can",
  NoSuchBucket: "there is no such bucket",
  PermanentRedirect: "the bucket is in another region. Set AWS_REGION",
  SignatureDoesNotMatch: "the secret key is wrong",
};

export function objectFailure(uri: string, error: unknown): Error {
  if (error instanceof RecountError) return error;
  const name = error instanceof Error ? error.name : "";
  const mistake = storeMistakes[name];
  if (mistake !== undefined) return new UsageError(`${uri}: ${mistake}.`, { cause: error });
  if (/region is missing/i.test(messageOf(error)))
    return new UsageError(`${uri}: no region is set. Set AWS_REGION.`, { cause: error });
  if (codeOf(error) === "ERR_MODULE_NOT_FOUND")
    return new UsageError(
      `${uri}: object storage needs the package @aws-sdk/client-s3. Run \`npm install ` +
        `@aws-sdk/client-s3\` beside Recount.`,
      { cause: error },
    );
  const [first = ""] = (messageOf(error) || codeOf(error) || name).split("\n");
  const why = first.replace(/\.$/, "") || name;
  return new ExportError(`${uri}: the object store failed: ${why}. Run the command again.`, {
    cause: error,
  });
}

export const statusOf = (error: unknown): number | undefined =>
  (error as { readonly $metadata?: { readonly httpStatusCode?: number } }).$metadata
    ?.httpStatusCode;

const firstLine = (error: unknown) => messageOf(error).split("\n")[0] ?? "";

/** @throws UsageError if the engine lacks its extension for that. */
export async function letEngineRead(
  engine: DuckDBConnection,
  files: readonly string[],
): Promise<void> {
  const buckets = new Set(files.filter(isObject).flatMap((file) => file.split("/")[2] ?? []));
  await engine
    .run("set autoinstall_known_extensions = false; load httpfs")
    .catch((error: unknown) => {
      const why = firstLine(error).replace(/^IO Error: |\.$/g, "");
      throw new UsageError(
        `A lake in object storage needs DuckDB's extension httpfs: ${why}. Run \`install ` +
          `httpfs\` in DuckDB ${duckdb().version().slice(1)} as this user, or see ` +
          "docs/how-to/scale.md.",
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
      throw new UsageError(
        `s3://${bucket}: the engine refused the credentials: ${firstLine(error)}`,
      );
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
      : {
          endpoint: own.host + own.pathname.replace(/\/$/, ""),
          use_ssl: String(own.protocol === "https:"),
        }),
  };
}
