/** The flags and environment variables that say how to reach the service. */
import type { InferredOptionTypes } from "yargs";
import type { ClientOptions, Credentials, Network } from "../client/index.js";
import { credentialsIn, hide } from "../client/index.js";
import { messageOf, namedProject, readFileSync, settings, UsageError } from "../platform/index.js";
import type { Pseudonyms } from "../warehouse/index.js";
import { flagFor } from "./flags.js";

/** Flags take precedence over the environment. A key is never an argument. */
export const connectionOptions = {
  "base-url": { type: "string", describe: "Address of the service [env RECOUNT_BASE_URL]" },
  project: { type: "string", describe: "Project identifier [env RECOUNT_PROJECT_ID]" },
  "key-file": {
    type: "string",
    describe: "File with the API key [env RECOUNT_API_KEY: the key itself]",
  },
  "ca-file": {
    type: "string",
    describe: "PEM file of authorities to trust, in addition to those of Node",
  },
  "client-cert": { type: "string", describe: "PEM file of the client certificate" },
  "client-key": { type: "string", describe: "PEM file of the client certificate's key" },
} as const;

export type ConnectionArguments = Partial<InferredOptionTypes<typeof connectionOptions>>;

export function baseUrl(args: ConnectionArguments, env: NodeJS.ProcessEnv = process.env): string {
  const url = args["base-url"] ?? env.RECOUNT_BASE_URL;
  if (!url) throw new UsageError("No service address: pass --base-url or set RECOUNT_BASE_URL.");
  return url;
}

export function projectId(args: ConnectionArguments, env: NodeJS.ProcessEnv = process.env): string {
  return namedProject(args.project ?? env.RECOUNT_PROJECT_ID);
}

function keyFrom(path: string, flag = "--key-file"): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new UsageError(`Cannot read the key file ${path}. Check ${flag}.`);
  }
}

/** A secret without the space and newlines around it that files and environments carry. */
function secretOf(text: string, from: string): string {
  const secret = text.trim();
  hide(secret);
  if (/[^\x20-\x7e]/.test(secret))
    throw new UsageError(`${from} contains a character that no key may have, such as a newline.`);
  return secret;
}

/**
 * From a key file, or RECOUNT_API_KEY, or RECOUNT_BASIC_USER and RECOUNT_BASIC_PASSWORD, or
 * RECOUNT_SESSION_ID (service-api.md, "Authentication").
 */
export function credentials(
  args: ConnectionArguments,
  env: NodeJS.ProcessEnv = process.env,
): Credentials {
  const keyFile = args["key-file"];
  const key =
    keyFile === undefined
      ? secretOf(env.RECOUNT_API_KEY ?? "", "RECOUNT_API_KEY")
      : secretOf(keyFrom(keyFile), `The key file ${keyFile}`);
  if (key) return { scheme: "api-key", key };
  if (keyFile !== undefined) throw new UsageError(`The key file ${keyFile} is empty.`);
  if (env.RECOUNT_BASIC_USER && env.RECOUNT_BASIC_PASSWORD !== undefined) {
    const password = env.RECOUNT_BASIC_PASSWORD.replace(/[\r\n]+$/, "");
    hide(password);
    return { scheme: "basic", username: env.RECOUNT_BASIC_USER.trim(), password };
  }
  const sessionid = secretOf(env.RECOUNT_SESSION_ID ?? "", "RECOUNT_SESSION_ID");
  if (sessionid) return { scheme: "cookie", sessionid };
  throw new UsageError("No API key: set RECOUNT_API_KEY or pass --key-file.");
}

/** In either spelling. Its password is hidden. */
function proxyFrom(env: NodeJS.ProcessEnv, name: "HTTP_PROXY" | "HTTPS_PROXY"): string | undefined {
  const text = (env[name.toLowerCase()] ?? env[name] ?? "").trim();
  if (text === "") return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOnlyHost =
    url !== undefined && url.pathname === "/" && url.search === "" && url.hash === "";
  if (!isOnlyHost || !/^https?:$/.test(url.protocol))
    throw new UsageError(
      `${name} is not the address of a proxy: write http://host:port or https://host:port.`,
    );
  const { username, password } = credentialsIn(url, name);
  if (password !== "") {
    hide(url.password);
    hide(password);
    hide(Buffer.from(`${username}:${password}`).toString("base64"));
  }
  return text;
}

function pemFrom(path: string, flag: string): string {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`Cannot read ${path}: ${messageOf(error)}. Check ${flag}.`, {
      cause: error,
    });
  }
  if (!text.includes("-----BEGIN "))
    throw new UsageError(`${path} holds no PEM text (-----BEGIN …). Check ${flag}.`);
  return text;
}

export async function network(
  args: ConnectionArguments,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Network> {
  const { "ca-file": caFile, "client-cert": certFile, "client-key": keyFile } = args;
  if ((certFile === undefined) !== (keyFile === undefined))
    throw new UsageError("--client-cert and --client-key go together: pass both or neither.");
  const [http, https] = [proxyFrom(env, "HTTP_PROXY"), proxyFrom(env, "HTTPS_PROXY")];
  const none = env.no_proxy ?? env.NO_PROXY;
  const extra = env.NODE_EXTRA_CA_CERTS;
  const own = caFile === undefined ? [] : [pemFrom(caFile, "--ca-file")];
  // Node adds NODE_EXTRA_CA_CERTS to its own authorities only where no others are given.
  if (own.length > 0 && extra) own.push(pemFrom(extra, "NODE_EXTRA_CA_CERTS"));
  const { rootCertificates } = await import("node:tls");
  return {
    proxies: { ...(http && { http }), ...(https && { https }), ...(none && { none }) },
    tls: {
      ...(own.length > 0 && { ca: [...rootCertificates, ...own] }),
      ...(certFile !== undefined && { cert: pemFrom(certFile, "--client-cert") }),
      ...(keyFile !== undefined && { key: pemFrom(keyFile, "--client-key") }),
    },
  };
}

export const retryOption = { "retry-for": flagFor("retry-for", settings.retry_for) } as const;

export async function connectionOf(
  args: ConnectionArguments & { "retry-for": number },
  env: NodeJS.ProcessEnv = process.env,
): Promise<Pick<ClientOptions, "baseUrl" | "credentials" | "network" | "retry">> {
  return {
    baseUrl: baseUrl(args, env),
    credentials: credentials(args, env),
    network: await network(args, env),
    retry: { totalMs: args["retry-for"] * 1000 },
  };
}

/** The key is never an argument. */
export const pseudonymOptions = {
  pseudonymise: flagFor("pseudonymise", settings.pseudonymise),
  "pseudonym-key-file": {
    type: "string",
    describe: "File with the key of the pseudonyms [env RECOUNT_PSEUDONYM_KEY: the key itself]",
    implies: "pseudonymise",
  },
} as const;

export type PseudonymArguments = InferredOptionTypes<typeof pseudonymOptions>;

/** From a file, else the environment. @throws UsageError if there is none */
export async function pseudonymsOf(
  file: string | undefined,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Pseudonyms> {
  const { createPseudonyms } = await import("../warehouse/index.js");
  const from = file === undefined ? "RECOUNT_PSEUDONYM_KEY" : `The key file ${file}`;
  const key = secretOf(
    file === undefined ? (env.RECOUNT_PSEUDONYM_KEY ?? "") : keyFrom(file, "--pseudonym-key-file"),
    from,
  );
  if (key === "")
    throw new UsageError(
      `No key for pseudonyms: set RECOUNT_PSEUDONYM_KEY or pass --pseudonym-key-file.`,
    );
  return createPseudonyms(key, from);
}
