import type { Clock, Random } from "../platform/index.js";
import type { Background } from "./background.js";
import type { FaultInjector } from "./faults/index.js";
import type { RateLimit } from "./http/rate-limit.js";
import { identifier } from "./identifiers.js";
import type { JobRunner } from "./jobs/runner.js";
import type { EmulatorSettings } from "./options.js";
import type { ResultsCache } from "./publishing/results.js";
import type { Store } from "./state/store.js";
import type { WebhookSender } from "./webhook-sender.js";

/** The parts of an emulator, as request handlers reach them. */
export interface Emulator {
  store: Store;
  results: ResultsCache;
  faults: FaultInjector;
  webhooks: WebhookSender;
  jobs: JobRunner;
  rates: RateLimit;
  settings: EmulatorSettings;
  clock: Clock;
  random: Random;
  /** Set once the server listens. */
  address: { url: string };
  /** Work that closing waits for. */
  background: Background;
}

/** Now, in the format of the interface. */
export const instant = ({ clock }: Emulator): string => clock.now().toISOString();

export const instantIn = ({ clock }: Emulator, seconds: number): string =>
  new Date(clock.now().getTime() + 1000 * seconds).toISOString();

/** An identifier that is not taken. */
export function freshIdentifier({ random }: Emulator, isTaken: (id: string) => boolean, length = 8): string {
  for (;;) {
    const id = identifier(random, length);
    if (!isTaken(id)) return id;
  }
}
