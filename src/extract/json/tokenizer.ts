import { fsp } from "../../platform/index.js";

/** The bytes end inside the element. */
export const incomplete = -1;
/** The element is not what its reader accepts. */
export const odd = -2;

/** Byte values. Take them into constants of your module: engines fold those, but load imported ones each time. */
export const ascii = {
  ...{ quote: 0x22, comma: 0x2c, colon: 0x3a, minus: 0x2d, dot: 0x2e, zero: 0x30 },
  ...{ openBrace: 0x7b, closeBrace: 0x7d, openBracket: 0x5b, closeBracket: 0x5d },
  ...{ space: 0x20, tab: 0x09, newline: 0x0a, carriageReturn: 0x0d },
};
const { quote, comma, zero, openBrace, closeBrace, openBracket, closeBracket, space, tab, newline, carriageReturn } =
  ascii;
const [backslash, lowerU] = [0x5c, 0x75];

/** Bytes that a window has beyond its end, so that a comparison may read there. The first of them is 0. */
const slack = 128;
const startingBytes = 1 << 20;
const noWindow = new Uint8Array(slack);
/** The window of the last tokenizer, for the next one: a megabyte of garbage for each of thousands of bodies adds up. */
let spare = noWindow;
/** Largest element that becomes a row, in bytes. */
export const maximumElement = 1 << 24;
/** Depth to which the engine's typed reader may follow brackets: far deeper ones overflow its stack. */
const maximumDepth = 1000;

/** Why an element cannot be handed to the engine as it is. */
export type Flaw = "a control character" | "too large";

const tableOf = (matches: (byte: number) => boolean) =>
  Uint8Array.from({ length: 256 }, (_, byte) => Number(matches(byte)));
/** 1 for the bytes that end a run of text: the quote, the backslash, control characters. */
export const endsRun = tableOf((byte) => byte < space || byte === quote || byte === backslash);
const structural = [0, quote, comma, openBrace, closeBrace, openBracket, closeBracket];
/** 1 for the bytes that matter outside text. */
const isStructural = tableOf((byte) => structural.includes(byte));

/** Where a lenient skip resumes: the bytes ended inside a value. */
interface Resume {
  depth: number;
  isText: boolean;
  isEscaped: boolean;
  readonly onFlaw: (flaw: Flaw) => void;
}

/** Position after the blanks at `at`. */
export function skipBlank(bytes: Uint8Array, at: number): number {
  let byte = bytes[at];
  while (byte === space || byte === newline || byte === carriageReturn || byte === tab) byte = bytes[++at];
  return at;
}

const isEscape = (byte: number | undefined) => byte === quote || byte === backslash;

/**
 * Position after the text that begins at `at`, after its quote, or `incomplete`. Without `resume`, text with a control
 * character or an escaped NUL is `odd`: the engine's typed reader would reject or misread it.
 */
export function skipText(bytes: Uint8Array, at: number, end: number, resume?: Resume): number {
  for (; ; at++) {
    while (endsRun[bytes[at] as number] === 0) at++;
    const byte = bytes[at];
    if (byte === quote) return at + 1;
    if (at >= end) return incomplete;
    if (resume === undefined) {
      if (byte !== backslash) return odd;
      at++;
      let zeros = 0;
      if (bytes[at] === lowerU) while (zeros < 4 && bytes[at + 1 + zeros] === zero) zeros++;
      if (zeros === 4) return odd;
      if (at + 4 >= end) return incomplete;
    } else if (byte !== backslash) resume.onFlaw("a control character");
    else if (at + 1 === end) {
      resume.isEscaped = true;
      return incomplete;
    } else if (isEscape(bytes[at + 1])) at++;
  }
}

/**
 * Position after the JSON value at `at`, found by its brackets and strings alone, or `incomplete`; a scalar ends at the
 * comma or bracket that follows it. Strict unless there is `resume`, where the next call continues.
 */
