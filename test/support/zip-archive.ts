import { ZipFile } from "yazl";

export function zipOf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    zip.outputStream.on("data", (piece: Buffer) => pieces.push(piece));
    zip.outputStream.on("end", () => resolve(Buffer.concat(pieces)));
    zip.outputStream.on("error", reject);
  });
}
