// The files of a study: which ones a mapping names, and a check of all their bytes.
import { createHash, type Hash } from "node:crypto";
import { basename, extname, isAbsolute, join, relative } from "node:path";
import picomatch from "picomatch";
import {
  codeOf,
  exists,
  ExportError,
  fs,
  fsp,
  regularFile,
  UsageError,
  type Digest,
  pieceBytes,
} from "../platform/index.js";
import type { FileSet, Mapping } from "./mapping.js";
import type { FileOptions } from "./schema.js";

const fileFormats = {
  ".csv": "csv",
  ".tsv": "tsv",
  ".tab": "tsv",
  ".json": "json",
  ".jsonl": "jsonl",
  ".ndjson": "jsonl",
  ".parquet": "parquet",
} as const;
const spreadsheets = [".xlsx", ".xlsm", ".xlsb", ".xls", ".ods", ".numbers"];
type SourceFormat = NonNullable<FileSet["format"]>;

export interface SourceFile {
  /** Relative to the mapping's folder, with forward slashes. */
  readonly path: string;
  readonly file: string;
  readonly format: SourceFormat;
  /** Of rows of a query: what their `line` numbers, of the file of this path or of their `file`. */
  readonly placed?: { readonly path?: string | undefined; readonly noun: string } | undefined;
}

export const shownFile = ({ file, path }: SourceFile, { sql }: FileOptions): string =>
  sql === undefined ? file : `files.${path}`;

/** In the order of their paths. @throws UsageError. */
export async function filesNamed(
  { files, folder, at }: Pick<Mapping, "files" | "folder" | "at">,
  name: string,
): Promise<SourceFile[]> {
  const { paths, format } = files[name] as FileSet;
  const where = at(["files", name]);
  const found = new Set<string>();
  for (const path of paths) {
    if (/^\w+:\/\//.test(path))
      throw new UsageError(
        `${where}: ${path} is an address. Download it and name the file: curl -LO '${path}'.`,
      );
    const { base, isGlob } = picomatch.scan(path);
    const named = isAbsolute(path) ? path : join(folder, path);
    // `votes (1).csv` is a pattern, but whoever names an existing file means that file.
    if (!isGlob || (!/[*?]/.test(path) && (await exists(named)))) {
      found.add(named);
      continue;
    }
    const root = isAbsolute(path) ? base : join(folder, base);
    const fits = picomatch(path);
    const all = await fsp.readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
    const shown = (file: string) => (isAbsolute(path) ? file : relative(folder || ".", file));
    const own = all
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => fits(shown(file)));
    if (own.length === 0)
      throw new UsageError(`${where}: no file matches ${path}. Check the pattern.`);
    for (const file of own) found.add(file);
  }
  return Promise.all(
    [...found].toSorted().map(async (file) => {
      await regularFile(file, { advice: " Name files, as votes/*.csv, or copy it to one." }).catch(
        (error: unknown) => {
          const says =
            error instanceof UsageError
              ? error.message
              : `${file} cannot be read (${codeOf(error) ?? "unknown"}). Check the path.`;
          throw new UsageError(`${where}: ${says}`, { cause: error });
        },
      );
      const ending = extname(file).toLowerCase();
      if (spreadsheets.includes(ending))
        throw new UsageError(
          `${where}: ${file} is a spreadsheet. Save each sheet as CSV in UTF-8 and name that file.`,
        );
      const own = format ?? (fileFormats as Readonly<Record<string, SourceFormat>>)[ending];
      if (own === undefined)
        throw new UsageError(
          `${where}: the format of ${file} cannot be told from its extension. State it, for ` +
            "example format: csv; there are " +
            `${[...new Set(Object.values(fileFormats))].join(", ")}.`,
        );
      return { path: relative(folder || ".", file).replaceAll("\\", "/"), file, format: own };
    }),
  );
}

/** Bytes: a longer record is more likely an unclosed quote. */
const longestRecord = 1 << 24;

export interface Screened extends Digest {
  readonly source: SourceFile;
  /** Of a text file with a record a line or more; rows are below the header. */
  readonly columns: readonly string[];
  readonly records: number;
  /** From 1; records are counted from 1 below the header. */
  readonly lineOf: (record: number) => number;
  /** The engine can read pieces of the file at once. */
  readonly isLines: boolean;
  readonly state: string;
}

