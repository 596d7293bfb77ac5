import type { FastifyInstance } from "fastify";
import { type Clock, codeOf, fsp, randomHex, seededRandom, systemClock, UsageError } from "../platform/index.js";
import { createBackground } from "./background.js";
import type { Emulator } from "./emulator.js";
import { createFaultInjector, type FaultInjector } from "./faults/injector.js";
import { createAdmin } from "./http/admin.js";
import { createServer } from "./http/server.js";
import { resumeUploads } from "./operations/datasets.js";
import { type EmulatorOptions, settingsOf } from "./options.js";
import { createResultsCache } from "./publishing/results.js";
import { initialChanges } from "./sample/sample.js";
import { createJobRunner } from "./simulation/jobs.js";
import { lockState, openJournal, readJournal } from "./state/journal.js";
import { createStore, type Store } from "./state/store.js";
import { createWebhookSender, type WebhookDelivery } from "./webhooks.js";

/** Identifiers and keys of data/sample/project.yaml. They protect nothing. */
const sampleAccess = {
  projectId: "Listen42",
  /** A project key of a billing manager: it may read everything in the project. */
  apiKey: "sampleBilling",
  /** Keys of other roles, to try refusals. */
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

export interface RunningEmulator extends Readonly<typeof sampleAccess> {
  /** Base URL without a trailing slash. */
  url: string;
  /** Address of the admin port; null without one. */
  adminUrl: string | null;
  /** Key of the admin port. */
  adminKey: string;
  faults: Pick<FaultInjector, "set" | "journal" | "clearJournal">;
  /** Webhook deliveries so far. */
  deliveries(): readonly WebhookDelivery[];
  close(): Promise<void>;
}

/**
 * Starts a local emulator of the study service on 127.0.0.1.
 * @throws UsageError for a malformed case file, an unusable state file, or a port in use.
 */
export async function startEmulator(
  options: EmulatorOptions = {},
  clock: Clock = systemClock,
): Promise<RunningEmulator> {
  for (const port of [options.port, options.adminPort]) checkPort(port ?? 0);
  const emulator = await assemble(options, clock);
  const { faults, address, background, store, settings } = emulator;
  const deliveries = () => emulator.webhooks.deliveries();
  const adminKey = options.adminKey ?? randomHex(16);
  const app = createServer(emulator);
  const admin = options.adminPort === undefined ? null : createAdmin(adminKey, faults, deliveries);
  const close = async (): Promise<void> => {
    await admin?.close();
    await app.close();
    await background.close();
    if (options.data === undefined) await fsp.rm(settings.uploadFolder, { recursive: true, force: true });
    await store.close();
  };
  try {
    address.url = await listen(app, options.port ?? 0);
    const adminUrl = admin === null ? null : await listen(admin, options.adminPort ?? 0);
    resumeUploads(emulator);
    emulator.jobs.resume();
    return { url: address.url, ...sampleAccess, adminUrl, adminKey, faults, deliveries, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function assemble(options: EmulatorOptions, clock: Clock): Promise<Emulator> {
  const { seed = 1, speed = 600 } = options;
  const settings = settingsOf(options);
  const store = await storeOf(options);
  const background = createBackground();
  const webhooks = createWebhookSender(clock, background);
  return {
    store,
    webhooks,
    settings,
    clock,
    background,
    results: createResultsCache(settings.publishing),
    faults: createFaultInjector(options.faults ?? [], seed, clock),
    jobs: createJobRunner({ store, webhooks, clock, background }, { speed, seed }),
    // A state that has grown must give other identifiers than its initial state.
    random: seededRandom(seed + 7919 * store.revision),
    address: { url: "" },
  };
}

/** The state, from its file if it has one. The sample and case files are only for a new state file. */
async function storeOf(options: EmulatorOptions): Promise<Store> {
  const { data } = options;
  if (data === undefined) return createStore(await initialChanges(options));
  const unlock = await lockState(data);
  try {
    const changes = (await readJournal(data)) ?? (await initialChanges(options));
    return createStore(changes, await openJournal(data, changes, unlock));
  } catch (error) {
    unlock();
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
