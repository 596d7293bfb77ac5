import type { FastifyInstance } from "fastify";
import { systemClock, type Clock } from "../clock.js";
import { defaultApiVersion } from "../contract/index.js";
import { UsageError, codeOf } from "../errors.js";
import { seededRandom } from "../random.js";
import { createAdmin } from "./faults/admin.js";
import { FaultBook } from "./faults/book.js";
import { createServer } from "./http/server.js";
import type { RunningService, ServiceOptions } from "./options.js";
import { ResultsCache } from "./publish/cache.js";
import { initialChanges } from "./sample/initial.js";
import type { Service } from "./service.js";
import { Store } from "./state/store.js";

export type { RunningService, ServiceOptions } from "./options.js";
export type { JournalEntry } from "./faults/book.js";
export type { Fault, FaultRule } from "./faults/rule.js";
export type { Corruption, PublishingRule } from "./publish/rule.js";

/**
 * Starts the local study service on 127.0.0.1.
 * @throws UsageError for a malformed case file or a port in use.
 */
export async function startService(options: ServiceOptions = {}, clock: Clock = systemClock): Promise<RunningService> {
  const publishing = options.publishing ?? [];
  const faults = new FaultBook(options.faults ?? [], options.seed ?? 1, clock);
  const service: Service = {
    store: new Store(await initialChanges(options)),
    results: new ResultsCache(publishing),
    faults,
    settings: {
      apiVersion: options.apiVersion ?? defaultApiVersion,
      publishing,
      schemes: options.schemes ?? ["api-key", "basic", "cookie"],
      defaultTraining: options.defaultTraining ?? false,
      etag: options.etag ?? false,
    },
    clock,
    random: seededRandom(options.seed ?? 1),
    address: { url: "" },
  };
  const app = await createServer(service);
  service.address.url = await listen(app, options.port ?? 0);
  const admin = options.adminPort === undefined ? null : createAdmin(faults);
  const adminUrl = admin === null ? null : await listen(admin, options.adminPort ?? 0);
  return {
    url: service.address.url,
    ...sampleAccess,
    adminUrl,
    faults,
    close: async () => {
      await admin?.close();
      await app.close();
      await service.store.close();
    },
  };
}

function listen(app: FastifyInstance, port: number): Promise<string> {
  return app.listen({ host: "127.0.0.1", port }).catch((error: unknown) => {
    if (codeOf(error) === "EADDRINUSE") throw new UsageError(`Port ${port} is in use; choose another with --port, or 0 for a free one.`);
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
