import type { ApiVersion } from "../contract/index.js";
import type { UploadLimits } from "./datasets/archive.js";
import type { JournalEntry } from "./faults/injector.js";
import type { FaultRule } from "./faults/rules.js";
import type { Scheme } from "./http/access.js";
import type { Speed } from "./jobs/runner.js";
import type { PublishingRule } from "./publishing/rules.js";
import type { Delivery, HookSettings } from "./webhook-sender.js";

/** How to start the local study service. Each default stands in `settingsOf` or beside its field here. */
export interface ServiceOptions {
  /** Port on 127.0.0.1; 0 takes a free one. Default 0. */
  port?: number;
  /** Serve the sample project. Default true when no case file is given. */
  sample?: boolean;
  /** Case files in the form of test/golden/*.json, served in the same project. */
  load?: readonly string[];
  /** Shapes of the records. Default 0.8.3. */
  apiVersion?: ApiVersion;
  /** Publish under other conventions or spoilt; laid over the rules of the data. Default none. */
  publishing?: PublishingRule[];
  /** Authentication schemes accepted. Default all three. */
  schemes?: Scheme[];
  /** What `training` means when it is not sent. Default false. */
  defaultTraining?: boolean;
  /** Send an ETag on lists and answer If-None-Match. Default false. */
  etag?: boolean;
  /** Faults to order from the start. Default none. */
  faults?: readonly FaultRule[];
  /** Port on 127.0.0.1 for ordering faults and reading the journal; 0 takes a free one. Default: no such port. */
  adminPort?: number;
  /** Compress responses for clients that accept gzip. Default false. */
  gzip?: boolean;
  /** Add an experiment `Synthetic` of so many ratings, made as they are read. Default none. */
  syntheticRatings?: number;
  /** How launched jobs come alive: seconds of study in a second, `at once`, or 0 for not at all. Default 600. */
  speed?: Speed;
  /** Lifetimes of costs tokens and upload addresses, seconds. Default 900 and 3600. */
  tokenSeconds?: number;
  uploadSeconds?: number;
  /** Bounds of uploaded files. Default `defaultLimits`. */
  limits?: Partial<UploadLimits>;
  /** Refuse with 429 above so many requests of a key in so many seconds. Default: no limit. */
  rateLimit?: { requests: number; seconds: number };
  /** Deliveries of webhooks. Default 5 attempts, first wait 1000 ms, timeout 10 000 ms. */
  hooks?: Partial<HookSettings>;
  /** File that keeps the state; it survives `kill -9`. Default: memory only. */
  data?: string;
  /** Seed of everything simulated. Default 1. */
  seed?: number;
}

export interface RunningService {
  /** Base URL, without a slash at its end. */
  url: string;
  projectId: string;
  /** A project key of a billing manager: it may read everything in the project. */
  apiKey: string;
  /** Keys of other roles, for trying refusals. */
  keys: {
    member: string;
    billing: string;
    owner: string;
    other: string;
    organizationMember: string;
    organizationBilling: string;
    organizationOwner: string;
  };
  organization: { id: string; billingId: string };
  /** Address of the port for faults, where one was asked for. */
  adminUrl: string | null;
  faults: {
    /** Replaces all fault rules; counting starts anew. */
    set(rules: readonly FaultRule[]): void;
    /** Every request so far and what was done to it. */
    journal(): readonly JournalEntry[];
    clearJournal(): void;
  };
  /** Deliveries of webhooks so far. */
  deliveries(): readonly Delivery[];
  close(): Promise<void>;
}
