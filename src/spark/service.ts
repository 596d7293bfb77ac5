/** Spark Connect as gRPC offers it. */
import grpc from "@grpc/grpc-js";
import { isIP } from "node:net";
import { checkServerIdentity } from "node:tls";
import loader from "@grpc/proto-loader";
import { packageFile } from "../platform/index.js";
import type { SparkAddress } from "../warehouse/index.js";

export type Relation =
  | { readonly sql: { readonly query: string } }
  | {
      readonly read: {
        readonly data_source: {
          readonly format: "parquet";
          readonly paths: readonly string[];
          readonly schema?: string;
          readonly options: Readonly<Record<string, string>>;
        };
      };
    };

/** What Spark is to do. Keys are those of data/spark/connect.proto. */
export type SparkPlan =
  | { readonly root: Relation }
  | { readonly command: { readonly sql_command: { readonly input: Relation } } }
  | {
      readonly command: {
        readonly create_dataframe_view: {
          readonly input: Relation;
          readonly name: string;
          readonly replace: true;
        };
      };
    };

export interface Response {
  readonly response_id: string;
  readonly server_side_session_id: string;
  readonly arrow_batch?: { readonly data: Uint8Array };
  readonly result_complete?: object;
  /** Of the stages that have begun; a number that is missing is 0. */
  readonly execution_progress?: {
    readonly stages?: readonly {
      readonly num_tasks?: number;
      readonly num_completed_tasks?: number;
    }[];
  };
}

type Request = Readonly<Record<string, unknown>>;
export type ResponseStream = AsyncIterable<Response> & { cancel(): void };
type Done = (error: Error | null) => void;

/** Spark's service as gRPC offers it. A stream is read as fast as its responses are taken. */
interface ConnectService {
  readonly ExecutePlan: (request: Request) => ResponseStream;
  readonly ReattachExecute: (request: Request) => ResponseStream;
  readonly ReleaseExecute: (request: Request, done: Done) => void;
  readonly Interrupt: (request: Request, done: Done) => void;
  readonly ReleaseSession: (
    request: Request,
    options: { readonly deadline: number },
    done: Done,
  ) => void;
  readonly close: () => void;
}

const protoFile = packageFile("data/spark/connect.proto");

const largestBytes = 256 * 2 ** 20;

/** An address is no name, and Node 26 refuses it. */
const nameOfAddress = "localhost";

/** The certificate must be that of the address, whatever the server is called. */
const identityOf = (address: string): grpc.VerifyOptions => ({
  checkServerIdentity: (_, certificate) => checkServerIdentity(address, certificate),
});

export function openService(
  { host, port, isSecure, token, headers }: SparkAddress,
  authorities?: string,
): ConnectService {
  const loaded = loader.loadSync(protoFile, {
    keepCase: true,
    enums: String,
    longs: Number,
    oneofs: true,
  });
  const { spark } = grpc.loadPackageDefinition(loaded) as unknown as {
    spark: { connect: { SparkConnectService: grpc.ServiceClientConstructor } };
  };
  const constants = { ...headers, ...(token === null ? {} : { authorization: `Bearer ${token}` }) };
  const address = host.replace(/^\[|\]$/g, "");
  const isAddress = isIP(address) !== 0;
  const options: grpc.ClientOptions = {
    ...(isAddress ? { "grpc.ssl_target_name_override": nameOfAddress } : {}),
    "grpc.max_receive_message_length": largestBytes,
    "grpc.max_send_message_length": largestBytes,
    // A connection that dies in silence is noticed. By default gRPC in Java closes one that asks
    // every 5 minutes or more often.
    "grpc.keepalive_time_ms": 360_000,
    // Not two minutes, after which nobody waits any more for a server that is coming back.
    "grpc.max_reconnect_backoff_ms": 5_000,
    "grpc.keepalive_timeout_ms": 60_000,
    interceptors: [
      (call, next) =>
        new grpc.InterceptingCall(next(call), {
          start(metadata, listener, start) {
            for (const [name, value] of Object.entries(constants)) metadata.set(name, value);
            start(metadata, listener);
          },
        }),
    ],
  };
  const roots = authorities === undefined ? null : Buffer.from(authorities);
  const credentials = isSecure
    ? grpc.credentials.createSsl(roots, null, null, isAddress ? identityOf(address) : {})
    : grpc.credentials.createInsecure();
  const client = new spark.connect.SparkConnectService(`${host}:${port}`, credentials, options);
  return Object.assign(client as unknown as ConnectService, { close: client.close.bind(client) });
}
