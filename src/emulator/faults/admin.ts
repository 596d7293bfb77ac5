import { Ajv } from "ajv";
import Fastify, { type FastifyInstance } from "fastify";
import { UsageError } from "../../platform/index.js";
import type { FaultBook } from "./injector.js";
import type { Hooks } from "../webhook-sender.js";
import { faultRuleSchema, type FaultRule } from "./rules.js";

const validate = new Ajv({ strict: false }).compile<FaultRule[]>({
  type: "array",
  items: JSON.parse(JSON.stringify(faultRuleSchema)) as object,
});

/** Rules out of anything. @throws UsageError naming the rule and the field. */
export function faultRules(value: unknown, where = "fault rules"): FaultRule[] {
  if (validate(value)) return value;
  const [error] = validate.errors ?? [];
  throw new UsageError(
    `${where}: rule ${error?.instancePath.slice(1).replaceAll("/", ".") ?? ""} ${error?.message ?? "is not understood"}; docs/emulator.md lists the faults.`,
  );
}

/** The port for ordering faults and reading the journal: GET, PUT, DELETE /rules/ GET, DELETE /journal/, GET /deliveries/ of webhooks. */
export function createAdmin(book: FaultBook, hooks: Hooks): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true });
  app.setErrorHandler((error, _request, reply) =>
    reply
      .status(error instanceof UsageError ? 400 : 500)
      .send({ detail: error instanceof Error ? error.message : "failed" }),
  );
  app.get("/rules/", () => book.list());
  app.put("/rules/", (request) => {
    book.set(faultRules(request.body));
    return book.list();
  });
  app.delete("/rules/", () => {
    book.set([]);
    return [];
  });
  app.get("/journal/", () => book.journal());
  app.delete("/journal/", () => {
    book.clearJournal();
    return [];
  });
  app.get("/deliveries/", () => hooks.deliveries);
  return app;
}
