import type { FastifyInstance } from "fastify";
import { UsageError } from "../../platform/index.js";
import { type FaultInjector, faultRules } from "../faults/injector.js";
import { isSameText, unauthorized } from "./access.js";
import { invalid, notFound, refusalOf } from "./response.js";
import { localServer } from "./server.js";

/**
 * The admin port: GET, PUT, DELETE /rules/ for fault rules, and GET, DELETE /journal/ for requests. Every request needs
 * `Authorization: Api-Key <key>`.
 */
export function createAdmin(key: string, faults: FaultInjector): FastifyInstance {
  const app = localServer();
  app.addHook("onRequest", (request, _reply, done) => {
    if (isSameText(request.headers.authorization ?? "", `Api-Key ${key}`)) done();
    else done(unauthorized("The admin port needs its key, which `recount serve` prints."));
  });
  app.setErrorHandler((error, _request, reply) => {
    const { status, headers, body } = refusalOf(error instanceof UsageError ? invalid(error.message) : error);
    return reply.status(status).headers(headers).send(body);
  });
  app.setNotFoundHandler(() => {
    throw notFound("path");
  });
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
  return app;
}
