import { isUtf8 } from "node:buffer";
import { fileMode, fsp } from "../../platform/index.js";
import { ascii, createListTokenizer, tokenizeFile } from "./tokenizer.js";

const { space, newline, carriageReturn } = ascii;

/** Put before a line that is not UTF-8, so that it is no JSON either; its odd bytes become U+FFFD. */
const notUtf8 = "not UTF-8: ";

/** What replaces a newline and a carriage return inside text: control characters too, so that the line is no JSON. */
export const [textNewline, textReturn] = [0x1e, 0x1f];

function readable(lines: Buffer): Buffer {
  if (isUtf8(lines)) return lines;
  const each: Buffer[] = [];
  for (let from = 0; from < lines.length;) {
    const to = lines.indexOf(newline, from) + 1 || lines.length;
    const line = lines.subarray(from, to);
    each.push(isUtf8(line) ? line : Buffer.from(notUtf8 + line.toString("utf8").trimStart()));
    from = to;
  }
  return Buffer.concat(each);
}

/**
 * Writes each element of the JSON list in `file` on a line of its own, for a body in which some element is not valid
 * JSON (a lone surrogate, say): the engine would reject the whole body, but line by line only that element fails. The
 * list's brackets and commas become newlines, in place, and other newlines blanks; inside text, where JSON does not
 * allow them, they become `textNewline` and `textReturn`. Lines may be empty.
 */
export async function writeElementLines(file: string, lines: string): Promise<void> {
  /** Position up to which the window's newlines are replaced. */
  let done = 0;
  const replace = (bytes: Uint8Array, to: number) => {
    for (let at = done; at < to; at++) if (bytes[at] === newline || bytes[at] === carriageReturn) bytes[at] = space;
    done = to;
  };
  const put = (bytes: Uint8Array, at: number, byte: number) => {
    replace(bytes, at);
    bytes[at] = byte;
    done = at + 1;
  };
  const tokenizer = createListTokenizer({
    onBorder: (bytes, at) => put(bytes, at, newline),
    onControl(bytes, at) {
      if (bytes[at] === newline) put(bytes, at, textNewline);
      else if (bytes[at] === carriageReturn) put(bytes, at, textReturn);
    },
  });
  const out = await fsp.open(lines, "w", fileMode);
  let unfinished = Buffer.alloc(0);
  try {
    await tokenizeFile(file, tokenizer, async (window) => {
      replace(window, window.length);
      done = 0;
      const text = Buffer.concat([unfinished, window]);
      const whole = text.lastIndexOf(newline) + 1;
      await out.writeFile(readable(text.subarray(0, whole)));
      unfinished = text.subarray(whole);
    });
    await out.writeFile(readable(unfinished));
  } finally {
    await out.close();
  }
}
