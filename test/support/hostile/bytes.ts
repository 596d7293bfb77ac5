import type { Socket } from "node:net";

/** What a scenario does with a request: the bytes that it sends, or its own way with the socket. */
export type Reply = string | Buffer | ((exchange: Exchange) => void);

export interface Exchange {
  readonly socket: Socket;
  /** The number of this request among those for the scenario's path, from 1. */
  readonly nth: number;
}

const bytes = (text: string | Buffer) => (typeof text === "string" ? Buffer.from(text) : text);

/** A rating whose fields are JSON text; a field may be replaced, and text added before the final brace. */
export function rating(id: number, fields: Record<string, string | Buffer> = {}, more: string | Buffer = ""): Buffer {
  const all = {
    ...{ score: "1", rater_id: "1", slate_id: String(id), session_id: '"s"', job_id: '"j"', stimulus_id: "1" },
    ...{ stimulus: '"A/x"', dimension: '""', is_training: "false", meta: "{}", is_correct: "null" },
    ...fields,
  };
  const pairs = Object.entries(all).map(([name, value]) => Buffer.concat([bytes(`"${name}":`), bytes(value)]));
  return Buffer.concat([bytes("{"), join(pairs, ","), bytes(more), bytes("}")]);
}

function join(parts: readonly (string | Buffer)[], between: string): Buffer {
  return Buffer.concat(parts.flatMap((part, i) => (i === 0 ? [bytes(part)] : [bytes(between), bytes(part)])));
}

export const list = (...elements: (string | Buffer)[]): Buffer =>
  Buffer.concat([bytes("["), join(elements, ","), bytes("]")]);

/** The list of ratings that most scenarios send: three elements. */
export const three = list(rating(1), rating(2), rating(3));
export const threeText = three.toString();
export const row = (id: number): string => rating(id).toString();

export const head = (status: number | string, ...headers: string[]): string =>
  [`HTTP/1.1 ${status}`, "content-type: application/json", ...headers, "", ""].join("\r\n");

/** A response with a length and any further headers. */
export function answer(body: string | Buffer = three, ...headers: string[]): Buffer {
  return status(200, body, ...headers);
}

export function status(code: number | string, body: string | Buffer = three, ...headers: string[]): Buffer {
  const sent = bytes(body);
  return Buffer.concat([bytes(head(code, `content-length: ${sent.length}`, ...headers)), sent]);
}

/** Three ratings of which the second is odd. */
export const odd = (element: string | Buffer): Buffer => answer(list(rating(1), element, rating(3)));
/** Three ratings, the second with an odd field. */
export const field = (name: string, value: string | Buffer): Buffer => odd(rating(2, { [name]: value }));

export const chunk = (data: string | Buffer, size = bytes(data).length.toString(16)): Buffer =>
  Buffer.concat([bytes(`${size}\r\n`), bytes(data), bytes("\r\n")]);

export const chunked = (...parts: (string | Buffer)[]): Buffer =>
  Buffer.concat([bytes(head(200, "transfer-encoding: chunked")), ...parts.map(bytes)]);

/** A body that ends with its connection. */
export const untilClose =
  (body: string | Buffer, version = "HTTP/1.1"): Reply =>
  ({ socket }) => {
    socket.write(head(200, "connection: close").replace("HTTP/1.1", version));
    socket.end(body);
  };

export const ended =
  (sent: string | Buffer): Reply =>
  ({ socket }) =>
    socket.end(sent);

export const reset =
  (sent: string | Buffer): Reply =>
  ({ socket }) =>
    void socket.write(sent, () => socket.resetAndDestroy());

/** One reply after the other; the last is repeated. */
export const inTurn =
  (...replies: Reply[]): Reply =>
  (exchange) =>
    send(replies[Math.min(exchange.nth, replies.length) - 1] ?? "", exchange);

export function send(reply: Reply, exchange: Exchange): void {
  if (typeof reply === "function") reply(exchange);
  else exchange.socket.write(reply);
}

/** Each byte in a write of its own. */
export const byByte =
  (sent: Buffer): Reply =>
  ({ socket }) => {
    socket.setNoDelay(true);
    const next = (at: number): void => {
      if (at < sent.length) socket.write(sent.subarray(at, at + 1), () => setImmediate(() => next(at + 1)));
    };
    next(0);
  };

/** The same again and again, as fast as it is read. */
export const forever =
  (first: string | Buffer, piece: string | Buffer): Reply =>
  ({ socket }) => {
    let isOpen = true;
    socket.on("close", () => (isOpen = false));
    socket.write(first);
    const more = () => {
      while (isOpen && socket.write(piece));
      if (isOpen) socket.once("drain", more);
    };
    more();
  };
