/** Something in a lake that is not as it was written. */
export interface Problem {
  /** Path of the file, as the lake was given. */
  readonly file: string;
  readonly problem: string;
}

/** Collects problems and what was looked at. */
export interface Findings {
  readonly problems: Problem[];
  files: number;
  bytes: number;
}
