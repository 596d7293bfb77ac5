import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { resolve } from "node:path";
import grpc from "@grpc/grpc-js";
import loader from "@grpc/proto-loader";
import { Table, tableToIPC, vectorFromArray, Float64, Int32, Int8 } from "apache-arrow";

type Fields = Record<string, unknown>;
export type Call = grpc.ServerWritableStream<Fields, Fields>;
type Handler = (call: Call) => void | Promise<void>;

export interface FakeSpark {
  readonly port: number;
  readonly asked: {
    readonly method: string;
    readonly request: Fields;
    readonly headers: grpc.Metadata;
  }[];
  /** What the next ExecutePlan or ReattachExecute does; the last one stays. */
  readonly handlers: Handler[];
  close(): void;
}

const proto = resolve(import.meta.dirname, "../../data/spark/connect.proto");

export async function fakeSpark(
  credentials = grpc.ServerCredentials.createInsecure(),
): Promise<FakeSpark> {
  const loaded = loader.loadSync(proto, { keepCase: true, enums: String, oneofs: true });
  const { spark } = grpc.loadPackageDefinition(loaded) as unknown as {
    spark: { connect: { SparkConnectService: grpc.ServiceClientConstructor } };
  };
  const asked: FakeSpark["asked"] = [];
  const handlers: Handler[] = [];
  const server = new grpc.Server();
  const stream = (method: string) => (call: Call) => {
    asked.push({ method, request: call.request, headers: call.metadata });
    const handler = handlers.length > 1 ? handlers.shift() : handlers[0];
    void handler?.(call);
  };
  const unary =
    (method: string) =>
    (call: grpc.ServerUnaryCall<Fields, Fields>, done: grpc.sendUnaryData<Fields>) => {
      asked.push({ method, request: call.request, headers: call.metadata });
      done(null, {});
    };
  server.addService(spark.connect.SparkConnectService.service, {
    ExecutePlan: stream("ExecutePlan"),
    ReattachExecute: stream("ReattachExecute"),
    ReleaseExecute: unary("ReleaseExecute"),
    Interrupt: unary("Interrupt"),
    ReleaseSession: unary("ReleaseSession"),
  });
  const port = await new Promise<number>((done, fail) =>
    server.bindAsync("127.0.0.1:0", credentials, (error, bound) =>
      error ? fail(error) : done(bound),
    ),
  );
  return { port, asked, handlers, close: () => server.forceShutdown() };
}

/** A response with its identifier: a batch of whole numbers, and of what is derived from them. */
export function batch(id: string, values: readonly number[]): Fields {
  const columns = {
    a: vectorFromArray(values, new Int32()),
    outcome: vectorFromArray(
      values.map((value) => Math.sign(value)),
      new Int8(),
    ),
    score: vectorFromArray(
      values.map((value) => value / 4),
      new Float64(),
    ),
  };
  const data = tableToIPC(new Table(columns), "stream");
  return { response_id: id, server_side_session_id: "one", arrow_batch: { data } };
}

export const complete = (id: string): Fields => ({
  response_id: id,
  server_side_session_id: "one",
  result_complete: {},
});

/** An error as gRPC transports it. */
export const failure = (code: grpc.status, details: string) =>
  Object.assign(new Error(details), { code, details });

export async function breakableWay(
  port: number,
): Promise<{ port: number; breakNow(): void; close(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((from) => {
    const to = connect(port, "127.0.0.1");
    for (const socket of [from, to]) sockets.add(socket.on("error", () => undefined));
    from.pipe(to).pipe(from);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const breakNow = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    port: (server.address() as AddressInfo).port,
    breakNow,
    close() {
      breakNow();
      server.close();
    },
  };
}
