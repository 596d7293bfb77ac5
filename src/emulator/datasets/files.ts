import { type Entry, open, type ZipFile } from "yauzl";
import { fsp, messageOf } from "../../platform/index.js";

/** File names of stimuli. */
const media =
  /\.(wav|flac|mp3|ogg|opus|m4a|aac|aiff?|png|jpe?g|webp|gif|bmp|tiff?|avif|mp4|webm|mov|mkv|avi|y4m|html?|txt)$/i;

export interface Named {
  source: string;
  condition: string;
  is_reference: boolean;
}

export const isMedia = (path: string): boolean => media.test(path);

/** Folder and file of a path as source and condition; `reference.*` is the reference. Null if the path is too deep. */
export function named(path: string): Named | null {
  const parts = path.split("/");
  if (parts.length > 2) return null;
  const file = parts.at(-1) ?? "";
  const condition = file.replace(/\.[^.]+$/, "");
  return {
    source: parts.length === 2 ? (parts[0] ?? "") : "",
    condition,
    is_reference: condition.toLowerCase() === "reference",
  };
}

/** Files that archivers add; they are ignored. */
export const isClutter = (path: string): boolean =>
  path.split("/").some((part) => part.startsWith(".") || part === "__MACOSX" || part === "Thumbs.db");

/** Limits of an uploaded dataset: assumptions, docs/emulator.md. */
export interface UploadLimits {
  /** Bytes of the file as sent. */
  fileBytes: number;
  /** Bytes of all entries unpacked. */
  unpackedBytes: number;
  /** Unpacked bytes for each packed byte. */
  ratio: number;
  entries: number;
}

export const defaultLimits: UploadLimits = {
  fileBytes: 256 * 1024 ** 2,
  unpackedBytes: 1024 ** 3,
  ratio: 200,
  entries: 10_000,
};

/** The stimuli of a dataset file, or why it cannot be used. */
export type Contents = { stimuli: Named[]; errors: [] } | { stimuli: []; errors: string[] };

export const refused = (...errors: string[]): Contents => ({ stimuli: [], errors });

/** Reads a ZIP archive without unpacking anything to disk. Never throws: problems become messages. */
export async function readArchive(path: string, fileBytes: number, limits: UploadLimits): Promise<Contents> {
  let zip: ZipFile;
  try {
    zip = await opened(path);
  } catch (error) {
    return refused(`The file is not a readable ZIP archive (${messageOf(error)}).`);
  }
  try {
    if (zip.entryCount > limits.entries)
      return refused(`The archive has ${zip.entryCount} entries; at most ${limits.entries} are read.`);
    const entries = await listed(zip);
    const errors = objections(entries, fileBytes, limits);
    if (errors.length > 0) return refused(...errors.slice(0, 20));
    const files = entries.filter(({ fileName }) => !fileName.endsWith("/") && !isClutter(fileName));
    for (const entry of files) await readThrough(zip, entry);
    const stimuli = files
      .flatMap(({ fileName }) => (isMedia(fileName) ? [named(fileName)] : []))
      .filter((one) => one !== null);
    return stimuli.length === 0 ? refused("The archive holds no media files.") : { stimuli, errors: [] };
  } catch (error) {
    return refused(`The archive cannot be read (${messageOf(error)}).`);
  } finally {
    zip.close();
  }
}

const opened = (path: string): Promise<ZipFile> =>
  new Promise((resolve, reject) => {
    open(
      path,
      { lazyEntries: true, autoClose: false, strictFileNames: true, validateEntrySizes: true },
      (error, zip) => (error === null ? resolve(zip) : reject(error)),
    );
  });

const listed = (zip: ZipFile): Promise<Entry[]> =>
  new Promise((resolve, reject) => {
    const entries: Entry[] = [];
    zip.on("entry", (entry: Entry) => {
      entries.push(entry);
      zip.readEntry();
    });
    zip.on("end", () => resolve(entries));
    zip.on("error", reject);
    zip.readEntry();
  });

