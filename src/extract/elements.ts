// Splits the JSON list of a body into its elements, without parsing them.
import { isUtf8 } from "node:buffer";
import { TransientFailure, unmarked } from "../client/index.js";
import { fileMode, fs, fsp, jsonIn, isBlank, pieceBytes } from "../platform/index.js";
import { ascii } from "./ascii.js";
import { repeatsField } from "./repeated-fields.js";
import { byteTables, isOfFalse, maximumElement } from "./scan-record.js";

const {
  quote,
  backslash,
  comma,
  openBrace,
  closeBrace,
  openBracket,
  closeBracket,
  space,
  newline,
} = ascii;
const { isStructural } = byteTables;

type Flaw = "not JSON" | "too large";

/** Inside an element, only a comma or bracket outside all its own brackets ends it. */
type SplitPlace =
  | "before the body"
  | "before the first element"
  | "after a comma"
  | "in an element"
  | "after the body";

interface Splitter {
  /** @throws TransientFailure when the text is not one list or object. */
  push(piece: Buffer): void;
  /** The number of elements. @throws TransientFailure when the body is not complete. */
  finish(): number;
}

const refuseBody = (what: string): never => {
  throw new TransientFailure(`malformed body: it has ${what}.`);
};

/**
 * Longest text of a flawed element in quarantine, and the characters that are kept of a longer one.
 */
const longestRaw = 1 << 20;
const shownRaw = 1000;

function trimmed(bytes: Buffer): Buffer {
  let to = bytes.length;
  while (isBlank(bytes[to - 1])) to--;
  return bytes.subarray(0, to);
}

/** Without blanks around them; of an element that is too large the first bytes. */
type OnElement = (bytes: Buffer, flaw: Flaw | undefined) => void;

function gatherElements(onElement: OnElement) {
  let held: Buffer = Buffer.alloc(0);
  let begins = 0;
  let flaw: Flaw | undefined;
  return {
    begin(at: number): void {
      begins = at;
    },
    isNoJson(): void {
      flaw ??= "not JSON";
    },
    /** Of a long run of blanks at the end so far one is enough. */
    hold(piece: Buffer, isOpen: boolean): void {
      const bytes = Buffer.concat([held, piece.subarray(begins)]);
      held = isOpen ? bytes : bytes.subarray(0, trimmed(bytes).length + 1);
      if (held.length > maximumElement) flaw = "too large";
      if (flaw === "too large") held = held.subarray(0, longestRaw);
      begins = 0;
    },
    end(piece: Buffer, to: number): void {
      const own = piece.subarray(begins, to);
      const bytes = trimmed(held.length === 0 ? own : Buffer.concat([held, own]));
      onElement(bytes, bytes.length > maximumElement ? "too large" : flaw);
      held = Buffer.alloc(0);
      flaw = undefined;
    },
  };
}

/** A single object is one element. What follows an element up to the next comma belongs to it. */
export function splitElements(onElement: OnElement): Splitter {
  const element = gatherElements(onElement);
  let place: SplitPlace = "before the body";
  let isObject = false;
  let elements = 0;
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  let before: number | undefined;

  function begin(at: number): void {
    if (place === "in an element") return;
    if (place === "before the body" || place === "after the body")
      refuseBody("text outside its one JSON value");
    place = "in an element";
    elements++;
    element.begin(at);
  }

  function close(piece: Buffer, at: number, byte: number): void {
    if (depth > 0) {
      if (byte !== comma) depth--;
      if (depth > 0 || !isObject) return;
      element.end(piece, at + 1);
      place = "after the body";
      return;
    }
    const isEnd = byte === closeBracket;
    if (place === "after the body" || byte === closeBrace)
      refuseBody("text outside its one JSON value");
    else if (place === "in an element") element.end(piece, at);
    else if (place !== "before the first element" || !isEnd)
      refuseBody("a comma without an element");
    place = isEnd ? "after the body" : "after a comma";
  }

  function open(at: number, byte: number): void {
    if (place === "before the body" && (byte === openBracket || byte === openBrace)) {
      place = "before the first element";
      if (byte === openBracket) return;
      isObject = true;
    }
    begin(at);
    if (byte === quote) isText = true;
    else if (byte === openBrace || byte === openBracket) depth++;
    else element.isNoJson();
  }

  return {
    push(piece) {
      for (let at = 0; at < piece.length; at++) {
        const byte = piece[at]!;
        if (isText) {
          if (byte < space) element.isNoJson();
          if (byte === quote && !isEscaped) isText = false;
          isEscaped = byte === backslash && !isEscaped;
        } else if (isStructural[byte] === 0 || isOfFalse(byte, at === 0 ? before : piece[at - 1])) {
          if (depth === 0 && !isBlank(byte)) begin(at);
        } else if (byte === comma || byte === closeBrace || byte === closeBracket)
          close(piece, at, byte);
        else open(at, byte);
      }
      before = piece.at(-1) ?? before;
      if (place === "in an element") element.hold(piece, isText || depth > 0);
    },
    finish() {
      if (place === "after the body") return elements;
      throw new TransientFailure("the body ends in the middle of its JSON: it is truncated.");
    },
  };
}

