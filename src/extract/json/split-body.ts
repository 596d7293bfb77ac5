import { fileMode, fsp } from "../../platform/index.js";
import type { Doubtful } from "./list-scanner.js";

/** Bytes that are copied at a time. */
const piece = 1 << 20;

/**
 * Splits the list in `file` in two: `clean` without the doubtful elements, of which it has others, and `odd` with only
 * those. Memory does not grow with the file. Copies by itself, because a copy by the system may first wait for the disk.
 */
export async function splitBody(
  file: string,
  doubtful: readonly Doubtful[],
  { clean, odd }: { clean: string; odd: string },
): Promise<void> {
  const buffer = Buffer.allocUnsafe(piece);
  const source = await fsp.open(file, "r");
  const others = await fsp.open(clean, "w", fileMode);
  const list = await fsp.open(odd, "w", fileMode);
  async function copy(from: number, to: number, out: typeof list): Promise<void> {
    for (let at = from; at < to;) {
      const { bytesRead } = await source.read(buffer, 0, Math.min(piece, to - at), at);
      if (bytesRead === 0) return;
      await out.writeFile(buffer.subarray(0, bytesRead));
      at += bytesRead;
    }
  }
  try {
    let at = 0;
    for (const [i, { from, to, isFirst }] of doubtful.entries()) {
      // Its comma goes with it: the one before it, or the one after it if no other element came yet.
      const shift = Number(isFirst);
      await copy(at, from + shift, others);
      await list.writeFile(i === 0 ? "[" : ",");
      await copy(from + 1, to, list);
      at = to + shift;
    }
    await copy(at, Infinity, others);
    await list.writeFile("]");
  } finally {
    for (const one of [source, others, list]) await one.close();
  }
}
