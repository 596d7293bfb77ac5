import { fs } from "../../platform/index.js";
import { ListScanner, type Scan } from "./list-scanner.js";
import type { Shape } from "./shape.js";

/** Scans a file while it is being written. */
export class TailReader {
  private readonly scanner: ListScanner;
  private readonly file: string;
  private fd: number | undefined;
  private at = 0;

  constructor(file: string, shape: Shape) {
    this.file = file;
    this.scanner = new ListScanner(shape);
  }

  /** Reads on to byte `upTo`, which the file must hold already. */
  advance(upTo: number): void {
    if (upTo <= this.at) return;
    this.fd ??= fs.openSync(this.file, "r");
    while (this.at < upTo && !this.scanner.isOdd) {
      const space = this.scanner.space();
      const read = fs.readSync(this.fd, space, 0, Math.min(space.length, upTo - this.at), this.at);
      if (read === 0) return;
      this.at += read;
      this.scanner.pushed(read);
    }
  }

  finish(size: number): Scan {
    this.advance(size);
    this.drop();
    return this.scanner.finish();
  }

  drop(): void {
    if (this.fd !== undefined) fs.closeSync(this.fd);
    this.fd = undefined;
  }
}
