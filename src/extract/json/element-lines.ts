import { isUtf8 } from "node:buffer";
import { fileMode, fsp } from "../../platform/index.js";
import { ascii, createListTokenizer, maximumElement, tokenizeFile, type Flaw } from "./tokenizer.js";

const { space, newline, carriageReturn, tab } = ascii;

/** Begins a line that is not an element but describes one: `{"reason": …, "raw": …}`. No JSON begins so. */
export const flawMark = "\u0001";

const reasons: Record<Flaw | "not UTF-8", string> = {
  "a control character": "not valid JSON",
  "not UTF-8": "not UTF-8",
  "too large": `larger than ${maximumElement >> 20} MiB`,
};

/** Longest text of a flawed element that quarantine holds, and the characters that it holds of a longer one. */
const [longestRaw, shownRaw] = [1 << 20, 1000];

/** An element that the engine cannot read, as a line that it can. Bytes that are not UTF-8 become U+FFFD. */
function describe(element: Buffer, flaw: keyof typeof reasons): Buffer {
  const isLong = flaw === "too large" || element.length > longestRaw;
  const text = element.toString("utf8", 0, isLong ? shownRaw : undefined).trim();
  return Buffer.from(flawMark + JSON.stringify({ reason: reasons[flaw], raw: isLong ? `${text} …` : text }));
}

const isBlank = (byte: number | undefined) =>
  byte === space || byte === newline || byte === carriageReturn || byte === tab;

/** Text without its final blanks, of which one stays to separate it from what follows. */
function withoutBlanks(text: Buffer): Buffer {
  let to = text.length;
  while (isBlank(text[to - 1]) && (to === 1 || isBlank(text[to - 2]))) to--;
  return text.subarray(0, to);
}

/** Lines whose elements have no flaw that the tokenizer sees. Those that are not UTF-8 are described. */
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
  /** The current element: its bytes in earlier windows, where it begins in this one, and its flaw. */
  let held: Buffer = Buffer.alloc(0);
  let begins = 0;
  let flaw: Flaw | undefined;
  /** What is ready of this window, and where the rest begins. */
  let ready: Buffer[] = [];
  let from = 0;

  /** Ends the current element. One without a flaw stays where it is, so that runs of them are written at once. */
  function endElement(window: Buffer, at: number): void {
    if (held.length > 0 || flaw !== undefined) {
      const element = Buffer.concat([held, window.subarray(begins, at)]);
      const found = flaw ?? (isUtf8(element) ? undefined : "not UTF-8");
      if (found === undefined) joinLines(element, 0, element.length);
      ready.push(...checked(window.subarray(from, begins)), found ? describe(element, found) : element);
      from = at;
    } else joinLines(window, begins, at);
    held = Buffer.alloc(0);
    flaw = undefined;
  }
  const tokenizer = createListTokenizer({
    onBorder(bytes, at) {
      endElement(Buffer.from(bytes.buffer), at);
      bytes[at] = newline;
      begins = at + 1;
    },
    onFlaw: (one) => (flaw = flaw === "too large" ? flaw : one),
  });
  const out = await fsp.open(lines, "w", fileMode);
  try {
    await tokenizeFile(file, tokenizer, async (bytes) => {
      const window = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
      await out.writeFile(Buffer.concat([...ready, ...checked(window.subarray(from, begins))]));
      const element = Buffer.concat([held, window.subarray(begins)]);
      if (flaw === "too large") held = element.subarray(0, longestRaw);
      else held = tokenizer.state === "inside" ? element : withoutBlanks(element);
      ready = [];
      from = begins = 0;
    });
    endElement(Buffer.alloc(0), 0);
    await out.writeFile(Buffer.concat(ready));
  } finally {
    await out.close();
  }
}
