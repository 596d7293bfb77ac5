import { isUtf8 } from "node:buffer";
import { TransientFailure } from "../../client/index.js";
import { fileMode, fs, fsp, readText, removeFile } from "../../platform/index.js";
import { ascii, byteTables, isBlank, maximumElement } from "./bytes.js";

const { quote, backslash, comma, openBrace, closeBrace, openBracket, closeBracket, space, newline } = ascii;
const { endsText, isStructural } = byteTables;

/** Why an element cannot be handed to the engine as it is. */
type Flaw = "a control character" | "too large";

/** Where in the body the split is. Inside an element, only a comma or bracket outside all its own brackets ends it. */
type SplitPlace = "before the body" | "before the first element" | "after a comma" | "in an element" | "after the body";

interface SplitListener {
  /** Receives the place in the piece of each bracket and comma of the list itself. */
  readonly onBorder?: (piece: Buffer, at: number) => void;
  /** Receives each flaw of the current element, perhaps several times. */
  readonly onFlaw: (flaw: Flaw) => void;
}

/** Splits one body that arrives in pieces. */
interface Splitter {
  /** @throws TransientFailure when the text is not one list or object */
  push(piece: Buffer): void;
  /** The number of elements. @throws TransientFailure when the body is not complete */
  finish(): number;
  /** Whether the bytes so far end inside brackets or a text of an element. */
  isOpen(): boolean;
}

/** Where a split is. */
interface Split {
  readonly listener: SplitListener;
  place: SplitPlace;
  elements: number;
  /** True if the body is one object. */
  isObject: boolean;
  /** Brackets that are open in the element, whether the next byte is in a text, and whether a backslash is before it. */
  depth: number;
  isText: boolean;
  isEscaped: boolean;
  /** Bytes before the piece, and the positions in the body where the element begins and after its last byte that is not blank. */
  before: number;
  start: number;
  end: number;
}

const refuse = (what: string): never => {
  throw new TransientFailure(`the body has ${what}: it is damaged.`);
};

function beginElement(split: Split, at: number): void {
  if (split.place === "in an element") return;
  if (split.place === "before the body" || split.place === "after the body") refuse("text outside its one JSON value");
  split.place = "in an element";
  split.elements++;
  split.start = split.before + at;
  split.end = split.start;
}

/** Notes that the element has the bytes of the piece up to `to`, and how large that makes it without blanks at its end. */
function measureElement(split: Split, piece: Buffer, to: number): void {
  let last = to;
  while (last > 0 && isBlank(piece[last - 1])) last--;
  if (last > 0) split.end = Math.max(split.end, split.before + last);
  if (split.end - split.start > maximumElement) split.listener.onFlaw("too large");
}

/** Continues a text. @returns the place after it, or after the piece */
function skipText(split: Split, piece: Buffer, from: number): number {
  const isPair = (byte: number | undefined) => byte === quote || byte === backslash;
  let at = split.isEscaped && isPair(piece[from]) ? from + 1 : from;
  split.isEscaped = false;
  for (; at < piece.length; at++) {
    const byte = piece[at]!;
    if (endsText[byte] === 0) continue;
    if (byte === quote) {
      split.isText = false;
      return at + 1;
    }
    if (byte !== backslash) split.listener.onFlaw("a control character");
    else if (at + 1 === piece.length) split.isEscaped = true;
    else if (isPair(piece[at + 1])) at++;
  }
  return at;
}

/** Skips what is inside the element's brackets. @returns the place of the byte that needs a closer look, or after the piece */
function skipInside(split: Split, piece: Buffer, from: number): number {
  const { length } = piece;
  let at = from;
  let depth = split.depth;
  for (; at < length; at++) {
    const byte = piece[at]!;
    if (isStructural[byte] === 0) continue;
    if (byte === quote) {
      let to = at + 1;
      while (to < length && endsText[piece[to]!] === 0) to++;
      if (to === length || piece[to] !== quote) break;
      at = to;
    } else if (byte === openBrace || byte === openBracket) depth++;
    else if (byte === closeBrace || byte === closeBracket) {
      if (depth === 1) break;
      depth--;
    } else if (byte !== comma) break;
  }
  split.depth = depth;
  return at;
}

/** A quote, an opening bracket or a control character. */
function openAt(split: Split, piece: Buffer, at: number, byte: number): void {
  if (split.place === "before the body" && byte === openBracket) {
    split.place = "before the first element";
    split.listener.onBorder?.(piece, at);
    return;
  }
  if (split.place === "before the body" && byte === openBrace) {
    split.place = "before the first element";
    split.isObject = true;
  }
  beginElement(split, at);
  if (byte === quote) split.isText = true;
  else if (byte === openBrace || byte === openBracket) split.depth++;
  else split.listener.onFlaw("a control character");
}

