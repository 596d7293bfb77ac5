import type { Credentials } from "../client/index.js";
import { UsageError, readFileSync } from "../platform/index.js";
import { hide } from "./console.js";

/** Flags that name the service. They take precedence over the environment. A key is never an argument. */
export const connectionOptions = {
  "base-url": { type: "string", describe: "Address of the service [env RECOUNT_BASE_URL]" },
  project: { type: "string", describe: "Project identifier [env RECOUNT_PROJECT_ID]" },
  "key-file": { type: "string", describe: "File with the API key [env RECOUNT_API_KEY: the key itself]" },
} as const;

export const lakeOption = {
  lake: { type: "string", default: "lake", describe: "Folder of the lake" },
} as const;

export interface ConnectionArguments {
  "base-url"?: string | undefined;
  project?: string | undefined;
  "key-file"?: string | undefined;
}

export function baseUrl(args: ConnectionArguments, env: NodeJS.ProcessEnv = process.env): string {
  const url = args["base-url"] ?? env.RECOUNT_BASE_URL;
  if (!url) throw new UsageError("No service address: pass --base-url or set RECOUNT_BASE_URL.");
  return url;
}

export function projectId(args: ConnectionArguments, env: NodeJS.ProcessEnv = process.env): string {
  const id = args.project ?? env.RECOUNT_PROJECT_ID;
  if (!id) throw new UsageError("No project: pass --project or set RECOUNT_PROJECT_ID.");
  return id;
}

function keyFrom(path: string): string {
  try {
    const key = readFileSync(path, "utf8").trim();
    hide(key);
    return key;
  } catch {
    throw new UsageError(`Cannot read the key file ${path}. Check --key-file.`);
  }
}

/**
 * Credentials from a key file or the environment: RECOUNT_API_KEY, or RECOUNT_BASIC_USER and
 * RECOUNT_BASIC_PASSWORD, or RECOUNT_SESSION_ID (service-api.md, "Authentication").
 */
export function credentials(args: ConnectionArguments, env: NodeJS.ProcessEnv = process.env): Credentials {
  const keyFile = args["key-file"];
  const key = keyFile === undefined ? env.RECOUNT_API_KEY : keyFrom(keyFile);
  if (key) return { scheme: "api-key", key };
  if (keyFile !== undefined) throw new UsageError(`The key file ${keyFile} is empty.`);
  if (env.RECOUNT_BASIC_USER && env.RECOUNT_BASIC_PASSWORD !== undefined) {
    return { scheme: "basic", username: env.RECOUNT_BASIC_USER, password: env.RECOUNT_BASIC_PASSWORD };
  }
  if (env.RECOUNT_SESSION_ID) return { scheme: "cookie", sessionid: env.RECOUNT_SESSION_ID };
  throw new UsageError("No API key: set RECOUNT_API_KEY or pass --key-file.");
}
