import { join } from "node:path";
import { type Clock, fsp, seededRandom } from "../platform/index.js";
import { processUpload } from "./datasets/processing.js";
import { FaultBook } from "./faults/injector.js";
import { RateLimit } from "./http/rate-limit.js";
import { Life } from "./jobs/runner.js";
import type { ServiceOptions } from "./options.js";
import { createResultsCache } from "./publishing/results.js";
import { initialChanges } from "./sample/initial.js";
import type { Service } from "./service.js";
import { settingsOf } from "./settings.js";
import type { Change } from "./state/change.js";
import { openJournal, readJournal, lockState } from "./state/journal.js";
import { Store, type Journal } from "./state/store.js";
import { Hooks } from "./webhook-sender.js";

/** The parts of a service put together, with its state read or made. @throws UsageError. */
export async function assemble(options: ServiceOptions, clock: Clock): Promise<Service & { settled(): Promise<void> }> {
  const settings = settingsOf(options);
  const { changes, journal } = await historyOf(options);
  const store = new Store(changes, journal);
  const hooks = new Hooks({ attempts: 5, firstWaitMs: 1000, timeoutMs: 10_000, ...options.hooks }, clock);
  const work = new Set<Promise<unknown>>();
  return {
    store,
    hooks,
    settings,
    clock,
    results: createResultsCache(settings.publishing),
    faults: new FaultBook(options.faults ?? [], settings.seed, clock),
    life: new Life(store, hooks, clock, options.speed ?? 600, settings.seed),
    // A state that has grown gives other identifiers than it did at first.
    random: seededRandom(settings.seed + 7919 * changes.length),
    rates: new RateLimit(settings.rateLimit, clock),
    address: { url: "" },
    background(promise) {
      const own = promise.catch(() => undefined).finally(() => work.delete(own));
      work.add(own);
    },
    settled: async () => {
      await Promise.all(work);
      if (options.data === undefined) await fsp.rm(settings.uploadFolder, { recursive: true, force: true });
    },
  };
}

/** The changes so far and where further ones go. An existing state file is taken as it is: sample and case files are for new ones. */
async function historyOf(options: ServiceOptions): Promise<{ changes: Change[]; journal?: Journal }> {
  const { data } = options;
  if (data === undefined) return { changes: await initialChanges(options) };
  const unlock = await lockState(data);
  try {
    const changes = (await readJournal(data)) ?? (await initialChanges(options));
    return { changes, journal: await openJournal(data, changes, unlock) };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Takes up what a crash or a stop interrupted: uploads being read, jobs being answered. */
export function takeUp(service: Service): void {
  for (const project of service.store.state.projects.values())
    for (const dataset of project.datasets.values())
      if (dataset.status === "processing")
        service.background(processUpload(service, project, dataset, join(service.settings.uploadFolder, dataset.id)));
  service.life.resume();
}
