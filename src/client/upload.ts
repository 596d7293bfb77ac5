import { request } from "undici";
import { uploadDataset as entry } from "../contract/index.js";
import { messageOf, UsageError, fs, fsp } from "../platform/index.js";
import { TerminalFailure } from "./failures.js";
import { defaultLimits } from "./limits.js";
import type { Network } from "./network.js";
import { createTransport } from "./transport.js";

/**
 * Streams `file` to the signed address of a created dataset, without credentials: the address carries its own
 * signature, so no message shows it. An address works once, so nothing is retried.
 * @throws UsageError for an unreadable file or a malformed address, TerminalFailure when the service refuses.
 */
export async function uploadDataset(
  uploadUrl: string,
  file: string,
  network?: Network,
): Promise<{ status: number; bytes: number }> {
  if (!URL.canParse(uploadUrl))
    throw new UsageError("upload_url is not a URL: pass the upload_url that createDataset returned.");
  const size = await fsp.stat(file).then(
    (stat) => stat.size,
    () => {
      throw new UsageError(`The file ${file} cannot be read.`);
    },
  );
  const { origin } = new URL(uploadUrl);
  const dispatcher = createTransport(defaultLimits, network);
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
      `The upload to ${origin} was refused (${statusCode}). The address may have been used or expired: create the dataset again.`,
    );
  } catch (error) {
    if (error instanceof TerminalFailure) throw error;
    throw new TerminalFailure(`The upload to ${origin} failed: ${messageOf(error)}.`, { cause: error });
  } finally {
    await dispatcher.destroy();
  }
}
