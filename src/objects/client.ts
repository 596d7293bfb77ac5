import type * as Sdk from "@aws-sdk/client-s3";

type Environment = Readonly<Record<string, string | undefined>>;

/** The SDK with a client. */
export interface Connection {
  readonly sdk: typeof Sdk;
  readonly client: Sdk.S3Client;
}

/** The address of a store that is not Amazon's; undefined for that. */
export const endpointOf = (env: Environment) => env.AWS_ENDPOINT_URL_S3 ?? env.AWS_ENDPOINT_URL;

/** Attempts for one request: the pauses between them double, at random below 20 s. */
const maxAttempts = 6;

/** The clients of this process, by address. */
const opened = new Map<string | undefined, Promise<Connection>>();

/**
 * The client for the store of the environment, with the credentials, region and address that the SDK finds in the environment, the profile or
 * the machine. A store that is not Amazon's gets the bucket in the path. The SDK is loaded when it is used.
 */
export function connection(env: Environment = process.env): Promise<Connection> {
  const endpoint = endpointOf(env);
  const found = opened.get(endpoint) ?? connect(env);
  opened.set(endpoint, found);
  return found;
}

async function connect(env: Environment): Promise<Connection> {
  // The SDK would write to the console of a command.
  Object.assign(env, { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" });
  const sdk = await import("@aws-sdk/client-s3");
  const endpoint = endpointOf(env);
  const client = new sdk.S3Client({
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true, region: env.AWS_REGION ?? "us-east-1" }),
    maxAttempts,
    requestHandler: { connectionTimeout: 10_000, socketTimeout: 60_000 },
  });
  return { sdk, client };
}
