import type { ApiVersion } from "../contract/index.js";
import type { JournalEntry } from "./faults/book.js";
import type { FaultRule } from "./faults/rule.js";
import type { Scheme } from "./http/access.js";
import type { PublishingRule } from "./publish/rule.js";

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
  keys: { member: string; billing: string; owner: string; other: string; organizationMember: string; organizationBilling: string; organizationOwner: string };
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
  close(): Promise<void>;
}
