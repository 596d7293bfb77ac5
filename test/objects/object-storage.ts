import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync } from "node:fs";
import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
} from "node:http";
import type { AddressInfo } from "node:net";
import { arch, platform } from "node:os";
import { join } from "node:path";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import pLimit from "p-limit";
import { afterAll, afterEach, beforeAll } from "vitest";
import { startEmulator, type RunningEmulator } from "../../src/emulator/index.js";
import { verifyProject } from "../../src/lake/index.js";
import { leaseTimes } from "../../src/objects/lease.js";
import { createObjects } from "../../src/objects/objects.js";
import { randomHex, objectAddress } from "../../src/platform/index.js";
import { folderOfTests } from "../support/folder.js";
import { goldenDir } from "../support/golden-case.js";
import { environment, installPython, run } from "../support/python.js";
import { until } from "../support/until.js";

const cache = environment("recount-objects");
const python = join(cache, "bin", "python");
const packages = ["moto[server,s3]==5.2.5", "duckdb-extension-httpfs==1.5.5"];

const bucket = `recount-${randomHex(6)}`;

export const inBucket = (key: string) => `s3://${bucket}/${key}`;

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export async function findingsIn(lake: string, project: string) {
  const { problems, leftovers } = await verifyProject(lake, project);
  return { problems, leftovers };
}

export const objectsOf = (lake: string) =>
  createObjects(objectAddress(lake) ?? { bucket: "", prefix: "" });

/**
 * What becomes of a request: it passes, or passes with other headers, its answer is lost or cut in the middle,
 * the connection breaks before it, or the store answers with this status, code and message.
 */
export type Fate =
  | "pass"
  | "lose"
  | "cut"
  | "reset"
  | Pick<Seen, "headers">
  | readonly [status: number, code: string, message?: string];

export interface ObjectStorage {
  readonly seen: Seen[];
  /** Decides each request; what it returns later holds the request until then. */
  decide(fate: (seen: Seen) => Fate | Promise<Fate>): void;
  close(): Promise<void>;
}

async function listening(server: Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listening(server);
  server.close();
  await once(server, "close");
  return port;
}

/** Puts DuckDB's extension where the engine looks for it, below a home folder of its own. */
async function installExtension(home: string): Promise<void> {
  const { stdout } = await run(python, [
    "-c",
    "import duckdb_extension_httpfs as e; print(e.__path__[0])",
  ]);
  const system = `${platform() === "darwin" ? "osx" : "linux"}_${arch() === "arm64" ? "arm64" : "amd64"}`;
  const folder = join(home, ".duckdb/extensions/v1.5.5", system);
  mkdirSync(folder, { recursive: true });
  const name = "httpfs.duckdb_extension";
  copyFileSync(join(stdout.trim(), "extensions/v1.5.5", name), join(folder, name));
}

async function startMoto(): Promise<{ readonly address: URL; stop(): Promise<unknown> }> {
  const port = await freePort();
  const server = spawn(join(cache, "bin", "moto_server"), ["-H", "127.0.0.1", "-p", String(port)], {
    stdio: "ignore",
  });
  const address = new URL(`http://127.0.0.1:${port}`);
  await until(() =>
    fetch(address).then(
      () => true,
      () => false,
    ),
  );
  const stop = () => {
    const ended = once(server, "exit");
    server.kill();
    return ended;
  };
  return { address, stop };
}

/** The store of the environment, with the credentials there, which must let its user create buckets. */
const given = process.env.RECOUNT_OBJECTS_ENDPOINT;

/** Whether the store is moto, which checks neither signatures nor checksums. */
export const isMoto = given === undefined;

/**
 * Starts a store with an empty bucket, or uses the one at RECOUNT_OBJECTS_ENDPOINT. The environment of this process names it
 * until it is closed. @throws an error that says what is missing on this machine
 */
