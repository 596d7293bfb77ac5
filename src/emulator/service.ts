import type { ApiVersion } from "../contract/index.js";
import type { Clock, Random } from "../platform/index.js";
import type { UploadLimits } from "./datasets/archive.js";
import type { FaultBook } from "./faults/injector.js";
import type { Scheme } from "./http/access.js";
import type { RateLimit } from "./http/rate-limit.js";
import { identifier } from "./identifiers.js";
import type { Life } from "./jobs/runner.js";
import type { PublishingRule } from "./publishing/rules.js";
import type { ResultsCache } from "./publishing/results.js";
import type { Store } from "./state/store.js";
import type { Hooks } from "./webhook-sender.js";

/** What every handler can reach. */
export interface Service {
  store: Store;
  results: ResultsCache;
  faults: FaultBook;
  hooks: Hooks;
  life: Life;
  rates: RateLimit;
  settings: Settings;
  clock: Clock;
  random: Random;
  /** Set once the server listens. */
  address: { url: string };
  /** Work that goes on after its response; awaited when the service closes. */
  background(work: Promise<unknown>): void;
}

/** The switches of docs/emulator.md. */
export interface Settings {
  apiVersion: ApiVersion;
  publishing: PublishingRule[];
  schemes: Scheme[];
  /** What `training` means when it is not sent. */
  defaultTraining: boolean;
  etag: boolean;
  gzip: boolean;
  /** Lifetimes of costs tokens and upload addresses, in seconds. */
  tokenSeconds: number;
  uploadSeconds: number;
  limits: UploadLimits;
  uploadFolder: string;
  rateLimit: { requests: number; seconds: number } | null;
  seed: number;
}

/** Now, as the interface writes instants. */
export const instant = ({ clock }: Service): string => clock.now().toISOString();

export const instantIn = ({ clock }: Service, seconds: number): string =>
  new Date(clock.now().getTime() + 1000 * seconds).toISOString();

/** An identifier that is not taken. */
export function freshIdentifier({ random }: Service, isTaken: (id: string) => boolean, length = 8): string {
  for (;;) {
    const id = identifier(random, length);
    if (!isTaken(id)) return id;
  }
}
