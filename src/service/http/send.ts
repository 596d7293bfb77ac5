import type { FastifyReply, FastifyRequest } from "fastify";
import { answerInstead } from "../faults/answer.js";
import { spoiltRows } from "../faults/rows.js";
import { deliverSpoilt, isWire } from "../faults/wire.js";
import type { Service } from "../service.js";
import { deliver } from "./deliver.js";
import type { Outgoing } from "./outgoing.js";

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
  const [path = ""] = request.url.split(/(?<=\/)\?(?=.*signature=)/);
  const { entry, faults } = service.faults.strike({ method: request.method, path, operation, experiment });
  for (const { fault } of faults) if (fault.kind === "delay") await service.clock.sleep(fault.ms);
  const outgoing = answerInstead(faults, service.clock) ?? spoilt(await respond(), operation);
  entry.status = outgoing.status;
  const wire = faults.map(({ fault }) => fault).filter(isWire);
  const sent = wire.length > 0 ? await deliverSpoilt(reply.raw, outgoing, wire, service.clock) : await deliver(reply.raw, outgoing);
  entry.bytes = sent.bytes;
  entry.is_complete = sent.complete;

  function spoilt(own: Outgoing, name: string | null): Outgoing {
    if (own.status !== 200 || own.body === null || "whole" in own.body) return own;
    return { ...own, body: { rows: spoiltRows(own.body.rows, faults, name) } };
  }
}
