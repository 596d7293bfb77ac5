import { TransientFailure } from "../../client/index.js";
import { fs } from "../../platform/index.js";

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const opens = (byte: number) => byte === 0x5b || byte === 0x7b;
const closes = (byte: number) => byte === 0x5d || byte === 0x7d;
const isBlank = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Counts the elements of one top-level JSON array over its bytes, piece by piece, without building anything. */
export class ElementCounter {
  private depth = 0;
  private inString = false;
  private escaped = false;
  private commas = 0;
  private hasElement = false;
  private isList = false;
  private ended = false;
  private afterComma = false;
  private trailing = false;

  push(chunk: Uint8Array): void {
    let { depth, inString, escaped } = this;
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i] as number;
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === backslash) escaped = true;
        else if (byte === quote) inString = false;
        continue;
      }
      if (depth > 1) {
        if (byte === quote) inString = true;
        else if (opens(byte)) depth++;
        else if (closes(byte)) depth--;
        continue;
      }
      if (isBlank(byte)) continue;
      if (depth === 0) {
        if (this.ended || !opens(byte)) this.trailing = true;
        this.isList = byte === 0x5b;
        depth = 1;
        continue;
      }
      if (closes(byte)) {
        depth = 0;
        this.ended = true;
        continue;
      }
      if (byte === comma) {
        this.commas++;
        this.afterComma = true;
        continue;
      }
      this.hasElement = true;
      this.afterComma = false;
      if (byte === quote) inString = true;
      else if (opens(byte)) depth++;
    }
    this.depth = depth;
    this.inString = inString;
    this.escaped = escaped;
  }

  /** The number of elements; 1 for a single object. Throws TransientFailure when the text is not one whole value. */
  end(): number {
    if (!this.ended || this.depth !== 0 || this.inString)
      throw new TransientFailure("the body ends in the middle of its JSON: it is truncated.");
    if (this.trailing) throw new TransientFailure("the body has text outside its one JSON value.");
    if (this.afterComma) throw new TransientFailure("the body's list ends with a comma: it is truncated.");
    if (!this.isList) return 1;
    return this.hasElement ? this.commas + 1 : 0;
  }
}

/** Elements of the JSON array (or 1 for the single object) in `file`. Memory does not grow with the file. */
export async function countElements(file: string): Promise<number> {
  const counter = new ElementCounter();
  for await (const chunk of fs.createReadStream(file, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>)
    counter.push(chunk);
  return counter.end();
}
