import { writeFileSync } from "node:fs";
import dns, { lookup } from "node:dns";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import {
  createClient,
  TransientFailure,
  type ClientOptions,
  type Network,
} from "../../src/client/index.js";
import { messageOf, UsageError } from "../../src/platform/index.js";
import { recountHere } from "../support/in-process.js";
import { httpServer, socketServer } from "../support/raw-server.js";
import { loggingProxy, pem, pemFile, tlsServer } from "../support/tls-server.js";
import { testProject } from "../support/project.js";
import { isWhole } from "../support/whole.js";

const { service: emulator, folder } = await testProject();
const closing: (() => Promise<void>)[] = [];
const opened = async <T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> => {
  const server = await starting;
  closing.push(() => server.close());
  return server;
};

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const list = (url: string, args: readonly string[] = [], env: Record<string, string> = {}) =>
  recountHere(
    ["call", "listDatasets", "-p", `project_id=${emulator.projectId}`, "--base-url", url, ...args],
    {
      RECOUNT_API_KEY: emulator.apiKey,
      ...env,
    },
  );

async function once(url: string, network: Network = {}): Promise<string> {
  const client = createClient({
    baseUrl: url,
    network,
    credentials: { scheme: "api-key", key: "k" },
    retry: { totalMs: 0 },
  });
  closing.push(() => client.close());
  return client.call("listDatasets", { project_id: "P" }).then(() => "", messageOf);
}

const trusted = ["--ca-file", pemFile("authority")];

describe("a company's proxy", () => {
  it.runIf(isWhole)(
    "carries a whole export to an https service, with its password in no output",
    async () => {
      const service = await opened(tlsServer("service", { upstream: emulator.url }));
      const proxy = await opened(loggingProxy((given) => (given === undefined ? 407 : undefined)));
      const lake = join(folder, "lake");
      const { code, stdout, stderr } = await recountHere(
        [
          "export",
          "--base-url",
          service.url,
          "--project",
          emulator.projectId,
          "--lake",
          lake,
          "-v",
          ...trusted,
        ],
        {
          RECOUNT_API_KEY: emulator.apiKey,
          HTTPS_PROXY: `http://night:planted%2Fpass@127.0.0.1:${proxy.port}`,
        },
      );
      expect({ code, stderr }).toMatchObject({ code: 0 });
      const pair = Buffer.from("night:planted/pass").toString("base64");
      expect([...new Set(proxy.log)]).toEqual([
        `CONNECT 127.0.0.1:${service.port} as Basic ${pair}`,
      ]);
      expect(stdout + stderr).not.toMatch(/planted/);
    },
  );

  it("is asked for whole addresses where the service speaks http, and not for hosts in NO_PROXY", async () => {
    const proxy = await opened(loggingProxy());
    const through = { http_proxy: `http://127.0.0.1:${proxy.port}` };
    expect((await list(emulator.url, [], through)).code).toBe(0);
    expect(proxy.log).toEqual([`GET ${emulator.url}/projects/${emulator.projectId}/datasets/`]);
    for (const NO_PROXY of ["example.org,127.0.0.1", "example.org, 127.0.0.0/8"])
      expect((await list(emulator.url, [], { ...through, NO_PROXY })).code).toBe(0);
    expect(proxy.log).toHaveLength(1);
    expect((await list(emulator.url, [], { ...through, NO_PROXY: "10.0.0.0/8" })).code).toBe(0);
    expect(proxy.log).toHaveLength(2);
    expect(await list(emulator.url, [], { ...through, NO_PROXY: "10.0.0.0/99" })).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(
        /^recount: NO_PROXY: 10\.0\.0\.0\/99 is not a network\. [^\n]*\n$/,
      ) as string,
    });
  });

  it.each([
    ["https", 407, "asks for credentials (407)"],
    ["https", 403, "refuses the connection (403)"],
    ["http", 407, "asks for credentials (407)"],
  ])("that refuses %s (%d) ends the command at once, exit 4", async (scheme, status, says) => {
    const proxy = await opened(loggingProxy(() => status));
    const at = `http://127.0.0.1:${proxy.port}`;
    const { code, stderr } = await list(`${scheme}://127.0.0.1:9`, [], {
      HTTP_PROXY: at,
      HTTPS_PROXY: at,
    });
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining(says) as string });
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(proxy.log).toHaveLength(1);
  });

  it.each([
    "night:planted@proxy:3128",
    "http://night:planted@proxy/x",
    "http://night:planted@proxy/?a",
    "http://proxy/#planted",
  ])("with the mistyped address %s is named without its password", async (HTTPS_PROXY) => {
    const { code, stderr } = await list(emulator.url, [], { HTTPS_PROXY });
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr:
        "recount: HTTPS_PROXY is not the address of a proxy: write http://host:port or https://host:port.\n",
    });
  });

  it.each(["http://night:planted%@proxy", "http://ni%ght:planted@proxy"])(
    "with a bare % in its user or password is a mistake: %s",
    async (HTTP_PROXY) => {
      expect(await list(emulator.url, [], { HTTP_PROXY })).toEqual({
        code: 4,
        stdout: "",
        stderr:
          "recount: HTTP_PROXY: a % in its user or password does not begin an escape. Write %25 for the character itself.\n",
      });
    },
  );

  it("that never answers CONNECT is waited for as long as a connection, and not after an interrupt", async () => {
    let asked: () => void = () => undefined;
    const proxy = await opened(socketServer(() => asked()));
    const network = { proxies: { https: proxy.url } };
    const opening = (options: Partial<ClientOptions>) => {
      const client = createClient({
        ...{
          baseUrl: "https://127.0.0.1:9",
          network,
          credentials: { scheme: "api-key", key: "k" },
        },
        retry: { totalMs: 0 },
        ...options,
      });
      closing.push(() => client.close());
      return client;
    };
    await expect(
      opening({ limits: { connectMs: 150 } }).call("listDatasets", { project_id: "P" }),
    ).rejects.toThrow(/response timed out \(UND_ERR_HEADERS_TIMEOUT\)/);
    const interrupt = new AbortController();
    asked = () => interrupt.abort();
    const stopped = opening({ signal: interrupt.signal });
    await expect(stopped.call("listDatasets", { project_id: "P" })).rejects.toMatchObject({
      exitCode: 130,
    });
    await stopped.close();
  });
});