export async function startObjectStorage(home: string): Promise<ObjectStorage> {
  await installPython(cache, packages);
  await installExtension(home);
  const store =
    given === undefined
      ? await startMoto()
      : { address: new URL(given), stop: () => Promise.resolve() };
  const { hostname, port } = store.address;
  let decide: (seen: Seen) => Fate | Promise<Fate> = () => "pass";
  const seen: Seen[] = [];
  // moto looks and writes in two steps: conditional writes reach it one by one.
  const inTurn = pLimit(isMoto ? 1 : Infinity);
  const proxy = createServer((incoming, answer) => {
    void (async () => {
      const { method = "", url = "", headers } = incoming;
      const { searchParams: query, pathname } = new URL(url, store.address);
      const one = {
        method,
        path: decodeURIComponent(pathname),
        query,
        headers,
        body: await bodyOf(incoming),
      };
      seen.push(one);
      const fate = await decide(one);
      if (fate === "reset") return void incoming.socket.destroy();
      if (fate instanceof Array) {
        const [status, code, message = ""] = fate;
        return void answer
          .writeHead(status)
          .end(`<Error><Code>${code}</Code><Message>${message}</Message></Error>`);
      }
      const sent = typeof fate === "string" ? headers : fate.headers;
      const forwarded = request({ hostname, port, method, path: url, headers: sent }, (reply) => {
        if (fate === "lose") return void incoming.socket.destroy();
        answer.writeHead(reply.statusCode ?? 500, reply.headers);
        if (fate !== "cut") return void reply.pipe(answer);
        void bodyOf(reply).then((body) =>
          answer.write(body.subarray(0, body.length / 2), () => incoming.socket.destroy()),
        );
      });
      forwarded.on("error", () => incoming.socket.destroy());
      const isConditional =
        headers["if-match"] !== undefined || headers["if-none-match"] !== undefined;
      const send = () => once(forwarded.end(one.body), "close").catch(() => undefined);
      await (isConditional ? inTurn(send) : send());
    })();
  });
  const before = { ...process.env };
  const times = { ...leaseTimes };
  Object.assign(process.env, {
    ...(isMoto
      ? { AWS_ACCESS_KEY_ID: "recount-test", AWS_SECRET_ACCESS_KEY: "not-a-secret-of-anyone" }
      : {}),
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${await listening(proxy)}`,
    AWS_REGION: process.env.AWS_REGION ?? "us-east-1",
    AWS_EC2_METADATA_DISABLED: "true",
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
    HOME: home,
    XDG_CACHE_HOME: join(home, "cache"),
  });
  const client = new S3Client({ forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: bucket })).catch((error: unknown) => {
    if ((error as Error).name !== "BucketAlreadyOwnedByYou") throw error;
  });
  client.destroy();
  return {
    seen,
    decide(fate) {
      decide = fate;
    },
    async close() {
      for (const name of Object.keys(process.env))
        if (!(name in before)) Reflect.deleteProperty(process.env, name);
      Object.assign(process.env, before);
      Object.assign(leaseTimes, times);
      proxy.closeAllConnections();
      proxy.close();
      await store.stop();
    },
  };
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
}

interface Shared {
  readonly home: string;
  readonly storage: ObjectStorage;
  readonly service: RunningEmulator;
}

/**
 * Starts a store and a service with golden cases before the tests of a block, and ends both after them. After each test
 * requests to the store pass, and the service has no faults.
 * @param times of leases in this process, in milliseconds
 */
export function objectStorageOfTests(
  cases: readonly string[] = ["tiny-pairwise"],
  times: Partial<typeof leaseTimes> = {},
): Shared {
  const home = folderOfTests("recount-objects");
  let storage: ObjectStorage;
  let service: RunningEmulator;
  beforeAll(async () => {
    storage = await startObjectStorage(home);
    Object.assign(leaseTimes, times);
    service = await startEmulator({ load: cases.map((name) => join(goldenDir, `${name}.json`)) });
  });
  afterEach(() => {
    storage.decide(() => "pass");
    service.faults.set([]);
    service.faults.clearJournal();
  });
  afterAll(async () => {
    await service.close();
    await storage.close();
  });
  return {
    home,
    get storage() {
      return storage;
    },
    get service() {
      return service;
    },
  };
}
