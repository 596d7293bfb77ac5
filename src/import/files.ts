import { isUtf8 } from "node:buffer";
import { createHash, type Hash } from "node:crypto";
import { basename, extname, isAbsolute, join, relative } from "node:path";
import picomatch from "picomatch";
import { codeOf, ExportError, fs, fsp, UsageError, type Digest } from "../platform/index.js";
import type { FileSet, Mapping } from "./mapping.js";

const formats = {
  ".csv": "csv",
  ".tsv": "tsv",
  ".tab": "tsv",
  ".json": "json",
  ".jsonl": "jsonl",
  ".ndjson": "jsonl",
  ".parquet": "parquet",
} as const;
/** Endings of spreadsheets, whose cells are not the text that is shown. */
const spreadsheets = [".xlsx", ".xlsm", ".xlsb", ".xls", ".ods", ".numbers"];
type SourceFormat = NonNullable<FileSet["format"]>;

/** A file of a study on this machine. */
export interface SourceFile {
  /** As the mapping names it, relative to its folder, with forward slashes. */
  readonly path: string;
  readonly file: string;
  readonly format: SourceFormat;
}

/** The files that a name of the mapping stands for, in the order of their paths. @throws UsageError */
export async function filesOf(
  { files, folder, at }: Pick<Mapping, "files" | "folder" | "at">,
  name: string,
): Promise<SourceFile[]> {
  const { paths, format } = files[name] as FileSet;
  const where = at(["files", name]);
  const found = new Set<string>();
  for (const path of paths) {
    const { base, isGlob } = picomatch.scan(path);
    if (!isGlob) {
      found.add(isAbsolute(path) ? path : join(folder, path));
      continue;
    }
    const root = isAbsolute(path) ? base : join(folder, base);
    const fits = picomatch(path);
    const all = await fsp.readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
    const shown = (file: string) => (isAbsolute(path) ? file : relative(folder || ".", file));
    const own = all.map((entry) => join(entry.parentPath, entry.name)).filter((file) => fits(shown(file)));
    if (own.length === 0) throw new UsageError(`${where}: no file matches ${path}. Check the pattern.`);
    for (const file of own) found.add(file);
  }
  return Promise.all(
    [...found].toSorted().map(async (file) => {
      await checkRegular(file, where);
      const ending = extname(file).toLowerCase();
      if (spreadsheets.includes(ending))
        throw new UsageError(`${where}: ${file} is a spreadsheet. Save each sheet as CSV in UTF-8 and name that file.`);
      const own = format ?? (formats as Readonly<Record<string, SourceFormat>>)[ending];
      if (own === undefined)
        throw new UsageError(
          `${where}: the format of ${file} cannot be told from its extension. State it, for example format: csv; there are ${[...new Set(Object.values(formats))].join(", ")}.`,
        );
      return { path: relative(folder || ".", file).replaceAll("\\", "/"), file, format: own };
    }),
  );
}

/** Only a regular file can be read twice and found unchanged. @throws UsageError */
async function checkRegular(file: string, where: string): Promise<void> {
  const stats = await fsp.stat(file).catch((error: unknown) => {
    throw new UsageError(`${where}: ${file} cannot be read (${codeOf(error) ?? "unknown"}). Check the path.`, {
      cause: error,
    });
  });
  if (stats.isFile()) return;
  const is = stats.isDirectory()
    ? "a folder: name the files in it, for example votes/*.csv"
    : "a pipe or device: copy it to a file";
  throw new UsageError(`${where}: ${file} is ${is}.`);
}

/** Longest record of a file: a longer one is more likely an unclosed quote. */
const longestRecord = 1 << 24;

const piece = 1 << 20;

/** What a reading of all bytes found. */
export interface Screened extends Digest {
  readonly source: SourceFile;
  /** Of a text file with a record a line or more: the names of the columns, and the rows below the header. */
  readonly columns: readonly string[];
  readonly records: number;
  /** The line on which a record begins, from 1; records are counted from 1 below the header. */
  readonly lineOf: (record: number) => number;
  /** Whether each record is one line, so that the engine can read pieces of the file at once. */
  readonly isLines: boolean;
  /** What tells that the file changed. */
  readonly state: string;
}

const stateOf = (file: string) => {
  const { dev, ino, size, mtimeNs, ctimeNs } = fs.statSync(file, { bigint: true });
  return [dev, ino, size, mtimeNs, ctimeNs].join(" ");
};