export function skipValue(bytes: Uint8Array, at: number, end: number, resume?: Resume): number {
  let depth = 0;
  let isText = false;
  if (resume !== undefined) {
    ({ depth, isText } = resume);
    if (resume.isEscaped && isEscape(bytes[at])) at++;
    resume.depth = 0;
    resume.isText = resume.isEscaped = false;
  }
  for (;;) {
    const byte = bytes[at] as number;
    if (isText || byte === quote) {
      at = skipText(bytes, isText ? at : at + 1, end, resume);
      isText = at === incomplete;
      if (isText) break;
      if (at < 0 || depth === 0) return at;
      continue;
    }
    if (byte === openBrace || byte === openBracket) {
      if (++depth > maximumDepth && resume === undefined) return odd;
    } else if (byte === closeBrace || byte === closeBracket) {
      if (depth === 0) return at;
      if (--depth === 0) return at + 1;
    } else if (byte === comma && depth === 0) return at;
    else if (byte === 0 && at >= end) break;
    else if (byte === 0) {
      if (resume === undefined) return odd;
      resume.onFlaw("a control character");
    }
    at++;
    while (isStructural[bytes[at] as number] === 0) at++;
  }
  if (resume !== undefined) {
    resume.depth = depth;
    resume.isText = isText;
  }
  return incomplete;
}

/** @param position `at` in the body. */
type Listener = (bytes: Uint8Array, at: number, position: number) => void;

/** How a list's elements are read. */
interface TokenizerOptions {
  /**
   * Position after the element at `at`, or `incomplete` or `odd`. Without it the tokenizer is lenient: it skips
   * elements in the memory of one window, and whatever follows an element belongs to it.
   */
  readonly read?: (bytes: Uint8Array<ArrayBuffer>, at: number, end: number, before: number) => number;
  /** Whether a single object may replace the list, or must; by default it may if the tokenizer is lenient. */
  readonly single?: "may" | "must" | "never";
  /** Called for an element that `read` does not accept: whether to skip it, as the lenient tokenizer does. */
  readonly onDoubt?: () => boolean;
  /** Receives the position of each bracket and comma of the list itself. */
  readonly onBorder?: Listener;
  /** Receives each flaw of a skipped element, perhaps several times. */
  readonly onFlaw?: (flaw: Flaw) => void;
}

/** `element`: after a comma. `inside`: the window ended in an element. `ended`: after the whole list. */
type ListState = "start" | "first" | "element" | "inside" | "after" | "ended" | "odd";

/** Splits one JSON list that arrives in chunks into its elements. */
export interface ListTokenizer {
  /** `odd` is final: nothing more needs to be read. */
  readonly state: ListState;
  /** What is wrong where the state is `odd`. */
  readonly oddity: string;
  readonly elements: number;
  /** Where the next chunk goes, of `wanted` bytes if they are few; `pushed` says how many were put there. */
  readonly space: (wanted?: number) => Uint8Array;
  readonly pushed: (length: number) => void;
  /** Nothing more is pushed: another tokenizer may have the window. */
  readonly release: () => void;
}

/**
 * The one walk over a list, for all who read bodies as bytes. The counter and the line splitter skip elements; the
 * conforming scan reads them with a parser of its own, because values must be compared with their fields' shapes.
 */
