/** Requests outside the interface: notices, and uploads to signed addresses. */
import { request } from "undici";
import { datasetUpload as entry } from "../contract/index.js";
import { credentialsIn } from "./secrets.js";
import {
  codeOf,
  messageOf,
  type Clock,
  type Random,
  UsageError,
  fs,
  fsp,
} from "../platform/index.js";
import { TerminalFailure, TransientFailure } from "./failures.js";
import { transferLimits } from "./limits.js";
import { type Network, createTransport } from "./network.js";
import { createCooldown, retryAfterMs, withRetry, type RetryPolicy } from "./retry.js";

interface Posted {
  readonly url: string;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds of one attempt. */
  readonly timeoutMs: number;
  readonly network?: Network;
}

/**
 * Messages name the origin only: the rest of the address may be a secret.
 * @throws TransientFailure, or TerminalFailure where a later attempt would end the same.
 */
export async function postJson(
  { url, text, headers, timeoutMs, network = {} }: Posted,
  clock: Clock,
): Promise<void> {
  const { origin } = new URL(url);
  const { username, password } = credentialsIn(new URL(url), origin);
  const limits = { ...transferLimits, connectMs: timeoutMs, headMs: timeoutMs, stallMs: timeoutMs };
  const dispatcher = createTransport(limits, new URL(url), network);
  const pair = Buffer.from(`${username}:${password}`).toString("base64");
  try {
    const {
      statusCode: status,
      headers: answered,
      body,
    } = await request(url, {
      method: "POST",
      dispatcher,
      headers: {
        "content-type": "application/json",
        ...(username === "" ? {} : { authorization: `Basic ${pair}` }),
        ...headers,
      },
      body: text,
      signal: AbortSignal.timeout(timeoutMs),
    });
    body.on("error", () => undefined).destroy();
    if (status >= 200 && status < 300) return;
    const asked = answered["retry-after"];
    const isTransient = status === 408 || status === 425 || status === 429 || status >= 500;
    if (!isTransient) throw new TerminalFailure(`${origin} answered ${status}.`);
    throw new TransientFailure(`${origin} answered ${status}.`, {
      retryAfterMs: retryAfterMs(typeof asked === "string" ? asked : undefined, clock.now()),
    });
  } catch (error) {
    if (error instanceof TransientFailure || error instanceof TerminalFailure) throw error;
    const isLate = error instanceof Error && error.name === "TimeoutError";
    const said = isLate
      ? `no answer in ${timeoutMs / 1000} s`
      : (codeOf(error) ?? messageOf(error));
    throw new TransientFailure(`${origin}: ${said}.`, { cause: error });
  } finally {
    await dispatcher.destroy();
  }
}

export async function repeatedly(
  once: () => Promise<void>,
  { clock, random, ...policy }: RetryPolicy & { readonly clock: Clock; readonly random: Random },
): Promise<void> {
  await withRetry(once, {
    ...{ policy, clock, random, cooldown: createCooldown(clock), signal: undefined },
    mayRetry: () => true,
    onRetry: () => undefined,
  });
}

/**
 * The address carries its own signature: no message shows it, and nothing is retried.
 * @throws UsageError for an unreadable file or a malformed address, TerminalFailure when the
 * service refuses.
 */
export async function uploadDataset(
  uploadUrl: string,
  file: string,
  network?: Network,
): Promise<{ status: number; bytes: number }> {
  if (!URL.canParse(uploadUrl))
    throw new UsageError(
      "upload_url is not a URL: pass the upload_url that createDataset returned.",
    );
  const size = await fsp.stat(file).then(
    (stat) => stat.size,
    () => {
      throw new UsageError(`The file ${file} cannot be read.`);
    },
  );
  const { origin } = new URL(uploadUrl);
  const dispatcher = createTransport(transferLimits, new URL(uploadUrl), network);
  try {
    const { statusCode, body } = await request(uploadUrl, {
      method: entry.method,
      dispatcher,
      headers: { "content-type": "application/octet-stream", "content-length": String(size) },
      body: fs.createReadStream(file),
    });
    await body.dump();
    if (statusCode >= 200 && statusCode < 300) return { status: statusCode, bytes: size };
    throw new TerminalFailure(
      `The upload to ${origin} was refused (${statusCode}). The address may have been used ` +
        "or expired: create the dataset again.",
    );
  } catch (error) {
    if (error instanceof TerminalFailure) throw error;
    throw new TerminalFailure(`The upload to ${origin} failed: ${messageOf(error)}.`, {
      cause: error,
    });
  } finally {
    await dispatcher.destroy();
  }
}
