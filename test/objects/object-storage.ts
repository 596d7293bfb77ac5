import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer, request, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { arch, homedir, platform } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { leaseTimes } from "../../src/lake/object-store/index.js";
import { until } from "../support/until.js";

const run = promisify(execFile);
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "recount-objects");
const python = join(cache, "bin", "python");
const packages = ["moto[server,s3]==5.2.5", "duckdb-extension-httpfs==1.5.5"];

/** Written when the packages are installed, in these versions. */
const installed = join(cache, packages.join(" "));

/** What becomes of a request: it passes, the connection breaks, or the store answers with this status and code. */
export type Fate = "pass" | "reset" | readonly [status: number, code: string];

/** A request to the store, as faults and tests see it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** An S3 server of moto, reached through a proxy that can make requests fail. */
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
  const { stdout } = await run(python, ["-c", "import duckdb_extension_httpfs as e; print(e.__path__[0])"]);
  const system = `${platform() === "darwin" ? "osx" : "linux"}_${arch() === "arm64" ? "arm64" : "amd64"}`;
  const folder = join(home, ".duckdb/extensions/v1.5.5", system);
  mkdirSync(folder, { recursive: true });
  const name = "httpfs.duckdb_extension";
  copyFileSync(join(stdout.trim(), "extensions/v1.5.5", name), join(folder, name));
}

/** Starts a store with an empty bucket `lakes`, which the environment of this process names until it is closed. @throws an error that says what is missing on this machine */
export async function startObjectStorage(home: string): Promise<ObjectStorage> {
  try {
    if (!existsSync(installed)) {
      await run("python3", ["-m", "venv", cache]);
      await run(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...packages]);
      writeFileSync(installed, "");
    }
    await installExtension(home);
  } catch (error) {
    const lines = String((error as { stderr?: string }).stderr ?? error).trim();
    throw new Error(
      `Python 3 with venv, or ${packages.join(" or ")} from PyPI, is missing: ${lines.split("\n").at(-1)}`,
      { cause: error },
    );
  }
  const port = await freePort();
  const server = spawn(join(cache, "bin", "moto_server"), ["-H", "127.0.0.1", "-p", String(port)], { stdio: "ignore" });
  let decide: (seen: Seen) => Fate | Promise<Fate> = () => "pass";
  const seen: Seen[] = [];
  const proxy = createServer((incoming, answer) => {
    void (async () => {
      const body = await bodyOf(incoming);
      const one = {
        method: incoming.method ?? "",
        path: decodeURIComponent((incoming.url ?? "").split("?")[0] ?? ""),
        body: body.toString(),
      };
      seen.push(one);
      const fate = await decide(one);
      if (fate === "reset") return void incoming.socket.destroy();
      if (fate !== "pass") return void answer.writeHead(fate[0]).end(`<Error><Code>${fate[1]}</Code></Error>`);
      const { method, url: path, headers } = incoming;
      const forwarded = request({ host: "127.0.0.1", port, method, path, headers }, (reply) => {
        answer.writeHead(reply.statusCode ?? 500, reply.headers);
        reply.pipe(answer);
      });
      forwarded.on("error", () => incoming.socket.destroy());
      forwarded.end(body);
    })();
  });
  const own = await listening(proxy);
  const url = `http://127.0.0.1:${own}`;
  await until(() =>
    fetch(`http://127.0.0.1:${port}/lakes`, { method: "PUT" }).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  const before = { ...process.env };
  const times = { ...leaseTimes };
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_S3: url,
    AWS_ACCESS_KEY_ID: "recount-test",
    AWS_SECRET_ACCESS_KEY: "not-a-secret-of-anyone",
    AWS_REGION: "us-east-1",
    AWS_EC2_METADATA_DISABLED: "true",
    HOME: home,
    XDG_CACHE_HOME: join(home, "cache"),
  });
  return {
    seen,
    decide(fate) {
      decide = fate;
    },
    async close() {
      for (const name of Object.keys(process.env)) if (!(name in before)) Reflect.deleteProperty(process.env, name);
      Object.assign(process.env, before);
      Object.assign(leaseTimes, times);
      proxy.closeAllConnections();
      proxy.close();
      server.kill();
      await once(server, "exit");
    },
  };
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
}
