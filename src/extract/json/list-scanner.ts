import { fs } from "../../platform/index.js";
import type { UnknownField } from "./compiled.js";
import { createRecordScanner } from "./record-scanner.js";
import type { Shape } from "./shape.js";
import { createListTokenizer, type ListTokenizer } from "./tokenizer.js";

/** The result of scanning a body. */
export interface Scan {
  /** True when every element fits the shape beyond doubt, so that the engine's typed reader is exact on it. */
  readonly conforms: boolean;
  readonly elements: number;
  /** Tables whose rows are already sorted. */
  readonly ordered: readonly string[];
  /** The unknown fields of each table's records, by name; each table has its list if the body conforms. */
  readonly unknown: Readonly<Record<string, readonly UnknownField[]>>;
}

/** The result for a body that was not scanned, or not to its end. */
export const inDoubt: Scan = { conforms: false, elements: 0, ordered: [], unknown: {} };

/** Scans one JSON list that arrives in chunks. Memory is the largest record's. */
export function createListScanner(shape: Shape): ListTokenizer & { finish(): Scan } {
  const { read, ordered, unknown } = createRecordScanner(shape);
  const tokenizer = createListTokenizer({ read });
  const finish = (): Scan => {
    const fields = tokenizer.state === "ended" ? unknown() : undefined;
    if (fields === undefined) return inDoubt;
    return { conforms: true, elements: tokenizer.elements, ordered: ordered(), unknown: fields };
  };
  return Object.assign(tokenizer, { finish });
}

/** Scans a file while it is being written. */
export interface TailReader {
  /** Reads up to byte `upTo`, which the file must hold already. */
  advance(upTo: number): void;
  finish(size: number): Scan;
  drop(): void;
}

export function createTailReader(file: string, shape: Shape): TailReader {
  const scanner = createListScanner(shape);
  let fd: number | undefined;
  let at = 0;
  function advance(upTo: number): void {
    if (upTo <= at) return;
    fd ??= fs.openSync(file, "r");
    while (at < upTo && scanner.state !== "odd") {
      const space = scanner.space(upTo - at);
      const read = fs.readSync(fd, space, 0, Math.min(space.length, upTo - at), at);
      if (read === 0) return;
      at += read;
      scanner.pushed(read);
    }
  }
  function drop(): void {
    if (fd !== undefined) fs.closeSync(fd);
    fd = undefined;
  }
  return {
    advance,
    drop,
    finish(size) {
      advance(size);
      drop();
      return scanner.finish();
    },
  };
}
