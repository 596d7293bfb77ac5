/** Connections: proxies, certificates, interim answers. */
import { BlockList, isIP, type Socket } from "node:net";
import { buildConnector, EnvHttpProxyAgent, Pool, type Dispatcher } from "undici";
import { UsageError } from "../platform/index.js";
import type { TransferLimits } from "./limits.js";

/** The command line reads it from flags and environment. */
export interface Network {
  /** Hosts that need no proxy in the form of NO_PROXY. */
  readonly proxies?: { readonly http?: string; readonly https?: string; readonly none?: string };
  /** Certificates in PEM: authorities instead of the default ones, a client's own and its key. */
  readonly tls?: { readonly ca?: string[]; readonly cert?: string; readonly key?: string };
}

const headEnd = "\r\n\r\n";
const isContinue = (text: string) => /^HTTP\/1\.[01] 100[ \r]/.test(text);
const mayBeInterim = (text: string) =>
  /^HTTP\/1\.[01] 1\d\d[ \r]/.test(text + "HTTP/1.1 100 ".slice(text.length));

/** A client must understand a `100 Continue` (RFC 9110, 15.2); undici closes the connection. */
function skipContinue(socket: Socket, most: number): void {
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket) as (...all: unknown[]) => boolean;
  let left = 0;
  let held: Buffer | undefined;
  socket.write = (...all: unknown[]) => {
    left = most;
    return write(...all);
  };
  socket.read = (size?: number) => {
    const chunk = read(size) as Buffer | null;
    if (left === 0 || chunk === null) return chunk;
    held = held ? Buffer.concat([held, chunk]) : chunk;
    const passed: Buffer[] = [];
    for (; left > 0; left--) {
      const text = held.toString("latin1", 0, 1024);
      const end = text.indexOf(headEnd) + headEnd.length;
      if (!mayBeInterim(text) || (end < headEnd.length && held.length >= 1024)) break;
      // The rest of this head comes with the next bytes.
      if (end < headEnd.length) return passed.length > 0 ? Buffer.concat(passed) : null;
      if (!isContinue(text)) passed.push(held.subarray(0, end));
      held = held.subarray(end);
    }
    const rest = Buffer.concat([...passed, held]);
    left = 0;
    held = undefined;
    return rest.length > 0 ? rest : null;
  };
}

type Connect = ReturnType<typeof buildConnector>;

const skipping =
  (connect: Connect, most: number): Connect =>
  (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (socket) skipContinue(socket, most);
      if (error) callback(error, null);
      else callback(null, socket);
    });

/** undici knows names and addresses only, and no networks (10.0.0.0/8). */
function withoutProxy(none: string, { hostname }: URL): string {
  const host = hostname.replace(/^\[|\]$/g, "");
  const version = isIP(host);
  const networks = none.split(/[,\s]+/).filter((one) => one.includes("/"));
  const isIn = networks.some((one) => {
    const [address = "", prefix = ""] = one.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (
      isIP(address) === 0 ||
      !/^\d+$/.test(prefix) ||
      Number(prefix) > (family === "ipv6" ? 128 : 32)
    )
      throw new UsageError(
        `NO_PROXY: ${one} is not a network. Write an address and its bits, for example 10.0.0.0/8.`,
      );
    const list = new BlockList();
    list.addSubnet(address, Number(prefix), family);
    return version !== 0 && list.check(host, version === 6 ? "ipv6" : "ipv4");
  });
  return isIn ? `${none},${hostname}` : none;
}

export function createTransport(
  limits: TransferLimits,
  url: URL,
  { proxies = {}, tls = {} }: Network = {},
): Dispatcher {
  const { connectMs, headMs, stallMs, interim } = limits;
  const own = { timeout: connectMs, ...tls };
  const direct = buildConnector(own);
  return new EnvHttpProxyAgent({
    // An empty text keeps the agent from reading the environment, which belongs to the command
    // line.
    httpProxy: proxies.http ?? "",
    httpsProxy: proxies.https ?? "",
    noProxy: withoutProxy(proxies.none ?? "", url),
    proxyTunnel: false,
    requestTls: own,
    clientFactory: (proxy, options) => new Pool(proxy, { ...options, headersTimeout: connectMs }),
    proxyTls: { timeout: connectMs, ...(tls.ca ? { ca: tls.ca } : {}) },
    factory: (origin, { connect }: { connect?: unknown }) =>
      new Pool(origin, {
        connect: skipping(typeof connect === "function" ? (connect as Connect) : direct, interim),
        headersTimeout: headMs,
        bodyTimeout: stallMs,
      }),
  });
}