/** @throws ExportError if the file is not the one that was screened any more */
export function checkUnchanged({ source, state }: Screened): void {
  if (stateOf(source.file) === state) return;
  throw new ExportError(`${source.file} changed while it was read. Run the import again.`);
}

const refuse = (file: string, says: string): never => {
  throw new UsageError(`${file}${says}`);
};

const magics: readonly (readonly [string, string])[] = [
  ["504b0304", "is a ZIP archive: unpack it"],
  ["1f8b", "is compressed with gzip: unpack it"],
  ["28b52ffd", "is compressed with zstd: unpack it"],
  ["fffe", "is in UTF-16: save it as UTF-8"],
  ["feff", "is in UTF-16: save it as UTF-8"],
];

/**
 * Reads every byte of a file: its digest, that it is text in UTF-8, and of CSV its records and columns, counted by other
 * code than the engine's. @throws UsageError naming file and line
 */
export async function screen(source: SourceFile, options: FileSet): Promise<Screened> {
  const { file, format } = source;
  const state = stateOf(file);
  const hash = createHash("sha256");
  if (format === "parquet") {
    const bytes = await eachPiece(file, hash, () => undefined);
    return { source, state, sha256: hash.digest("hex"), bytes, ...uncounted };
  }
  const isTable = format === "csv" || format === "tsv";
  const counter = isTable
    ? createRecordCounter(file, delimiterOf(source, options), options.header_rows ?? 1)
    : lineCounter(file);
  const check = createUtf8Check();
  let isFirst = true;
  const bytes = await eachPiece(file, hash, (chunk) => {
    if (isFirst) {
      const head = chunk.subarray(0, 4).toString("hex");
      const known = magics.find(([magic]) => head.startsWith(magic));
      if (known) refuse(file, ` ${known[1]}.`);
    }
    isFirst = false;
    if (!check.add(chunk)) refuse(file, `, line ${counter.line()} or later: not in UTF-8. Save it as UTF-8.`);
    counter.add(chunk);
  });
  if (!check.isComplete())
    refuse(file, `, line ${counter.line()}: ends within a character of UTF-8: the file is truncated.`);
  return { source, state, sha256: hash.digest("hex"), bytes, ...counter.end() };
}

/** Whether pieces are text in UTF-8, a character of which may be in two of them. */
function createUtf8Check() {
  let rest = Buffer.alloc(0);
  return {
    add(chunk: Buffer): boolean {
      const whole = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let end = whole.length;
      // The last character, if it may have more bytes than are here.
      for (let i = 1; i <= 3 && i <= whole.length; i++) {
        const byte = whole[whole.length - i] as number;
        if (byte < 0x80) break;
        if (byte < 0xc0) continue;
        const size = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
        if (size > i) end = whole.length - i;
        break;
      }
      rest = Buffer.from(whole.subarray(end));
      return isUtf8(whole.subarray(0, end));
    },
    isComplete: () => rest.length === 0,
  };
}

async function eachPiece(file: string, hash: Hash, each: (chunk: Buffer) => void): Promise<number> {
  let bytes = 0;
  for await (const chunk of fs.createReadStream(file, { highWaterMark: piece }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
    each(chunk);
  }
  return bytes;
}

/** What separates the cells of a text file. */
export const delimiterOf = ({ format }: SourceFile, { delimiter }: FileSet): string =>
  delimiter ?? (format === "tsv" ? "\t" : ",");

interface Counter {
  readonly add: (chunk: Buffer) => void;
  readonly line: () => number;
  readonly end: () => CountedRecords;
}

type CountedRecords = Pick<Screened, "columns" | "records" | "lineOf" | "isLines">;

const uncounted: CountedRecords = { columns: [], records: 0, lineOf: (record) => record, isLines: false };

function lineCounter(file: string): Counter {
  let line = 1;
  return {
    line: () => line,
    add(chunk) {
      if (chunk.includes(0)) refuse(file, `, line ${line} or later: has a NUL character, which no text has.`);
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) line++;
    },
    end: () => uncounted,
  };
}

const quote = 34;
const lf = 10;
const cr = 13;

/**
 * Counts the records of CSV (RFC 4180) and their cells: a quote opens a cell or is doubled within one, and a record ends
 * with a line end outside quotes. Every record has as many cells as the header; lines without any character are none.
 */
