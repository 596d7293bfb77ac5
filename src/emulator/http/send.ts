import type { FastifyReply, FastifyRequest } from "fastify";
import type { Emulator } from "../emulator.js";
import { deliver } from "./deliver.js";
import { HttpError } from "./http-error.js";
import { json, type OutgoingResponse } from "./outgoing.js";

/**
 * Records the request, lets `respond` answer it, injects the faults that it matches, and sends the response.
 * The reply is hijacked from Fastify because faults decide how the bytes are sent.
 */
export async function send(
  emulator: Emulator,
  request: FastifyRequest,
  reply: FastifyReply,
  operation: string | null,
  respond: () => Promise<OutgoingResponse> | OutgoingResponse,
): Promise<void> {
  reply.hijack();
  const { experiment_id: experiment = null } = (request.params ?? {}) as { experiment_id?: string };
  // The signature of an upload address does not belong in the journal.
  const [path = ""] = request.url.split(/\?(?=.*signature=)/);
  const { entry, injection } = emulator.faults.match({ method: request.method, path, operation, experiment });
  await injection.beforeHandling();
  const outgoing = injection.response() ?? injection.withRows(await respond());
  entry.status = outgoing.status;
  const gzip = emulator.settings.gzip && /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
  try {
    const sent = await (injection.transmit(reply.raw, outgoing) ?? deliver(reply.raw, outgoing, gzip));
    entry.bytes = sent.bytes;
    entry.is_complete = sent.complete;
  } catch {
    // Rows are made while they are sent: an error there can only break the connection.
    reply.raw.destroy();
  }
}

/** The response to anything thrown. */
export function refusal(error: unknown): OutgoingResponse {
  if (error instanceof HttpError) return json(error.status, error.body, error.headers);
  const known = error as { statusCode?: number; message?: string };
  const status = known.statusCode ?? 500;
  if (status >= 500) return json(500, { detail: "The service failed on this request.", code: "internal_error" });
  const code = { 413: "payload_too_large", 415: "unsupported_media_type" }[status] ?? "invalid";
  return json(status, { detail: known.message ?? "The request is not valid.", code });
}
