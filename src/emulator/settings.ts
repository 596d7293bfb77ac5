import { join } from "node:path";
import { tmpdir } from "node:os";
import { defaultApiVersion } from "../contract/index.js";
import { randomHex } from "../platform/index.js";
import { defaultLimits } from "./datasets/archive.js";
import type { ServiceOptions } from "./options.js";
import { publishingRules } from "./publishing/rules.js";
import type { Settings } from "./service.js";

/** Options completed with their defaults. */
export function settingsOf(options: ServiceOptions): Settings {
  return {
    apiVersion: options.apiVersion ?? defaultApiVersion,
    publishing: publishingRules(options.publishing ?? []),
    schemes: options.schemes ?? ["api-key", "basic", "cookie"],
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
