import Fastify, { type FastifyInstance } from "fastify";
import { UsageError } from "../../platform/index.js";
import type { FaultInjector } from "./injector.js";
import { faultRules } from "./rules.js";

/**
 * The admin port: GET, PUT, DELETE /rules/ for fault rules, GET, DELETE /journal/ for requests, and GET /deliveries/
 * for webhook deliveries.
 */
export function createAdmin(faults: FaultInjector, deliveries: () => readonly unknown[]): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true });
  app.setErrorHandler((error, _request, reply) =>
    reply
      .status(error instanceof UsageError ? 400 : 500)
      .send({ detail: error instanceof Error ? error.message : "failed" }),
  );
  app.get("/rules/", () => faults.rules());
  app.put("/rules/", (request) => {
    faults.set(faultRules(request.body, "fault rules"));
    return faults.rules();
  });
  app.delete("/rules/", () => {
    faults.set([]);
    return [];
  });
  app.get("/journal/", () => faults.journal());
  app.delete("/journal/", () => {
    faults.clearJournal();
    return [];
  });
  app.get("/deliveries/", deliveries);
  return app;
}