const fileStateOf = (file: string) => {
  const { dev, ino, size, mtimeNs, ctimeNs } = fs.statSync(file, { bigint: true });
  return [dev, ino, size, mtimeNs, ctimeNs].join(" ");
};

/** @throws ExportError if the file is no longer the one that was screened. */
export function checkUnchanged({ source, state }: Screened): void {
  if (fileStateOf(source.file) === state) return;
  throw new ExportError(`${source.file} changed while it was read. Run the import again.`);
}

const refuse = (file: string, says: string): never => {
  throw new UsageError(`${file}${says}`);
};

const magics: Readonly<Record<string, string>> = {
  "^504b0304": "is a ZIP archive or a spreadsheet: unpack it or save it as CSV",
  "^(1f8b|28b52ffd)": "is compressed: unpack it",
  "^(fffe|feff)": "is in UTF-16: save it as UTF-8",
};

/**
 * Digest, UTF-8, and of CSV the records and columns, counted by other code than the engine's.
 * @throws UsageError naming file and line.
 */
export async function screen(source: SourceFile, options: FileSet): Promise<Screened> {
  const { file, format } = source;
  const state = fileStateOf(file);
  const hash = createHash("sha256");
  if (format === "parquet") {
    const bytes = await eachPiece(file, hash, () => undefined);
    return { source, state, sha256: hash.digest("hex"), bytes, ...uncounted };
  }
  const isTable = format === "csv" || format === "tsv";
  const counter = isTable
    ? createRecordCounter(file, delimiterOf(source, options), options)
    : lineCounter(file);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const checkUtf8 = (chunk?: Buffer) => {
    try {
      decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      const says = "not in UTF-8, or the file is truncated. Save it as UTF-8.";
      refuse(file, `, line ${counter.line()}${chunk ? " or later" : ""}: ${says}`);
    }
  };
  let isFirst = true;
  const bytes = await eachPiece(file, hash, (chunk) => {
    if (isFirst) {
      const head = chunk.subarray(0, 4).toString("hex");
      for (const [magic, says] of Object.entries(magics))
        if (RegExp(magic).test(head)) refuse(file, ` ${says}.`);
    }
    isFirst = false;
    checkUtf8(chunk);
    counter.add(chunk);
  });
  checkUtf8();
  return { source, state, sha256: hash.digest("hex"), bytes, ...counter.end() };
}

async function eachPiece(file: string, hash: Hash, each: (chunk: Buffer) => void): Promise<number> {
  let bytes = 0;
  for await (const chunk of fs.createReadStream(file, {
    highWaterMark: pieceBytes,
  }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
    each(chunk);
  }
  return bytes;
}

export const delimiterOf = ({ format }: SourceFile, { delimiter }: FileSet): string =>
  delimiter ?? (format === "tsv" ? "\t" : ",");

type CountedRecords = Pick<Screened, "columns" | "records" | "lineOf" | "isLines">;

interface Counter {
  readonly add: (chunk: Buffer) => void;
  readonly line: () => number;
  readonly end: () => CountedRecords;
}

const uncounted: CountedRecords = {
  columns: [],
  records: 0,
  lineOf: (record) => record,
  isLines: false,
};

function lineCounter(file: string): Counter {
  let line = 1;
  return {
    line: () => line,
    add(chunk) {
      if (chunk.includes(0)) refuse(file, `, line ${line} or later: ${nulSays}`);
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) line++;
    },
    end: () => uncounted,
  };
}

const nulSays = "has a NUL character, which no text has. Save it as UTF-8.";

export const quoteOf = ({ quote = '"' }: FileSet): string | undefined =>
  quote === "none" ? undefined : quote;

const lf = 10;
const cr = 13;

/** Only jumps are remembered, where a record is not on the line after the one before. */
function createLineNumbers() {
  const jumps: [record: number, line: number][] = [];
  let last = 0;
  return {
    begin(record: number, line: number): void {
      if (line !== last + 1) jumps.push([record, line]);
      last = line;
    },
    lineOf(record: number): number {
      const [first, line] = jumps.findLast(([begins]) => begins <= record) ?? [0, 1];
      return line + record - first;
    },
    isLines: () => jumps.length <= 1,
  };
}

