import { secretForms } from "../platform/index.js";

/** Finds secrets in a body while it streams, and masks them if asked to. One screen serves one body. */
export interface Screen {
  /** The next piece of the body; if secrets are masked, its last bytes come out with a later piece. */
  pass(piece: Buffer): Buffer;
  /** The last bytes. */
  end(): Buffer;
  /** Secrets found so far. */
  readonly found: number;
}

/** Text to find, in lower case, and the byte that masks it: digits become digits, so that a number stays one. */
interface Needle {
  readonly bytes: Uint8Array;
  readonly mask: number;
}

export interface Search {
  /** Makes a screen; without `mask` it changes nothing. */
  screen(mask: boolean): Screen;
}

/** Shorter secrets are ordinary text. */
const minimumSecret = 8;

const backslash = 0x5c;
const isLetter = (byte: number) => byte >= 0x61 && byte <= 0x7a;
const lower = (byte: number) => (byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte);
const cases = (byte: number) => (isLetter(byte) ? [byte, byte - 32] : [byte]);

function needlesOf(secrets: readonly string[]): Needle[] {
  return secrets
    .filter((secret) => secret.length >= minimumSecret)
    .flatMap(secretForms)
    .map((form) => ({ bytes: Buffer.from(form).map(lower), mask: /^\d+$/.test(form) ? 0x31 : 0x2a }))
    .toSorted((a, b) => b.bytes.length - a.bytes.length);
}

/** How far to go on after two bytes, for the needles cut to `length`; 0 where one may end. */
function shiftsOf(needles: readonly Needle[], length: number): Uint8Array {
  const shifts = new Uint8Array(1 << 16).fill(Math.min(255, length - 1));
  for (const { bytes } of needles) {
    for (let j = 1; j < length; j++) {
      for (const a of cases(bytes[j - 1] ?? 0))
        for (const b of cases(bytes[j] ?? 0)) {
          const pair = (a << 8) | b;
          shifts[pair] = Math.min(shifts[pair] ?? 0, length - 1 - j);
        }
    }
  }
  return shifts;
}

function isAt(window: Uint8Array, start: number, { bytes }: Needle): boolean {
  if (start + bytes.length > window.length) return false;
  for (let i = 0; i < bytes.length; i++) if (lower(window[start + i] ?? 0) !== bytes[i]) return false;
  return true;
}

/** Whether a character is the second one of an escape: then the text is not the secret, and a mask would break it. */
function isEscaped(window: Uint8Array, at: number): boolean {
  let from = at;
  while (from > 0 && window[from - 1] === backslash) from--;
  return (at - from) % 2 === 1;
}

/**
 * Searches for every form of the secrets, in any case, by the shifts of Wu and Manber (1994): most bytes are never
 * looked at, since a pair of bytes that no needle has lets the search go on by the length of the shortest needle.
 */
export function createSearch(secrets: readonly string[]): Search {
  const needles = needlesOf(secrets);
  const shortest = needles.at(-1)?.bytes.length ?? 0;
  const held = Math.max(0, (needles[0]?.bytes.length ?? 0) - 1);
  const shifts = shiftsOf(needles, shortest);

  function screen(mask: boolean): Screen {
    let found = 0;
    let carry = Buffer.alloc(0);
    /** Where the search goes on in the carried bytes. */
    let from = 0;

    /** Finds secrets that begin before `limit`. */
    function search(window: Buffer, limit = Infinity): void {
      let at = from + shortest - 1;
      while (at < window.length && at - shortest + 1 < limit) {
        const shift = shifts[((window[at - 1] ?? 0) << 8) | (window[at] ?? 0)] ?? 0;
        if (shift > 0) {
          at += shift;
          continue;
        }
        const start = at - shortest + 1;
        const needle = needles.find((one) => isAt(window, start, one));
        if (needle === undefined || isEscaped(window, start)) {
          at++;
          continue;
        }
        found++;
        from = start + needle.bytes.length;
        if (mask) window.fill(needle.mask, start, from);
        at = from + shortest - 1;
      }
    }

    return {
      pass(piece) {
        // Without a mask only the seam of two pieces is copied: copying each piece would cost more than the search.
        const isSeam = !mask && carry.length > 0 && piece.length > 2 * held;
        if (isSeam) {
          search(Buffer.concat([carry, piece.subarray(0, 2 * held)]), carry.length + held);
          from = Math.max(held, from - carry.length);
        }
        const window = isSeam || carry.length === 0 ? piece : Buffer.concat([carry, piece]);
        search(window);
        const cut = Math.max(0, window.length - held);
        carry = Buffer.from(window.subarray(cut));
        from = Math.max(0, from - cut);
        return mask ? window.subarray(0, cut) : piece;
      },
      end: () => (mask ? carry : Buffer.alloc(0)),
      get found() {
        return found;
      },
    };
  }

  const nothing: Screen = { pass: (piece) => piece, end: () => Buffer.alloc(0), found: 0 };
  return { screen: needles.length === 0 ? () => nothing : screen };
}

/** The pieces of a body through a screen. */
export async function* screened(pieces: AsyncIterable<Buffer>, screen: Screen): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    const passed = screen.pass(piece);
    if (passed.length > 0) yield passed;
  }
  const rest = screen.end();
  if (rest.length > 0) yield rest;
}
