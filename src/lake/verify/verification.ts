import type { Digest } from "../../platform/index.js";
import type { Layout } from "../layout.js";
import type { LakeStore, Tree } from "../store.js";
import type { FooterReader } from "./part.js";

/** Something in a lake that differs from what was written. */
interface LakeProblem {
  /** Path of the file. */
  readonly file: string;
  readonly problem: string;
}

/** What was found so far, and what was read. */
export interface Findings {
  readonly problems: LakeProblem[];
  /** Files and folders that interrupted runs left, and that no snapshot needs. */
  readonly leftovers: string[];
  files: number;
  bytes: number;
}

/** State shared by all steps of one verification. */
export interface Verification extends Findings {
  readonly store: LakeStore;
  readonly layout: Layout;
  /** Everything in the project's folder. */
  readonly tree: Tree;
  /** Digests of what was read, by identity: shared bytes are read once. */
  readonly digests: Map<string, Digest>;
  readonly footers: FooterReader;
  /** Records a problem with a file of the project. */
  readonly report: (path: string, problem: string) => void;
}