function objections(entries: readonly Entry[], fileBytes: number, limits: UploadLimits): string[] {
  const errors: string[] = [];
  const packed = entries.reduce((sum, entry) => sum + entry.compressedSize, 0);
  const unpacked = entries.reduce((sum, entry) => sum + entry.uncompressedSize, 0);
  if (packed > fileBytes) errors.push("The entries of the archive overlap.");
  if (unpacked > limits.unpackedBytes)
    errors.push(`The archive unpacks to ${unpacked} bytes; at most ${limits.unpackedBytes} are read.`);
  const dense = entries.find(
    (entry) => entry.uncompressedSize > 1024 ** 2 && entry.uncompressedSize > limits.ratio * entry.compressedSize,
  );
  if (dense !== undefined) errors.push(`${dense.fileName}: unpacks to more than ${limits.ratio} times its size.`);
  const seen = new Set<string>();
  const stems = new Set<string>();
  for (const { fileName, generalPurposeBitFlag } of entries) {
    if (fileName.endsWith("/") || isClutter(fileName)) continue;
    if ((generalPurposeBitFlag & 1) === 1) errors.push(`${fileName}: is encrypted.`);
    if (/\.(zip|tar|gz|7z|rar)$/i.test(fileName))
      errors.push(`${fileName}: an archive inside the archive is not read.`);
    const name = named(fileName);
    if (name === null) errors.push(`${fileName}: is deeper than source/condition.`);
    const stem = name === null ? fileName : `${name.source}/${name.condition}`.toLowerCase();
    if (seen.has(fileName.toLowerCase())) errors.push(`${fileName}: the name is used twice.`);
    else if (isMedia(fileName) && stems.has(stem))
      errors.push(`${fileName}: another file in its folder has the same name except for the extension.`);
    seen.add(fileName.toLowerCase());
    if (isMedia(fileName)) stems.add(stem);
  }
  return errors;
}

/** Decompresses an entry to check its sizes and checksum, and discards it. */
const readThrough = (zip: ZipFile, entry: Entry): Promise<void> =>
  new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error !== null) {
        reject(error);
        return;
      }
      stream.on("error", reject);
      stream.on("end", resolve);
      stream.resume();
    });
  });

const maxTextBytes = 16 * 1024 ** 2;

/** Reads a text file with one address per line; its last folder is the source, its file the condition. */
export async function readAddresses(path: string, fileBytes: number, limits: UploadLimits): Promise<Contents> {
  if (fileBytes > maxTextBytes)
    return refused(`The list of addresses has ${fileBytes} bytes; at most ${maxTextBytes} are read.`);
  const lines = (await fsp.readFile(path, "utf8")).split(/\r?\n/).map((line) => line.trim());
  const addresses = lines.map((line, index) => ({ line, number: index + 1 })).filter(({ line }) => line !== "");
  if (addresses.length === 0) return refused("The file holds no addresses.");
  if (addresses.length > limits.entries)
    return refused(`The file has ${addresses.length} addresses; at most ${limits.entries} are read.`);
  const wrong = addresses.filter(({ line }) => !isAddress(line));
  if (wrong.length > 0)
    return refused(...wrong.slice(0, 20).map(({ number }) => `Line ${number} is not an http or https address.`));
  const stimuli = addresses.map(({ line }) => nameOf(line));
  const seen = new Set<string>();
  const doubled = stimuli.find(({ source, condition }) => seen.size === seen.add(`${source}/${condition}`).size);
  return doubled === undefined
    ? { stimuli, errors: [] }
    : refused(`${doubled.source}/${doubled.condition}: the name is used twice.`);
}

const isAddress = (line: string): boolean =>
  line.length <= 4096 && URL.canParse(line) && /^https?:$/.test(new URL(line).protocol);

function nameOf(line: string): Named {
  const parts = new URL(line).pathname.split("/").filter((part) => part !== "");
  return named(parts.slice(-2).join("/")) ?? { source: "", condition: line, is_reference: false };
}
