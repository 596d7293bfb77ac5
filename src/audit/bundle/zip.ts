/** ZIP files with the same bytes for the same contents, and their safe reading. */
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { dirname, join } from "node:path";
import type { Entry } from "yauzl";
import {
  fs,
  fsp,
  makeDir,
  messageOf,
  regularFile,
  unlessMissing,
  UsageError,
  type Digest,
} from "../../platform/index.js";

interface Streamed {
  readonly bytes: number;
  readonly open: () => Promise<Readable>;
  readonly digest: () => Promise<Digest>;
}

export interface ZipEntry {
  readonly path: string;
  readonly content: string | { readonly file: string } | Streamed;
}

/** ZIP times are local: a local midnight gives the same bytes in every time zone. */
const fixed = {
  mtime: new Date(2000, 0, 1),
  mode: 0o100640,
  compress: false,
  forceDosTimestamp: true,
} as const;

/** Sorted, uncompressed, without dates: equal contents give equal bytes. */
export async function writeZip(target: string, entries: readonly ZipEntry[]): Promise<void> {
  const { ZipFile } = await import("yazl");
  const zip = new ZipFile();
  const failed = new Promise<never>((_, reject) => zip.on("error", reject));
  for (const { path, content } of entries.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    if (typeof content === "string") zip.addBuffer(Buffer.from(content), path, fixed);
    else if ("file" in content) zip.addFile(content.file, path, fixed);
    else
      zip.addReadStreamLazy(path, { ...fixed, size: content.bytes }, (done) => {
        content.open().then(
          (stream) => done(null, stream),
          (error: unknown) => zip.emit("error", error),
        );
      });
  }
  zip.end();
  await Promise.race([
    failed,
    pipeline(zip.outputStream, fs.createWriteStream(target, { mode: 0o640 })),
  ]);
}

/** Stated sizes are checked first: entries are not compressed. @throws UsageError if incomplete */
export async function unpackZip(source: string, folder: string): Promise<string[]> {
  const file = await unlessMissing(regularFile(source), null);
  if (file === null) throw new UsageError(`${source}: no such file.`);
  const { size } = await fsp.stat(file);
  try {
    const { openPromise } = await import("yauzl");
    const zip = await openPromise(source, { autoClose: false, strictFileNames: true });
    try {
      const entries: Entry[] = [];
      for await (const entry of zip.eachEntry())
        if (!entry.fileName.endsWith("/")) entries.push(entry);
      const total = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
      if (total > size)
        throw new Error(`its entries unpack to ${total} bytes, more than the file has`);
      for (const entry of entries) {
        const path = join(folder, entry.fileName);
        await makeDir(dirname(path));
        const target = fs.createWriteStream(path, { flags: "wx", mode: 0o640 });
        await pipeline(await zip.openReadStreamPromise(entry), target);
      }
      return entries.map(({ fileName }) => fileName);
    } finally {
      zip.close();
    }
  } catch (error) {
    throw new UsageError(`${source}: not a complete ZIP file (${messageOf(error)}).`, {
      cause: error,
    });
  }
}
