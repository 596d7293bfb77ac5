import { isUtf8 } from "node:buffer";
import { fsp, fs, fileMode } from "../../platform/index.js";

const quote = 0x22;
const backslash = 0x5c;
const newline = 0x0a;

/** Put before a line that is not UTF-8, so that it is no JSON either; its odd bytes become U+FFFD. */
export const notUtf8 = "not UTF-8: ";

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
 * Writes each element of the JSON array in `file` on a line of its own, for a body of which some element is not
 * valid JSON (a lone surrogate, say): the whole reader would refuse the body, line by line only that element falls.
 * Newlines inside an element are white space and become blanks.
 */
export async function writeElementLines(file: string, lines: string): Promise<void> {
  const out = await fsp.open(lines, "w", fileMode);
  let depth = 0;
  let inString = false;
  let escaped = false;
  let unfinished = Buffer.alloc(0);
  try {
    for await (const chunk of fs.createReadStream(file, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
      const written = Buffer.alloc(chunk.length);
      let length = 0;
      for (const byte of chunk) {
        let put: number | undefined = byte;
        if (inString) {
          if (escaped) escaped = false;
          else if (byte === backslash) escaped = true;
          else if (byte === quote) inString = false;
        } else if (byte === quote) inString = true;
        else if (byte === 0x5b || byte === 0x7b) put = depth++ === 0 ? undefined : byte;
        else if (byte === 0x5d || byte === 0x7d) put = --depth === 0 ? newline : byte;
        else if (byte === 0x2c && depth === 1) put = newline;
        else if (byte === newline || byte === 0x0d) put = 0x20;
        if (put !== undefined) written[length++] = put;
      }
      const lines = Buffer.concat([unfinished, written.subarray(0, length)]);
      const whole = lines.lastIndexOf(newline) + 1;
      await out.writeFile(readable(lines.subarray(0, whole)));
      unfinished = lines.subarray(whole);
    }
    await out.writeFile(readable(unfinished));
  } finally {
    await out.close();
  }
}