export const piecesOf = (body: string | Buffer): AsyncIterable<Buffer> | readonly Buffer[] =>
  typeof body === "string"
    ? unmarked(fs.createReadStream(body, { highWaterMark: pieceBytes }) as AsyncIterable<Buffer>)
    : [body];

/**
 * 1 for a single object. Memory is that of the largest element. @throws TransientFailure when the
 * text is not one whole list or object.
 */
export async function countElements(body: string | Buffer): Promise<number> {
  const splitter = splitElements(() => undefined);
  for await (const piece of piecesOf(body)) splitter.push(piece);
  return splitter.finish();
}

/** Begins a line that describes an element. No JSON begins so. */
export const flawMark = "\u0001";

const flawTexts: Record<Flaw | "not UTF-8" | "repeated", string> = {
  "not JSON": "not valid JSON",
  "not UTF-8": "not UTF-8",
  repeated: "a field occurs twice",
  "too large": `larger than ${maximumElement >> 20} MiB`,
};

/** Bytes that are not UTF-8 become U+FFFD. */
function describedFlaw(element: Buffer, flaw: keyof typeof flawTexts): Buffer {
  const isLong = flaw === "too large" || element.length > longestRaw;
  const text = element.toString("utf8", 0, isLong ? shownRaw : undefined);
  return Buffer.from(
    flawMark + JSON.stringify({ reason: flawTexts[flaw], raw: isLong ? `${text} …` : text }),
  );
}

function flawOf(element: Buffer): keyof typeof flawTexts | undefined {
  if (!isUtf8(element)) return "not UTF-8";
  return repeatsField(element, 0, element.length) ? "repeated" : undefined;
}

function lineOfElement(element: Buffer, flaw: Flaw | undefined): Buffer {
  const found = flaw ?? flawOf(element);
  if (found !== undefined) return describedFlaw(element, found);
  for (let at = 0; at < element.length; at++) if (isBlank(element[at])) element[at] = space;
  return element;
}

function splitLines(onElement: OnElement): Splitter {
  const line = gatherElements(onElement);
  let lines = 0;
  let isOpen = false;
  const end = (piece: Buffer, at: number): void => {
    line.end(piece, at);
    lines++;
  };
  return {
    push(piece) {
      for (let at = piece.indexOf(newline); at !== -1; at = piece.indexOf(newline, at + 1)) {
        end(piece, at);
        line.begin(at + 1);
      }
      line.hold(piece, true);
      isOpen = piece.at(-1) !== newline;
    },
    finish() {
      if (isOpen) end(Buffer.alloc(0), 0);
      return lines;
    },
  };
}

/**
 * An element a line, so that only those that are not valid JSON fail. Those with control
 * characters, odd bytes, too many or a field twice are described instead. Memory is that of the
 * largest element that becomes a row.
 */
export async function writeElementLines(
  file: string,
  lines: string,
  form: "list" | "lines" = "list",
): Promise<void> {
  const lineEnd = Buffer.of(newline);
  let ready: Buffer[] = [];
  const split = form === "list" ? splitElements : splitLines;
  const splitter = split((element, flaw) => ready.push(lineOfElement(element, flaw), lineEnd));
  const out = await fsp.open(lines, "w", fileMode);
  try {
    for await (const piece of piecesOf(file)) {
      splitter.push(piece);
      await out.writeFile(Buffer.concat(ready));
      ready = [];
    }
    splitter.finish();
    await out.writeFile(Buffer.concat(ready));
  } finally {
    await out.close();
  }
}

/** Its line as `writeElementLines` writes it, and its identifier as written. */
interface ListElement {
  readonly text: string;
  readonly id: string | null;
}

export function identifierIn(text: string): string | null {
  const value = jsonIn(text);
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : undefined;
  return typeof id === "string" ? id : null;
}

export async function readElements(file: string): Promise<ListElement[]> {
  const elements: ListElement[] = [];
  const splitter = splitElements((element, flaw) => {
    const id = identifierIn(isUtf8(element) ? element.toString() : "");
    elements.push({ text: lineOfElement(element, flaw).toString(), id });
  });
  for await (const piece of piecesOf(file)) splitter.push(piece);
  return elements;
}

/** `other`: JSON by identifier, in place of those elements. */
export async function writeElements(
  file: string,
  elements: readonly ListElement[],
  other: ReadonlyMap<string, string>,
): Promise<void> {
  const lines = elements.map(({ text, id }) => {
    const own = id === null ? undefined : other.get(id);
    return own === undefined ? text : lineOfElement(Buffer.from(own), undefined).toString();
  });
  await fsp.writeFile(file, lines.join("\n"), { mode: fileMode });
}