function createRecordCounter(file: string, delimiter: string, headerRows: number): Counter {
  const separator = delimiter.charCodeAt(0);
  /** Records whose line is not the one after that of the record before, and that line. */
  const jumps: [record: number, line: number][] = [];
  const header: number[] = [];
  let line = 1;
  let begin = 1;
  let expected = 0;
  let records = 0;
  let cells = 1;
  let length = 0;
  let lastBegin = 0;
  const stops = new Uint8Array(256);
  for (const byte of [0, quote, separator, lf, cr]) stops[byte] = 1;
  /** start of a cell, plain text, inside quotes, after a quote inside quotes */
  let state: "start" | "plain" | "quoted" | "closed" = "start";
  let skipsLf = false;
  let bytes = 0;

  function endRecord(): void {
    if (length === 0) {
      begin = line + 1;
      return;
    }
    if (records === 0) expected = cells;
    else if (cells !== expected && records >= headerRows)
      refuse(
        file,
        `, line ${begin}: has ${cells} cells, but the header has ${expected}. Correct the line, or quote cells with ${JSON.stringify(delimiter)} or line ends.`,
      );
    if (begin !== lastBegin + 1) jumps.push([records, begin]);
    lastBegin = begin;
    begin = line + 1;
    records++;
    cells = 1;
    length = 0;
    state = "start";
  }
  function checkLength(): void {
    if (length > longestRecord)
      refuse(file, `, line ${begin}: has more than 16 MiB. Check its line ends, and for a quote that is not closed.`);
  }
  const oddQuote = () =>
    refuse(
      file,
      `, line ${line}: has a quote inside a cell. Quote the whole cell and double the quotes in it, as "5"" disk".`,
    );
  return {
    line: () => line,
    add(chunk) {
      let at = 0;
      if (bytes === 0 && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf) at = 3;
      bytes += chunk.length;
      for (; at < chunk.length; at++) {
        const byte = chunk[at] as number;
        if (skipsLf) {
          skipsLf = false;
          if (byte === lf) continue;
        }
        if (records === 0) header.push(byte);
        else if (stops[byte] === 0 && state !== "closed") {
          const from = at;
          while (at + 1 < chunk.length && stops[chunk[at + 1] as number] === 0) at++;
          length += at - from + 1;
          if (state === "start") state = "plain";
          checkLength();
          continue;
        }
        if (state === "quoted") {
          length++;
          if (byte === quote) state = "closed";
          else if (byte === lf) line++;
          else if (byte === 0) refuse(file, `, line ${line}: has a NUL character, which no text has.`);
        } else if (byte === lf || byte === cr) {
          endRecord();
          line++;
          skipsLf = byte === cr;
        } else if (byte === separator) {
          cells++;
          length++;
          state = "start";
        } else if (byte === quote) {
          length++;
          if (state === "plain") oddQuote();
          state = "quoted";
        } else {
          length++;
          if (state === "closed") oddQuote();
          if (byte === 0) refuse(file, `, line ${line}: has a NUL character, which no text has.`);
          state = "plain";
        }
        checkLength();
      }
    },
    end() {
      if (state === "quoted") refuse(file, `, line ${begin}: a quote is not closed.`);
      endRecord();
      if (records === 0) refuse(file, ` is empty: it has no header.`);
      if (records < headerRows) refuse(file, ` has ${records} of ${headerRows} header rows.`);
      const columns = cellsOf(
        Buffer.from(header)
          .toString()
          .replace(/[\r\n]+$/, ""),
        delimiter,
      );
      const lineOf = (record: number) => {
        const place = record + headerRows - 1;
        let last: readonly [number, number] = [0, 1];
        for (const jump of jumps) if (jump[0] <= place) last = jump;
        return last[1] + place - last[0];
      };
      return { columns, records: records - headerRows, lineOf, isLines: jumps.length <= 1 };
    },
  };
}

/** The cells of the header; an empty one is called `column 1` by its place. */
function cellsOf(header: string, delimiter: string): string[] {
  const cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  for (let i = 0; i < header.length; i++) {
    const character = header.charAt(i);
    if (character === '"' && isQuoted && header[i + 1] === '"') {
      cell += character;
      i++;
    } else if (character === '"') isQuoted = !isQuoted;
    else if (character === delimiter && !isQuoted) {
      cells.push(cell);
      cell = "";
    } else cell += character;
  }
  return [...cells, cell].map((name, i) => (name === "" ? `column ${i + 1}` : name));
}

/** The name of a file without folder and ending. */
export const stemOf = ({ path }: SourceFile): string => basename(path, extname(path));
