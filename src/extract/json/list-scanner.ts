import { slack, type UnknownField } from "./compiled.js";
import { incomplete, odd, RecordScanner } from "./record-scanner.js";
import type { Shape } from "./shape.js";

/** The result of scanning a body. */
export interface Scan {
  /** True when every element fits the shape beyond doubt, so that the engine's typed reader is exact on it. */
  readonly conforms: boolean;
  readonly elements: number;
  /** Tables whose rows are already sorted. */
  readonly ordered: readonly string[];
  /** The fields of each table's records that the contract does not know, by name; each table has its list where the body conforms. */
  readonly unknown: Readonly<Record<string, readonly UnknownField[]>>;
}

/** The result for a body that was not scanned, or not to its end. */
export const inDoubt: Scan = { conforms: false, elements: 0, ordered: [], unknown: {} };

const startingBytes = 1 << 20;
/** Largest record that is scanned; a larger one is in doubt. */
const maximumRecord = 1 << 24;

/** Walks over one JSON list that arrives in chunks. Memory is the largest record's. */
export class ListScanner {
  private readonly records: RecordScanner;
  private bytes = new Uint8Array(startingBytes + slack);
  private end = 0;
  private elements = 0;
  private state: "start" | "first" | "element" | "after" | "ended" | "odd" = "start";

  constructor(shape: Shape) {
    this.records = new RecordScanner(shape);
  }

  /** True when the outcome is certain: nothing more needs to be read. */
  get isOdd(): boolean {
    return this.state === "odd";
  }

  /** Where the next piece of the body goes; `pushed` says how much was put there. */
  space(): Uint8Array {
    if (this.end + (startingBytes >> 1) > this.bytes.length - slack) {
      const larger = new Uint8Array(this.bytes.length * 2);
      larger.set(this.bytes.subarray(0, this.end));
      this.bytes = larger;
    }
    return this.bytes.subarray(this.end, this.bytes.length - slack);
  }

  pushed(length: number): void {
    this.end += length;
    this.bytes[this.end] = 0;
    this.records.look(this.bytes, this.end);
    const rest = this.walk();
    if (this.isOdd) return;
    if (rest > 0) this.bytes.copyWithin(0, rest, this.end);
    this.end -= rest;
    if (this.end > maximumRecord) this.state = "odd";
  }

  finish(): Scan {
    const { records, elements } = this;
    const unknown = this.state === "ended" ? records.unknown() : undefined;
    return unknown === undefined
      ? { ...inDoubt, elements }
      : { conforms: true, elements, ordered: records.ordered(), unknown };
  }

  /** Position of the first byte that is not done with. */
  private walk(): number {
    const { records, bytes, end } = this;
    let at = 0;
    for (;;) {
      at = records.blank(at);
      if (at >= end) return end;
      const byte = bytes[at];
      if (this.state === "start" && byte === 0x5b) [this.state, at] = ["first", at + 1];
      else if ((this.state === "first" || this.state === "after") && byte === 0x5d)
        [this.state, at] = ["ended", at + 1];
      else if (this.state === "after" && byte === 0x2c) [this.state, at] = ["element", at + 1];
      else if (this.state === "first" || this.state === "element") {
        const after = records.element(at);
        if (after === incomplete) return at;
        if (after === odd) return this.giveUp();
        this.elements++;
        [this.state, at] = ["after", after];
      } else return this.giveUp();
    }
  }

  private giveUp(): number {
    this.state = "odd";
    return 0;
  }
}
