/** Something in a lake that differs from what was written. */
export interface Problem {
  /** Where the file is. */
  readonly file: string;
  readonly problem: string;
}

/** The problems found so far, and what was read. */
export interface Findings {
  readonly problems: Problem[];
  files: number;
  bytes: number;
}