export function createListTokenizer({
  read,
  single = read === undefined ? "may" : "never",
  onDoubt = () => false,
  onBorder,
  onFlaw = () => undefined,
}: TokenizerOptions): ListTokenizer {
  const isLenient = read === undefined;
  /** Whether the current element is skipped. */
  let isSkipped = isLenient;
  const resume: Resume = { depth: 0, isText: false, isEscaped: false, onFlaw };
  let bytes = noWindow;
  let end = 0;
  let elements = 0;
  let state: ListState = "start";
  let afterElement: ListState = "after";
  let oddity = "";
  /** Bytes before the window, and the position in the body at which the current element begins. */
  let before = 0;
  let start = 0;

  /** Whether the current element, which ends at `after` or later, is too large for a row. */
  const isLarge = (after: number) => before + (after < 0 ? end : after) - start > maximumElement;

  /** Position of the first byte that is still needed. */
  function walk(): number {
    for (let at = 0; ; at++) {
      if (state !== "inside") {
        const blanks = at;
        at = skipBlank(bytes, at);
        if (at >= end) return end;
        const byte = bytes[at] as number;
        const isBorder = byte === comma || byte === closeBracket || byte === closeBrace;
        if (!isBorder && (state === "first" || state === "element")) {
          elements++;
          start = before + at;
          isSkipped = isLenient;
          if (byte < space) onFlaw("a control character");
        } else if (!isBorder && state === "after" && (isSkipped || (isSkipped = onDoubt()))) at = blanks;
        else if (byte === openBrace && state === "start" && single !== "never")
          [elements, afterElement, start] = [1, "ended", before + at];
        else {
          if (byte === openBracket && state === "start" && single !== "must") state = "first";
          else if (byte === comma && state === "after") state = "element";
          else if (byte === closeBracket && (state === "after" || state === "first")) state = "ended";
          else {
            const isBare = byte === comma || byte === closeBracket;
            oddity = isBare && state !== "ended" ? "a comma without an element" : "text outside its one JSON value";
            state = "odd";
            return end;
          }
          onBorder?.(bytes, at, before + at);
          continue;
        }
      }
      let after = odd;
      if (!isSkipped && read) {
        after = read(bytes, at, end, before);
        if (isLarge(after)) after = odd;
        isSkipped = after === odd && onDoubt();
      }
      if (isSkipped) {
        after = skipValue(bytes, at, end, resume);
        if (isLarge(after)) onFlaw("too large");
      }
      state = after === odd ? "odd" : after === incomplete ? "inside" : afterElement;
      if (after < 0) return isSkipped ? end : at;
      at = after - 1;
    }
  }

  return {
    get state() {
      return state;
    },
    get oddity() {
      return oddity;
    },
    get elements() {
      return elements;
    },
    space(wanted = startingBytes) {
      if (bytes === noWindow) [bytes, spare] = [spare, noWindow];
      if (end + Math.min(wanted, startingBytes >> 1) > bytes.length - slack) {
        const larger = new Uint8Array(Math.max(bytes.length * 2, end + Math.min(wanted, startingBytes) + slack));
        larger.set(bytes.subarray(0, end));
        bytes = larger;
      }
      return bytes.subarray(end, bytes.length - slack);
    },
    pushed(length) {
      end += length;
      bytes[end] = 0;
      const rest = walk();
      if (rest > 0) bytes.copyWithin(0, rest, end);
      end -= rest;
      before += rest;
    },
    release() {
      if (bytes.length > spare.length && bytes.length <= 2 * startingBytes) spare = bytes;
      bytes = noWindow;
    },
  };
}

/** Reads a short body, which is one window. */
export function push(body: Buffer, tokenizer: ListTokenizer): void {
  tokenizer.space(body.length).set(body);
  tokenizer.pushed(body.length);
  tokenizer.release();
}

/** Reads `file` through a lenient tokenizer; `each` receives every window after its walk. Memory is one window. */
export async function tokenizeFile(
  file: string,
  tokenizer: ListTokenizer,
  each?: (window: Uint8Array) => Promise<void>,
): Promise<void> {
  const source = await fsp.open(file, "r");
  try {
    let { size: left } = await source.stat();
    for (;;) {
      const window = tokenizer.space(Math.max(left, 1));
      const { bytesRead } = await source.read(window, 0, window.length);
      if (bytesRead === 0) return;
      left -= bytesRead;
      tokenizer.pushed(bytesRead);
      await each?.(window.subarray(0, bytesRead));
    }
  } finally {
    tokenizer.release();
    await source.close();
  }
}
