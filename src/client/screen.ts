/** Finds and masks secrets in streaming bodies. */
import { secretForms } from "./secrets.js";

export interface Screen {
  /** If secrets are masked, the last bytes come out with a later piece. */
  pass(piece: Buffer): Buffer;
  end(): Buffer;
  readonly found: number;
}

/** In lower case, with the byte that masks it: digits become digits. */
interface Needle {
  readonly bytes: Uint8Array;
  readonly mask: number;
}

interface Search {
  /** Makes a screen; without `mask` it changes nothing. */
  screen(mask: boolean): Screen;
}

/** Shorter secrets are ordinary text. */
const minimumSecret = 8;

const backslash = 0x5c;
const lowerCase = (byte: number) => (byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte);

function needlesOf(secrets: readonly string[]): Needle[] {
  return secrets
    .filter((secret) => secret.length >= minimumSecret)
    .flatMap(secretForms)
    .map((form) => ({
      bytes: Buffer.from(form).map(lowerCase),
      mask: /^\d+$/.test(form) ? 0x31 : 0x2a,
    }))
    .toSorted((a, b) => b.bytes.length - a.bytes.length);
}

/** Looked up at once, as an integer with upper and lower case made equal. */
const wordBytes = 4;
const wordAt = (view: DataView, at: number) => view.getInt32(at, true) | 0x20202020;
/** Few of the words that are no clue have the hash of one. */
const hashBits = 14;
const hashOfWord = (word: number) => Math.imul(word, 0x9e3779b1) >>> (32 - hashBits);

interface Clue {
  readonly needle: Needle;
  readonly offset: number;
}

function cluesOf(needles: readonly Needle[], count: number): Map<number, readonly Clue[]> {
  const clues = new Map<number, readonly Clue[]>();
  for (let offset = count - 1; offset >= 0; offset--)
    for (const needle of needles) {
      const { buffer, byteOffset } = needle.bytes;
      const word = wordAt(new DataView(buffer, byteOffset), offset);
      clues.set(word, [...(clues.get(word) ?? []), { needle, offset }]);
    }
  return clues;
}

function isAt(window: Uint8Array, start: number, { bytes }: Needle): boolean {
  if (start + bytes.length > window.length) return false;
  for (let i = 0; i < bytes.length; i++)
    if (lowerCase(window[start + i] ?? 0) !== bytes[i]) return false;
  return true;
}

/** Then the text is not the secret, and a mask would break it. */
function isEscaped(window: Uint8Array, at: number): boolean {
  let from = at;
  while (from > 0 && window[from - 1] === backslash) from--;
  return (at - from) % 2 === 1;
}

/** In any case of letters. Of a secret that occurs, one word is at a multiple of the stride. */
export function createSearch(secrets: readonly string[]): Search {
  const needles = needlesOf(secrets);
  const held = Math.max(0, (needles[0]?.bytes.length ?? 0) - 1);
  const stride = (needles.at(-1)?.bytes.length ?? 0) - wordBytes + 1;
  const clues = cluesOf(needles, stride);
  const isClue = new Uint8Array(1 << hashBits);
  for (const word of clues.keys()) isClue[hashOfWord(word)] = 1;

  function nextClue(view: DataView, at: number, end: number): number {
    while (at <= end && isClue[hashOfWord(wordAt(view, at))] === 0) at += stride;
    return at;
  }

  function screen(mask: boolean): Screen {
    let found = 0;
    let carry = Buffer.alloc(0);
    let from = 0;

    function search(window: Buffer, limit = window.length): void {
      const view = new DataView(window.buffer, window.byteOffset, window.length);
      const end = Math.min(window.length - wordBytes, limit + stride - 2);
      for (
        let at = nextClue(view, from + stride - 1, end);
        at <= end;
        at = nextClue(view, at + stride, end)
      ) {
        for (const { needle, offset } of clues.get(wordAt(view, at)) ?? []) {
          const start = at - offset;
          if (start >= limit || !isAt(window, start, needle) || isEscaped(window, start)) continue;
          found++;
          from = start + needle.bytes.length;
          if (mask) window.fill(needle.mask, start, from);
          at = from - 1;
          break;
        }
      }
    }

    return {
      pass(piece) {
        // Without a mask only the seam of two pieces is copied: copying each piece would cost more
        // than the search.
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
