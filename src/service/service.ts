import type { ApiVersion } from "../contract/index.js";
import type { Clock } from "../clock.js";
import type { Random } from "../random.js";
import type { FaultBook } from "./faults/book.js";
import type { Scheme } from "./http/access.js";
import type { PublishingRule } from "./publish/rule.js";
import type { ResultsCache } from "./publish/cache.js";
import type { Store } from "./state/store.js";

/** What every handler can reach. */
export interface Service {
  store: Store;
  results: ResultsCache;
  faults: FaultBook;
  settings: Settings;
  clock: Clock;
  random: Random;
  /** Set once the server listens. */
  address: { url: string };
}

/** The switches of docs/service.md. */
export interface Settings {
  apiVersion: ApiVersion;
  publishing: PublishingRule[];
  schemes: Scheme[];
  /** What `training` means when it is not sent. */
  defaultTraining: boolean;
  etag: boolean;
}
