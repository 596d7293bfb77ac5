import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiVersion, defaultApiVersion } from "../contract/index.js";
import { randomHex } from "../platform/index.js";
import { defaultLimits, type UploadLimits } from "./datasets/files.js";
import type { FaultRule } from "./faults/injector.js";
import type { Scheme } from "./http/access.js";
import { type PublishingRule, publishingRules } from "./publishing/rules.js";
import type { Speed } from "./simulation/jobs.js";
import type { WebhookSettings } from "./webhooks.js";

/** How to start the emulator. `settingsOf` has the defaults that are not stated here. */
export interface EmulatorOptions {
  /** Port on 127.0.0.1; 0 takes a free one. Default 0. */
  port?: number;
  /** Serve the sample project. Default true without case files. */
  sample?: boolean;
  /** Case files to serve in the same project. */
  load?: readonly string[];
  /** Version of the record shapes. Default 0.8.3. */
  apiVersion?: ApiVersion;
  /** Publishing rules; they override those of the data. Default none. */
  publishing?: PublishingRule[];
  /** Accepted authentication schemes. Default all three. */
  schemes?: Scheme[];
  /** The value of `training` when a request does not send it. Default false. */
  defaultTraining?: boolean;
  /** Send an ETag with lists and honour If-None-Match. Default false. */
  etag?: boolean;
  /** Initial fault rules. Default none. */
  faults?: readonly FaultRule[];
  /** Port on 127.0.0.1 for fault rules and the request journal; 0 takes a free one. Default: no admin port. */
  adminPort?: number;
  /** Key that requests to the admin port must carry. Default: a random one. */
  adminKey?: string;
  /** Compress responses for clients that accept gzip. Default false. */
  gzip?: boolean;
  /** Add an experiment `Synthetic` with this number of ratings, generated on the fly. Default none. */
  syntheticRatings?: number;
  /** Seconds of study per second for launched jobs, `at once`, or 0 for no answers. Default 600. */
  speed?: Speed;
  /** Lifetime of a job's costs token, seconds. Default 900. */
  tokenSeconds?: number;
  /** Lifetime of an upload address, seconds. Default 3600. */
  uploadSeconds?: number;
  /** Limits of uploaded files. Default `defaultLimits`. */
  limits?: Partial<UploadLimits>;
  /** Answer 429 to more requests per key than this. Default: no limit. */
  rateLimit?: { requests: number; seconds: number };
  /** Webhook deliveries. Default 5 attempts, first wait 1000 ms, timeout 10 000 ms. */
  webhooks?: Partial<WebhookSettings>;
  /** State file; its contents survive `kill -9`. Default: memory only. */
  data?: string;
  /** Seed of the simulation. Default 1. */
  seed?: number;
}

/** The options that request handlers read, with their defaults. */
export type EmulatorSettings = ReturnType<typeof settingsOf>;

/** @throws UsageError for a publishing rule that is not valid. */
export function settingsOf(options: EmulatorOptions) {
  const schemes: Scheme[] = options.schemes ?? ["api-key", "basic", "cookie"];
  return {
    apiVersion: options.apiVersion ?? defaultApiVersion,
    publishing: publishingRules(options.publishing ?? [], "publishing"),
    schemes,
    defaultTraining: options.defaultTraining ?? false,
    etag: options.etag ?? false,
    gzip: options.gzip ?? false,
    tokenSeconds: options.tokenSeconds ?? 900,
    uploadSeconds: options.uploadSeconds ?? 3600,
    limits: { ...defaultLimits, ...options.limits },
    uploadFolder:
      options.data === undefined ? join(tmpdir(), `recount-uploads-${randomHex(6)}`) : `${options.data}.uploads`,
    rateLimit: options.rateLimit ?? null,
    seed: options.seed ?? 1,
  };
}
