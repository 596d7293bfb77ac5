import type * as Sdk from "@aws-sdk/client-s3";
import { hide, UsageError } from "../platform/index.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** The SDK with a client. */
export interface Connection {
  readonly sdk: typeof Sdk;
  readonly client: Sdk.S3Client;
}

/** The address of a store that is not Amazon's; undefined for that. @throws UsageError for one that is no plain address. */
export function endpointOf(env: Environment): URL | undefined {
  const name = env.AWS_ENDPOINT_URL_S3 === undefined ? "AWS_ENDPOINT_URL" : "AWS_ENDPOINT_URL_S3";
  const text = env[name];
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.password || url?.username)
    throw new UsageError(`${name} contains credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead.`);
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search || url.hash)
    throw new UsageError(`${name} is not an http or https address without ? and #.`);
  return url;
}

/** Attempts for one request: the pauses between them double, at random below 20 s. */
const maxAttempts = 6;

/** The clients of this process, by address. */
const opened = new Map<string | undefined, Promise<Connection>>();

/** Finds the credentials, and hides them in everything that is printed. Those that expire are found again. */
async function hideCredentials(client: Sdk.S3Client): Promise<void> {
  const { secretAccessKey, sessionToken } = await client.config.credentials();
  hide(secretAccessKey);
  if (sessionToken !== undefined) hide(sessionToken);
}

/**
 * The client for the store of the environment, with the credentials, region and address that the SDK finds in the environment, the profile or
 * the machine. A store that is not Amazon's gets the bucket in the path. The SDK is loaded when it is used.
 */
export async function connection(env: Environment = process.env): Promise<Connection> {
  const endpoint = endpointOf(env)?.href;
  const found = opened.get(endpoint) ?? connect(env);
  opened.set(endpoint, found);
  await hideCredentials((await found).client);
  return found;
}

async function connect(env: Environment): Promise<Connection> {
  // The SDK would write to the console of a command.
  Object.assign(env, { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" });
  const sdk = await import("@aws-sdk/client-s3");
  const endpoint = endpointOf(env)?.href;
  const client = new sdk.S3Client({
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true, region: env.AWS_REGION ?? "us-east-1" }),
    maxAttempts,
    requestHandler: { connectionTimeout: 10_000, socketTimeout: 60_000 },
  });
  return { sdk, client };
}
