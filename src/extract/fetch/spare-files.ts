import { dirname, join } from "node:path";
import { fs, randomHex, removeFile } from "../../platform/index.js";

/**
 * Scratch files that nobody needs any more, for others to overwrite. A file system such as ext4 looks at every file that was
 * removed in the last minute before it makes one: with thousands of small bodies that took a tenth of an export.
 */
export interface SpareFiles {
  /** Moves a spare file, if there is one, to a new path where a file is about to be written. */
  take(path: string): void;
  /** Takes a file, or removes it: if it has another name, which keeps its content, or is large. */
  give(path: string): Promise<void>;
}

/** Spare files, and the size of the largest, in bytes: they keep their space on the disk. */
const [mostFiles, mostBytes] = [32, 1 << 22];

export function createSpareFiles(): SpareFiles {
  const spare: string[] = [];
  return {
    take(path) {
      const old = spare.pop();
      if (old !== undefined) fs.renameSync(old, path);
    },
    async give(path) {
      const { nlink = 0, size = 0 } = fs.statSync(path, { throwIfNoEntry: false }) ?? {};
      if (nlink !== 1 || size > mostBytes || spare.length === mostFiles) return removeFile(path);
      // Its path is free again, as if it was removed.
      const own = join(dirname(path), `spare-${randomHex(6)}`);
      fs.renameSync(path, own);
      spare.push(own);
    },
  };
}
