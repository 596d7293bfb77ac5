/** Elements of a list in one piece of text. */
const atOnce = 1000;

/** The text of a long list, a thousand elements at a time: a string holds at most 536 million characters. */
export function* piecesOf<T>(list: readonly T[], textOf: (elements: readonly T[], from: number) => string) {
  for (let from = 0; from < list.length; from += atOnce) yield textOf(list.slice(from, from + atOnce), from);
}

/** `JSON.stringify(value, null, 2)` of plain data in pieces, each of at most a thousand elements of a list. */
export function* jsonPieces(value: unknown, margin = "\n"): Generator<string> {
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) yield JSON.stringify(value);
  else if (Array.isArray(value)) {
    const elements = (some: readonly unknown[]) => JSON.stringify(some, null, 2).slice(1, -2).replaceAll("\n", margin);
    yield* piecesOf(value, (some, from) => `${from === 0 ? "[" : ","}${elements(some)}`);
    yield `${margin}]`;
  } else {
    let before = "{";
    for (const [name, own] of Object.entries(value)) {
      if (own === undefined) continue;
      yield `${before}${margin}  ${JSON.stringify(name)}: `;
      yield* jsonPieces(own, `${margin}  `);
      before = ",";
    }
    yield before === "{" ? "{}" : `${margin}}`;
  }
}