/** A comma or a closing bracket. */
function closeAt(split: Split, piece: Buffer, at: number, byte: number): void {
  if (split.depth > 0) {
    if (byte !== comma) split.depth--;
    if (split.depth > 0 || !split.isObject) return;
    measureElement(split, piece, at + 1);
    split.place = "after the body";
    return;
  }
  const isEnd = byte === closeBracket;
  if (split.place === "after the body" || byte === closeBrace) refuse("text outside its one JSON value");
  else if (split.place === "in an element") measureElement(split, piece, at);
  else if (split.place !== "before the first element" || !isEnd) refuse("a comma without an element");
  split.place = isEnd ? "after the body" : "after a comma";
  split.listener.onBorder?.(piece, at);
}

/**
 * Splits a JSON list by brackets and texts alone, whatever its elements are, and takes a single object for one element.
 * What follows an element up to the next comma belongs to it.
 */
export function splitElements(listener: SplitListener): Splitter {
  const split: Split = {
    listener,
    place: "before the body",
    elements: 0,
    isObject: false,
    depth: 0,
    isText: false,
    isEscaped: false,
    before: 0,
    start: 0,
    end: 0,
  };
  return {
    push(piece) {
      for (let at = 0; ; at++) {
        if (split.isText) at = skipText(split, piece, at);
        if (!split.isText && split.depth > 0) at = skipInside(split, piece, at);
        if (at >= piece.length) break;
        const byte = piece[at]!;
        if (isStructural[byte] === 1) {
          if (byte === comma || byte === closeBrace || byte === closeBracket) closeAt(split, piece, at, byte);
          else openAt(split, piece, at, byte);
        } else if (!isBlank(byte)) beginElement(split, at);
      }
      if (split.place === "in an element") measureElement(split, piece, piece.length);
      split.before += piece.length;
    },
    finish() {
      if (split.place === "after the body") return split.elements;
      throw new TransientFailure("the body ends in the middle of its JSON: it is truncated.");
    },
    isOpen: () => split.isText || split.depth > 0,
  };
}

/** Bytes of a file that are read at once. */
const pieceBytes = 1 << 20;

/** The pieces of a file. */
const piecesOf = (file: string) =>
  fs.createReadStream(file, { highWaterMark: pieceBytes }) as AsyncIterable<Buffer<ArrayBuffer>>;

/** The elements of a body, from its bytes. */
export interface ElementCount {
  readonly elements: number;
  /** True when the engine cannot read the body as it is: an element has control characters or is too large. */
  readonly isFlawed: boolean;
}

/**
 * Counts the elements of the JSON list (or 1 for the single object) in a file, or in its bytes. Memory does not grow with the file.
 * @throws TransientFailure when the text is not one whole list or object
 */
export async function countElements(body: string | Buffer): Promise<ElementCount> {
  let isFlawed = false;
  const splitter = splitElements({ onFlaw: () => (isFlawed = true) });
  if (typeof body === "string") for await (const piece of piecesOf(body)) splitter.push(piece);
  else splitter.push(body);
  return { elements: splitter.finish(), isFlawed };
}

/** Begins a line that is not an element but describes one: `{"reason": …, "raw": …}`. No JSON begins so. */
export const flawMark = "\u0001";

const reasons: Record<Flaw | "not UTF-8", string> = {
  "a control character": "not valid JSON",
  "not UTF-8": "not UTF-8",
  "too large": `larger than ${maximumElement >> 20} MiB`,
};

/** Longest text of a flawed element that quarantine holds, and the characters that it holds of a longer one. */
const longestRaw = 1 << 20;
const shownRaw = 1000;

/** An element that the engine cannot read, as a line that it can. Bytes that are not UTF-8 become U+FFFD. */
function describe(element: Buffer, flaw: keyof typeof reasons): Buffer {
  const isLong = flaw === "too large" || element.length > longestRaw;
  const text = element.toString("utf8", 0, isLong ? shownRaw : undefined).trim();
  return Buffer.from(flawMark + JSON.stringify({ reason: reasons[flaw], raw: isLong ? `${text} …` : text }));
}

/** Text without its final blanks, of which one stays to separate it from what follows. */
function withoutBlanks(text: Buffer): Buffer {
  let to = text.length;
  while (isBlank(text[to - 1]) && (to === 1 || isBlank(text[to - 2]))) to--;
  return text.subarray(0, to);
}

