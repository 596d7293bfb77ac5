import { fs } from "../../platform/index.js";
import type { UnknownField } from "./compiled.js";
import { createRecordScanner } from "./record-scanner.js";
import type { Shape } from "./shape.js";
import { createListTokenizer, type ListTokenizer } from "./tokenizer.js";

/** The result of scanning a body. */
export interface Scan {
  /** True when all elements but the doubtful ones fit the shape, so that the engine's typed reader is exact on them. */
  readonly conforms: boolean;
  readonly elements: number;
  /** The elements that may not fit, in order; few. */
  readonly doubtful: readonly Doubtful[];
  /** True when the engine cannot read a doubtful element as it is. */
  readonly isFlawed: boolean;
  /** The rows of each table in the other elements. */
  readonly rows: Readonly<Record<string, number>>;
  /** Tables whose rows in the other elements are already sorted. */
  readonly ordered: readonly string[];
  /** The unknown fields of each table's records there, by name; each table has its list if the body conforms. */
  readonly unknown: Readonly<Record<string, readonly UnknownField[]>>;
}

/** An element that may not fit. */
export interface Doubtful {
  /** Positions in the body of the bracket or comma before the element, and of the one after it. */
  readonly from: number;
  readonly to: number;
  /** True when all elements before it are doubtful. */
  readonly isFirst: boolean;
  /** The rows of each table in the elements before it that are not. */
  readonly rows: Readonly<Record<string, number>>;
}

/** The result for a body that was not scanned, or not to its end. */
export const inDoubt: Scan = {
  conforms: false,
  elements: 0,
  doubtful: [],
  isFlawed: false,
  rows: {},
  ordered: [],
  unknown: {},
};

/** Doubtful elements of one body; a body with more is judged as a whole. */
const maximumDoubtful = 10_000;

/** Scans one JSON list, or single record, that arrives in chunks. Memory is the largest record's. */
export function createListScanner(shape: Shape): ListTokenizer & { finish(): Scan } {
  const { read, settle, rows, ordered, unknown } = createRecordScanner(shape);
  const doubtful: Doubtful[] = [];
  let isDoubtful = false;
  let isFlawed = false;
  let ended = 0;
  let border = 0;
  const { isSingle = false } = shape;
  const tokenizer = createListTokenizer({
    read,
    single: isSingle ? "must" : "never",
    onDoubt: () => (isDoubtful = doubtful.length < maximumDoubtful),
    onFlaw: () => (isFlawed = true),
    onBorder(_, __, position) {
      if (tokenizer.elements > ended) {
        const isFirst = doubtful.length === ended++;
        if (isDoubtful) doubtful.push({ from: border, to: position, isFirst, rows: rows() });
        else settle();
      }
      isDoubtful = false;
      border = position;
    },
  });
  const finish = (): Scan => {
    const { state, elements } = tokenizer;
    // No border follows a single record.
    if (isSingle && isDoubtful) return inDoubt;
    if (isSingle && state === "ended") settle();
    const fields = state === "ended" ? unknown() : undefined;
    if (fields === undefined || (elements > 0 && elements === doubtful.length)) return inDoubt;
    return { conforms: true, elements, doubtful, isFlawed, rows: rows(), ordered: ordered(), unknown: fields };
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
    scanner.release();
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
