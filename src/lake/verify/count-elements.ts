const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
const inText = Uint8Array.from({ length: 256 }, (_, byte) => Number(byte === quote || byte === backslash));
const outside = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number([quote, comma, openBrace, closeBrace, openBracket, closeBracket].includes(byte)),
);

/** Counts the elements of a JSON list that arrives in pieces; a single object counts as one. */
interface ElementCounter {
  readonly add: (piece: Uint8Array) => void;
  readonly elements: () => number;
}

/**
 * By commas and brackets alone, for a list that an export has accepted. The export counts with a tokenizer of its own:
 * that both agree is evidence.
 */
export function createElementCounter(): ElementCounter {
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  let isList: boolean | undefined;
  let commas = 0;
  let hasContent = false;
  return {
    add(piece) {
      let at = Number(isEscaped && piece.length > 0);
      if (at > 0) isEscaped = false;
      for (; at < piece.length; at++) {
        const stops = isText ? inText : outside;
        if (depth === 1 && !isText && !hasContent) {
          const byte = piece[at] as number;
          if (byte > 0x20 && byte !== closeBracket) hasContent = true;
        } else while (at < piece.length && stops[piece[at] as number] === 0) at++;
        const byte = piece[at];
        if (isText) {
          if (byte === quote) isText = false;
          else if (byte === backslash) isEscaped = ++at === piece.length;
        } else if (byte === quote) isText = true;
        else if (byte === openBrace || byte === openBracket) {
          isList ??= byte === openBracket;
          depth++;
        } else if (byte === closeBrace || byte === closeBracket) depth--;
        else if (byte === comma && depth === 1) commas++;
      }
    },
    elements: () => (isList === false ? 1 : hasContent ? commas + 1 : 0),
  };
}
