import type { FastifyReply, FastifyRequest } from "fastify";
import { answerInstead } from "../faults/answer.js";
import { spoiltRows } from "../faults/rows.js";
import { deliverSpoilt, isWire } from "../faults/wire.js";
import type { Service } from "../service.js";
import { deliver } from "./deliver.js";
import { HttpFailure } from "./http-error.js";
import { json, textsOf, type Outgoing } from "./outgoing.js";

/**
 * Notes the request, lets `respond` answer it and sends the answer, with whatever faults were ordered.
 * The response is taken out of Fastify's hands: how bytes leave is the service's own matter.
 */
export async function send(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  operation: string | null,
  respond: () => Promise<Outgoing> | Outgoing,
): Promise<void> {
  reply.hijack();
  const { experiment_id: experiment = null } = (request.params ?? {}) as { experiment_id?: string };
  const [path = ""] = request.url.split(/\?(?=.*signature=)/);
  const { entry, faults } = service.faults.strike({ method: request.method, path, operation, experiment });
  for (const { fault } of faults) if (fault.kind === "delay") await service.clock.sleep(fault.ms);
  const outgoing = answerInstead(faults, service.clock) ?? spoilt(await respond(), operation);
  entry.status = outgoing.status;
  const wire = faults.map(({ fault }) => fault).filter(isWire);
  const gzip = service.settings.gzip && /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
  try {
    const sent =
      wire.length > 0
        ? await deliverSpoilt(reply.raw, outgoing, wire, service.clock)
        : await deliver(reply.raw, outgoing, gzip);
    entry.bytes = sent.bytes;
    entry.is_complete = sent.complete;
  } catch {
    // Rows are made as they are sent: what fails there can only break the connection.
    reply.raw.destroy();
  }

  function spoilt(own: Outgoing, name: string | null): Outgoing {
    if (own.status !== 200 || own.body === null || "whole" in own.body) return own;
    return faults.length === 0 ? own : { ...own, body: { texts: spoiltRows(textsOf(own.body), faults, name) } };
  }
}

/** The response to anything thrown. */
export function refusal(error: unknown): Outgoing {
  if (error instanceof HttpFailure) return json(error.status, error.body, error.headers);
  const known = error as { statusCode?: number; message?: string };
  const status = known.statusCode ?? 500;
  if (status >= 500) return json(500, { detail: "The service failed on this request.", code: "internal_error" });
  const code = { 413: "payload_too_large", 415: "unsupported_media_type" }[status] ?? "invalid";
  return json(status, { detail: known.message ?? "The request is not understood.", code });
}
