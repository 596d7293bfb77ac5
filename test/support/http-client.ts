import { request, type IncomingHttpHeaders } from "node:http";
import type { RunningEmulator } from "../../src/emulator/index.js";

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The error code that ended the response early, or null. */
  broken: string | null;
}

/** Sends a plain HTTP request and keeps the bytes that arrived before the response failed. */
export function plain(
  url: string,
  {
    method = "GET",
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string | Buffer } = {},
): Promise<Answer> {
  return new Promise((resolve) => {
    const none = (error: NodeJS.ErrnoException): void =>
      resolve({
        status: 0,
        headers: {},
        body: Buffer.alloc(0),
        broken: error.code ?? error.message,
      });
    const asked = request(url, { method, headers, agent: false }, (response) => {
      const pieces: Buffer[] = [];
      const answer = (broken: string | null): void =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(pieces),
          broken,
        });
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.on("end", () => answer(null));
      response.on("error", (error: NodeJS.ErrnoException) => answer(error.code ?? error.message));
    });
    asked.on("error", none);
    asked.end(body);
  });
}

export const withKey = (key: string): Record<string, string> => ({
  authorization: `Api-Key ${key}`,
});

export function ask(
  service: RunningEmulator,
  path: string,
  init: { method?: string; body?: unknown; key?: string } = {},
): Promise<Answer> {
  const { method, body, key = service.apiKey } = init;
  return plain(`${service.url}/projects/${service.projectId}/${path}`, {
    ...(method === undefined ? {} : { method }),
    headers: {
      ...withKey(key),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- names the shape a test expects
export const parsed = <T>(answer: Answer): T => JSON.parse(answer.body.toString()) as T;
