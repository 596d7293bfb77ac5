// Scans a body, to tell whether the fast reader is exact on it.
import { ascii } from "./ascii.js";
import {
  maximumElement,
  keep,
  recordWalk,
  skipBlank,
  slack,
  takeBack,
  unknownOf,
  walkRecord,
  type Cursor,
  type RecordWalk,
  type UnknownField,
} from "./scan-record.js";
import type { Shape } from "./plan.js";

const { comma, openBracket, closeBracket } = ascii;

/** All elements fit their shape. */
export interface Scan {
  readonly elements: number;
  readonly ordered: readonly string[];
  /** By table, then by name. */
  readonly unknown: Readonly<Record<string, readonly UnknownField[]>>;
}

export interface Scanning {
  push(piece: Uint8Array): void;
  /** Undefined if some element may not fit. */
  finish(): Scan | undefined;
}

/** `odd` is final: the rest is not read. */
type NextInList = "list" | "element or end" | "element" | "comma or end" | "nothing" | "odd";

function expectedAfter(expected: NextInList, byte: number | undefined): NextInList {
  if (expected === "list") return byte === openBracket ? "element or end" : "odd";
  if (expected === "comma or end" && byte === comma) return "element";
  return byte === closeBracket && expected !== "nothing" ? "nothing" : "odd";
}

function unknownByTable(walks: readonly RecordWalk[]): Scan["unknown"] | undefined {
  const unknown: Record<string, readonly UnknownField[]> = {};
  for (const walk of walks) {
    const own = unknownOf(walk);
    if (own === undefined) return undefined;
    unknown[walk.table] = own;
  }
  return unknown;
}

/** Memory is that of the largest element. @param batchBytes gathered before they are scanned */
export function scanBody(shape: Shape, batchBytes = 1 << 18): Scanning {
  const walk = recordWalk(shape);
  const walks = [walk, ...walk.fields.flatMap(({ records }) => records ?? [])];
  const cursor: Cursor = {
    bytes: new Uint8Array(),
    view: new DataView(new ArrayBuffer(0)),
    at: 0,
    end: 0,
  };
  const { isSingle = false } = shape;
  let expected: NextInList = isSingle ? "element" : "list";
  let elements = 0;
  /** Bytes from which a walk is worth while: an element that it cuts is walked over again. */
  let enough = batchBytes;

  function makeRoom(wanted: number): void {
    if (cursor.end + wanted <= cursor.bytes.length - slack) return;
    const larger = new Uint8Array(Math.max(2 * cursor.end, cursor.end + wanted) + slack);
    larger.set(cursor.bytes.subarray(0, cursor.end));
    cursor.bytes = larger;
    cursor.view = new DataView(larger.buffer);
  }

  function walkElement(): NextInList | "more bytes" {
    const start = cursor.at;
    const outcome = walkRecord(cursor, walk);
    const after = outcome === "past" ? cursor.at : cursor.end;
    if (outcome === "odd" || after - start > maximumElement) return "odd";
    if (outcome === "cut") {
      cursor.at = start;
      return "more bytes";
    }
    elements++;
    for (const one of walks) keep(one);
    return isSingle ? "nothing" : "comma or end";
  }

  function walkOn(): void {
    cursor.at = 0;
    cursor.bytes[cursor.end] = 0;
    for (;;) {
      skipBlank(cursor);
      if (cursor.at >= cursor.end) break;
      const byte = cursor.bytes[cursor.at];
      if (expected === "element" || (expected === "element or end" && byte !== closeBracket)) {
        const next = walkElement();
        if (next === "more bytes") break;
        expected = next;
      } else {
        expected = expectedAfter(expected, byte);
        cursor.at++;
      }
      if (expected === "odd") return;
    }
    cursor.bytes.copyWithin(0, cursor.at, cursor.end);
    cursor.end -= cursor.at;
    for (const one of walks) takeBack(one);
    enough = Math.max(batchBytes, 2 * cursor.end);
  }

  return {
    push(piece) {
      if (expected === "odd") return;
      makeRoom(piece.length);
      cursor.bytes.set(piece, cursor.end);
      cursor.end += piece.length;
      if (cursor.end >= enough) walkOn();
    },
    finish() {
      makeRoom(0);
      if (expected !== "odd") walkOn();
      if (expected !== "nothing") return undefined;
      const unknown = unknownByTable(walks);
      if (unknown === undefined) return undefined;
      return {
        elements,
        ordered: walks.flatMap(({ table, isOrdered }) => (isOrdered ? [table] : [])),
        unknown,
      };
    },
  };
}
