import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { exists, fileMode, fs, fsp, makeDir } from "../files.js";
import { randomHex } from "../random.js";

/** Keeps a response body, compressed, under its digest. The same body is kept once. */
export async function keepRaw(folder: string, body: string, sha256: string): Promise<void> {
  const kept = join(folder, `${sha256}.json.gz`);
  if (await exists(kept)) return;
  await makeDir(folder);
  const temporary = join(folder, `.${randomHex(6)}.tmp`);
  try {
    await pipeline(fs.createReadStream(body), createGzip({ level: 1 }), fs.createWriteStream(temporary, { mode: fileMode }));
    await fsp.rename(temporary, kept);
  } finally {
    await fsp.rm(temporary, { force: true });
  }
}
