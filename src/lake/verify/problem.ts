/** Something in a lake that differs from what was written. */
export interface LakeProblem {
  /** Path of the file. */
  readonly file: string;
  readonly problem: string;
}

/** The problems found so far, and what was read. */
export interface Findings {
  readonly problems: LakeProblem[];
  files: number;
  bytes: number;
}
