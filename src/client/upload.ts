import { request } from "undici";
import { uploadDataset as entry } from "../contract/index.js";
import { messageOf, UsageError, fs, fsp } from "../platform/index.js";
import { TerminalFailure } from "./failures.js";

/**
 * Streams `file` to the signed address of a created dataset. No credentials go with it: the address carries its own
 * signature, and so it stands in no message. An address works once, so nothing is tried again.
 * @throws UsageError for a file or address that is none, TerminalFailure when the service refuses.
 */
export async function uploadDataset(uploadUrl: string, file: string): Promise<{ status: number; bytes: number }> {
  if (!URL.canParse(uploadUrl))
    throw new UsageError("upload_url is not a URL: give the upload_url that createDataset answered.");
  const size = await fsp.stat(file).then(
    (stat) => stat.size,
    () => {
      throw new UsageError(`The file ${file} cannot be read.`);
    },
  );
  const { origin } = new URL(uploadUrl);
  try {
    const { statusCode, body } = await request(uploadUrl, {
      method: entry.method,
      headers: { "content-type": "application/octet-stream", "content-length": String(size) },
      body: fs.createReadStream(file),
    });
    await body.dump();
    if (statusCode >= 200 && statusCode < 300) return { status: statusCode, bytes: size };
    throw new TerminalFailure(
      `The upload to ${origin} was refused (${statusCode}). The address may be used or expired: create the dataset anew.`,
    );
  } catch (error) {
    if (error instanceof TerminalFailure) throw error;
    throw new TerminalFailure(`The upload to ${origin} failed: ${messageOf(error)}.`, { cause: error });
  }
}
