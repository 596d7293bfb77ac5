import type { FastifyInstance } from "fastify";
import { systemClock, type Clock, UsageError, codeOf } from "../platform/index.js";
import { createAdmin } from "./faults/admin.js";
import { createServer } from "./http/server.js";
import type { RunningService, ServiceOptions } from "./options.js";
import { assemble, takeUp } from "./start.js";

export type { JournalEntry } from "./faults/injector.js";
export type { Fault, FaultRule } from "./faults/rules.js";
export type { RunningService, ServiceOptions } from "./options.js";
export type { Corruption } from "./publishing/corruption.js";
export type { PublishingRule } from "./publishing/rules.js";
export type { Delivery } from "./webhook-sender.js";
export { readFaultRules } from "./faults/file.js";

/**
 * Starts the local study service on 127.0.0.1.
 * @throws UsageError for a malformed case file, a state file that cannot be used, or a port in use.
 */
export async function startService(options: ServiceOptions = {}, clock: Clock = systemClock): Promise<RunningService> {
  for (const port of [options.port, options.adminPort]) checkPort(port ?? 0);
  const service = await assemble(options, clock);
  const app = await createServer(service);
  const admin = options.adminPort === undefined ? null : createAdmin(service.faults, service.hooks);
  const close = async (): Promise<void> => {
    await admin?.close();
    await app.close();
    await service.life.close();
    await service.settled();
    await service.hooks.close();
    await service.store.close();
  };
  try {
    service.address.url = await listen(app, options.port ?? 0);
    const adminUrl = admin === null ? null : await listen(admin, options.adminPort ?? 0);
    takeUp(service);
    const { faults, hooks } = service;
    return { url: service.address.url, ...sampleAccess, adminUrl, faults, deliveries: () => hooks.deliveries, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function checkPort(port: number): void {
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError(`${port} is not a port: give a whole number from 0 to 65535.`);
}

function listen(app: FastifyInstance, port: number): Promise<string> {
  return app.listen({ host: "127.0.0.1", port }).catch((error: unknown) => {
    if (codeOf(error) === "EADDRINUSE")
      throw new UsageError(`Port ${port} is in use; choose another with --port, or 0 for a free one.`);
    throw error;
  });
}

/** Names of data/sample/project.yaml; they protect nothing. */
const sampleAccess = {
  projectId: "Listen42",
  apiKey: "sampleBilling",
  keys: {
    member: "sampleMember",
    billing: "sampleBilling",
    owner: "sampleOwner",
    other: "sampleOther",
    organizationMember: "sampleOrganizationMember",
    organizationBilling: "sampleOrganizationBilling",
    organizationOwner: "sampleOrganizationOwner",
  },
  organization: { id: "Kestrel7", billingId: "Acct2031" },
};