/** RFC 4180. Every record has as many cells as the header; lines without a character are none. */
function createRecordCounter(file: string, delimiter: string, options: FileSet): Counter {
  const { header_rows: headerRows = 1, skip_lines: skipLines = 0 } = options;
  const quote = quoteOf(options)?.charCodeAt(0);
  const refuseAt = (at: number, says: string) => refuse(file, `, line ${at}: ${says}`);
  const numbers = createLineNumbers();
  const separator = delimiter.charCodeAt(0);
  const stops = Uint8Array.from({ length: 256 }, (_, byte) =>
    Number([0, quote, separator, lf, cr].includes(byte)),
  );
  const header: number[][] = [[]];
  let line = 1;
  let expected = 0;
  let records = 0;
  let bytes = 0;
  let begin = 1;
  let cells = 1;
  let length = 0;
  /** Start of a cell, plain text, inside quotes, after a quote inside quotes. */
  let state: "start" | "plain" | "quoted" | "closed" = "start";
  let skipsLf = false;
  let lineEnd: number | undefined;

  function endRecord(): void {
    if (length > 0) {
      if (records === 0) expected = cells;
      else if (cells !== expected && records >= headerRows)
        refuseAt(
          begin,
          `has ${cells} cells, but the header has ${expected}. Correct the line, quote cells ` +
            `with ${JSON.stringify(delimiter)} or line ends, or state another delimiter, as ` +
            'delimiter: ";", or skip_lines if the header is further down.',
        );
      numbers.begin(records++, begin);
    }
    begin = line + 1;
    cells = 1;
    length = 0;
    state = "start";
  }
  function addByte(byte: number): void {
    length++;
    if (byte === 0) refuseAt(line, nulSays);
    if (records === 0)
      if (byte === separator && state !== "quoted") header.push([]);
      else if (byte !== quote || state === "closed") header.at(-1)?.push(byte);
    if (state === "quoted") {
      if (byte === quote) state = "closed";
      else if (byte === lf) line++;
    } else if (byte === separator) {
      cells++;
      state = "start";
    } else {
      if (state === (byte === quote ? "plain" : "closed"))
        refuseAt(
          line,
          `has a quote inside a cell. Quote the whole cell and double the quotes in it, as ` +
            '"5"" disk", or state quote: none if quotes are text.',
        );
      state = byte === quote ? "quoted" : "plain";
    }
  }
  return {
    line: () => line,
    add(chunk) {
      const isMarked = bytes === 0 && chunk.subarray(0, 3).toString("hex") === "efbbbf";
      bytes += chunk.length;
      for (let at = isMarked ? 3 : 0; at < chunk.length; at++) {
        const byte = chunk[at] as number;
        const isSkipped = skipsLf && byte === lf;
        skipsLf = false;
        if (isSkipped) continue;
        if (line <= skipLines) {
          skipsLf = byte === cr;
          if (byte === lf || byte === cr) begin = ++line;
          continue;
        }
        if (records > 0 && stops[byte] === 0 && state !== "closed") {
          const from = at;
          while (at + 1 < chunk.length && stops[chunk[at + 1] as number] === 0) at++;
          length += at - from;
        }
        if (state !== "quoted" && (byte === lf || byte === cr)) {
          if ((lineEnd ??= byte) !== byte)
            refuseAt(
              line,
              "ends in another way than the lines before it. Save all with LF, or all with CR LF.",
            );
          endRecord();
          line++;
          skipsLf = byte === cr;
        } else addByte(byte);
        if (length > longestRecord)
          refuseAt(
            begin,
            "has more than 16 MiB. Check its line ends, and for a quote that is not closed.",
          );
      }
    },
    end() {
      if (state === "quoted") refuseAt(begin, "a quote is not closed.");
      endRecord();
      if (records === 0) refuse(file, ` is empty: it has no header.`);
      if (records < headerRows) refuse(file, ` has ${records} of ${headerRows} header rows.`);
      const lineOf = (record: number) => numbers.lineOf(record + headerRows - 1);
      return {
        columns: header
          .map((bytes) => Buffer.from(bytes).toString())
          .map((name) => (options.trim === true ? name.trim() : name))
          .map((name, i) => (name === "" || headerRows === 0 ? `column ${i + 1}` : name)),
        records: records - headerRows,
        lineOf,
        isLines: numbers.isLines(),
      };
    },
  };
}

export const stemOf = ({ path }: SourceFile): string => basename(path, extname(path));