describe("a TLS service", () => {
  it("with its own authority and a demand for client certificates is read with both", async () => {
    const options = {
      upstream: emulator.url,
      requestCert: true,
      ca: pem("authority"),
    };
    const service = await opened(tlsServer("service", options));
    const client = ["--client-cert", pemFile("client"), "--client-key", pemFile("client.key")];
    expect(await list(service.url, [...trusted, ...client])).toMatchObject({ code: 0, stderr: "" });
    const bare = await once(service.url, { tls: { ca: [pem("authority")] } });
    expect(bare).toMatch(/pass --client-cert and --client-key\./);
  });

  it.each([
    ["of an unknown authority", "service", [], "Pass the authority's certificate as --ca-file."],
    [
      "for another name",
      "other-name",
      trusted,
      "is not valid for this name and time (ERR_TLS_CERT_ALTNAME_INVALID)",
    ],
    [
      "that has expired",
      "expired",
      trusted,
      "is not valid for this name and time (CERT_HAS_EXPIRED)",
    ],
  ])(
    "with a certificate %s ends the command at once, exit 4",
    async (_, certificate, args, says) => {
      const service = await opened(tlsServer(certificate));
      const { code, stderr } = await list(service.url, args);
      expect({ code, stderr }).toEqual({
        code: 4,
        stderr: expect.stringContaining(says) as string,
      });
      expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    },
  );

  it("addressed as http is a mistake where it says so, exit 4", async () => {
    const alert = Buffer.from([0x15, 3, 3, 0, 2, 2, 40]);
    const service = await opened(socketServer((socket) => socket.end(alert)));
    expect(await list(service.url)).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(
        /^[^\n]*it speaks TLS there. Write https:\/\/ in --base-url.\n$/,
      ) as string,
    });
    const silent = await opened(tlsServer("service"));
    expect(await once(silent.url.replace("https", "http"))).toMatch(
      /If it speaks TLS, write https:\/\//,
    );
  });

  it("needs PEM files that can be read, and both halves of a client certificate", async () => {
    const odd = join(folder, "odd.pem");
    writeFileSync(odd, "no certificate");
    const said = async (...args: string[]) => (await list("https://127.0.0.1:9", args)).stderr;
    expect(await said("--ca-file", odd)).toBe(
      `recount: ${odd} holds no PEM text (-----BEGIN …). Check --ca-file.\n`,
    );
    expect(await said("--ca-file", join(folder, "none"))).toMatch(
      /Cannot read .*none.*Check --ca-file\.\n$/,
    );
    expect(await said("--client-cert", odd)).toMatch(/--client-cert and --client-key go together/);
  });
});

describe("a host name", () => {
  const real = lookup;
  let isKnown = true;
  beforeAll(() => {
    const unknown = Object.assign(new Error("getaddrinfo ENOTFOUND localhost"), {
      code: "ENOTFOUND",
    });
    const answering = ((name: string, options: object, callback: (error: Error) => void) =>
      isKnown ? real(name, options, callback as never) : callback(unknown)) as never;
    vi.spyOn(dns, "lookup").mockImplementation(answering);
  });
  afterAll(() => vi.restoreAllMocks());

  it("that is unknown is a mistake; one that was known before is an outage, and is tried again", async () => {
    let answers = 0;
    const service = await opened(
      httpServer((response) => {
        answers++;
        response.setHeader("connection", "close").end("[]");
      }),
    );
    const url = service.url.replace("127.0.0.1", "localhost");
    const opening = () =>
      createClient({
        baseUrl: url,
        credentials: { scheme: "api-key", key: "k" },
        retry: { totalMs: 5, baseMs: 1 },
      });
    isKnown = false;
    const fresh = opening();
    await expect(fresh.call("listDatasets", { project_id: "P" })).rejects.toThrow(UsageError);
    isKnown = true;
    await expect(fresh.call("listDatasets", { project_id: "P" })).resolves.toEqual([]);
    isKnown = false;
    await expect(fresh.call("listDatasets", { project_id: "P" })).rejects.toThrow(TransientFailure);
    expect(answers).toBe(1);
    await fresh.close();
  });
});

describe("a key", () => {
  it("is sent without the newline that a file or an environment adds", async () => {
    const file = join(folder, "key");
    writeFileSync(file, `${emulator.apiKey}\r\n`);
    expect((await list(emulator.url, ["--key-file", file])).code).toBe(0);
    expect((await list(emulator.url, [], { RECOUNT_API_KEY: ` ${emulator.apiKey}\n` })).code).toBe(
      0,
    );
  });

  it("that holds a newline within is a mistake, and is not shown", async () => {
    const { code, stderr } = await list(emulator.url, [], { RECOUNT_API_KEY: "planted\nkey" });
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr:
        "recount: RECOUNT_API_KEY contains a character that no key may have, such as a newline.\n",
    });
  });
});
