import { ZipFile } from "yazl";

/** A ZIP of the given entries; a name that ends in / is a folder. */
export function zipOf(files: Readonly<Record<string, Buffer | string>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) {
    if (name.endsWith("/")) zip.addEmptyDirectory(name);
    else
      zip.addBuffer(Buffer.from(content), name, {
        mtime: new Date(0),
        compress: content.length > 0,
      });
  }
  zip.end();
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    zip.outputStream.on("data", (piece: Buffer) => pieces.push(piece));
    zip.outputStream.on("end", () => resolve(Buffer.concat(pieces)));
    zip.outputStream.on("error", reject);
  });
}

/** A ZIP with one folder per source and one file per condition. */
export const study = (sources: readonly string[], conditions: readonly string[]): Promise<Buffer> =>
  zipOf(
    Object.fromEntries(
      sources.flatMap((source) =>
        conditions.map((one) => [`${source}/${one}.wav`, `${source} ${one}`]),
      ),
    ),
  );
