/** Bounds of one attempt: no response can hold an export up forever, however slow, long or strange it is. */
export interface TransferLimits {
  /** Milliseconds to connect; default 10 s. */
  readonly connectMs: number;
  /** Milliseconds from the request, or the last interim (1xx) answer, to the end of the answer's head; default 60 s. */
  readonly headMs: number;
  /** Number of interim (1xx) answers before the answer; default 16. */
  readonly interim: number;
  /** Milliseconds between two pieces of a body; default 60 s. */
  readonly stallMs: number;
  /** Minimum bytes per second of a body as sent, over any 60 s of waiting for it; default 1 KiB. */
  readonly bytesPerSecond: number;
  /** Milliseconds of waiting for one body in all; default 6 h. */
  readonly bodyMs: number;
  /** Largest body in bytes, as sent and decoded: the disk space that one response can take; default 16 GiB. */
  readonly bodyBytes: number;
}

/** Source: docs/design.md, "Reading from the service". */
export const defaultLimits: TransferLimits = {
  connectMs: 10_000,
  headMs: 60_000,
  interim: 16,
  stallMs: 60_000,
  bytesPerSecond: 1024,
  bodyMs: 6 * 3_600_000,
  bodyBytes: 16 * 1024 ** 3,
};