/** Lines whose elements have no flaw that the split sees. Those that are not UTF-8 are described. */
function checked(lines: Buffer): Buffer[] {
  if (isUtf8(lines)) return [lines];
  const each: Buffer[] = [];
  for (let from = 0; from < lines.length;) {
    const to = lines.indexOf(newline, from) + 1 || lines.length;
    const line = lines.subarray(from, to);
    each.push(isUtf8(line) ? line : Buffer.concat([describe(line, "not UTF-8"), Buffer.of(newline)]));
    from = to;
  }
  return each;
}

/** Makes all blanks spaces: newlines would end the line, and the engine trims no tabs. */
function joinLines(bytes: Uint8Array, from: number, to: number): void {
  for (let at = from; at < to; at++) if (isBlank(bytes[at])) bytes[at] = space;
}

/**
 * Writes each element of the JSON list in `file` (or its single object) on a line of its own, for a body that the engine
 * rejects as a whole: line by line only the elements that are not valid JSON fail. Those with control characters, odd
 * bytes or too many are described instead. The list's brackets and commas become newlines, and other blanks spaces.
 * Lines may be empty. Memory is that of the largest element that becomes a row.
 */
export async function writeElementLines(file: string, lines: string): Promise<void> {
  /** The current element: its bytes in earlier pieces, where it begins in this one, and its flaw. */
  let held: Buffer = Buffer.alloc(0);
  let begins = 0;
  let flaw: Flaw | undefined;
  /** What is ready of this piece, and where the rest begins. */
  let ready: Buffer[] = [];
  let from = 0;

  /** Ends the current element. One without a flaw stays where it is, so that runs of them are written at once. */
  function endElement(piece: Buffer, at: number): void {
    if (held.length > 0 || flaw !== undefined) {
      const element = Buffer.concat([held, piece.subarray(begins, at)]);
      const found = flaw ?? (isUtf8(element) ? undefined : "not UTF-8");
      if (found === undefined) joinLines(element, 0, element.length);
      ready.push(...checked(piece.subarray(from, begins)), found ? describe(element, found) : element);
      from = at;
    } else joinLines(piece, begins, at);
    held = Buffer.alloc(0);
    flaw = undefined;
  }
  const splitter = splitElements({
    onBorder(piece, at) {
      endElement(piece, at);
      piece[at] = newline;
      begins = at + 1;
    },
    onFlaw: (one) => (flaw = flaw === "too large" ? flaw : one),
  });
  const out = await fsp.open(lines, "w", fileMode);
  try {
    for await (const piece of piecesOf(file)) {
      splitter.push(piece);
      await out.writeFile(Buffer.concat([...ready, ...checked(piece.subarray(from, begins))]));
      const element = Buffer.concat([held, piece.subarray(begins)]);
      if (flaw === "too large") held = element.subarray(0, longestRaw);
      else held = splitter.isOpen() ? element : withoutBlanks(element);
      ready = [];
      from = 0;
      begins = 0;
    }
    endElement(Buffer.alloc(0), 0);
    await out.writeFile(Buffer.concat(ready));
  } finally {
    await out.close();
  }
}

/** An element of a list: its line as `writeElementLines` writes it, and its identifier as written, if it has one. */
export interface ListElement {
  readonly text: string;
  readonly id: string | null;
}

/** The `id` of a JSON object; null if there is none. */
export function identifierIn(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    const id = typeof value === "object" && value !== null && "id" in value ? value.id : undefined;
    return typeof id === "string" ? id : null;
  } catch {
    return null;
  }
}

/** The elements of a list of small records. */
export async function readElements(file: string): Promise<ListElement[]> {
  const lines = `${file}.elements`;
  try {
    await writeElementLines(file, lines);
    const texts = (await readText(lines)).split("\n").filter((text) => text.trim() !== "");
    return texts.map((text) => ({ text, id: identifierIn(text) }));
  } finally {
    await removeFile(lines);
  }
}

/** Writes the lines of a list, with `other` JSON in place of the elements that have these identifiers. */
export async function writeElements(
  file: string,
  elements: readonly ListElement[],
  other: ReadonlyMap<string, string>,
): Promise<void> {
  const lines = elements.map(({ text, id }) =>
    (id === null ? text : (other.get(id) ?? text)).replaceAll(/[\r\n]/g, " "),
  );
  await fsp.writeFile(file, lines.join("\n"), { mode: fileMode });
}
