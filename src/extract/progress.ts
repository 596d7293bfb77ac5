/** Progress of an export, for display. */
export interface ExportProgress {
  readonly experiments: number;
  readonly done: number;
  /** Rows of finished experiments. */
  readonly rows: number;
  /** Bytes of response bodies so far. */
  readonly bytes: number;
}

export interface Progress {
  now(): ExportProgress;
  add(change: Partial<ExportProgress>): void;
}

export function createProgress(onProgress: (progress: ExportProgress) => void): Progress {
  let now: ExportProgress = { experiments: 0, done: 0, rows: 0, bytes: 0 };
  return {
    now: () => now,
    add({ experiments = 0, done = 0, rows = 0, bytes = 0 }) {
      now = {
        experiments: now.experiments + experiments,
        done: now.done + done,
        rows: now.rows + rows,
        bytes: now.bytes + bytes,
      };
      onProgress(now);
    },
  };
}
