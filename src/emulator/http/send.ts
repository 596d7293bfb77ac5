import type { FastifyReply, FastifyRequest } from "fastify";
import type { Emulator } from "../emulator.js";
import { deliver, json, type OutgoingResponse, refusalOf } from "./response.js";

/**
 * Records the request, lets `respond` answer or refuse it, injects the faults that it matches, and sends the response.
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
  const outgoing = injection.response() ?? injection.withRows(await answered(respond));
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

/** What `respond` answers, or the refusal that it throws. */
async function answered(respond: () => Promise<OutgoingResponse> | OutgoingResponse): Promise<OutgoingResponse> {
  try {
    return await respond();
  } catch (error) {
    const { status, body, headers } = refusalOf(error);
    return json(status, body, headers);
  }
}
