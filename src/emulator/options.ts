import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiVersion, defaultApiVersion } from "../contract/index.js";
import { randomHex } from "../platform/index.js";
import type { FaultRule } from "./faults/injector.js";
import { type PublishingRule, publishingRules } from "./publishing/rules.js";
import type { Speed } from "./simulation/jobs.js";

/** How to start the emulator. `settingsOf` has the defaults that are not stated here. */
export interface EmulatorOptions {
  /** Port on 127.0.0.1; 0 picks a free one. Default 0. */
  port?: number;
  /** Serve the sample project. Default true without case files. */
  sample?: boolean;
  /** Case files to serve in the same project. */
  load?: readonly string[];
  /** Version of the record shapes. Default 0.8.3. */
  apiVersion?: ApiVersion;
  /** Publishing rules; they override those of the data. Default none. */
  publishing?: PublishingRule[];
  /** Send an ETag with lists and honour If-None-Match. Default false. */
  etag?: boolean;
  /** Initial fault rules. Default none. */
  faults?: readonly FaultRule[];
  /** Add an experiment `Synthetic` with this number of ratings, generated on the fly. Default none. */
  syntheticRatings?: number;
  /** Seconds of study per second for launched jobs, `at once`, or 0 for no answers. Default 600. */
  speed?: Speed;
  /** Bytes of an uploaded file. Default 256 MiB. */
  uploadBytes?: number;
  /** Seed of the simulation. Default 1. */
  seed?: number;
}

/** The options that request handlers read, with their defaults. */
export type EmulatorSettings = ReturnType<typeof settingsOf>;

/** @throws UsageError for a publishing rule that is not valid. */
export const settingsOf = (options: EmulatorOptions) => ({
  apiVersion: options.apiVersion ?? defaultApiVersion,
  publishing: publishingRules(options.publishing ?? [], "publishing"),
  etag: options.etag ?? false,
  uploadBytes: options.uploadBytes ?? 256 * 1024 ** 2,
  uploadFolder: join(tmpdir(), `recount-uploads-${randomHex(6)}`),
});
