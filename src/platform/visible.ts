/**
 * Characters that move the cursor, colour, end a line or turn the direction of text: C0, DEL, C1, line separators and
 * the marks and overrides of bidirectional text.
 */
// eslint-disable-next-line no-control-regex -- these are the characters to find
const control = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

const short: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

const escaped = (character: string) =>
  short[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Text for one line of a console or log: control characters are escaped as in JSON, so a name cannot forge a line. */
export function visible(text: string): string {
  return isPlain(text) ? text : text.replace(control, escaped);
}

/** Whether a text is printable ASCII: nearly all are, and a loop takes a fifth of the time of the expression. */
export function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code > 0x7e) return false;
  }
  return true;
}

/** Text of several lines, each escaped. */
export function visibleLines(text: string): string {
  return text.split("\n").map(visible).join("\n");
}

/** Plain data with every text escaped, for a renderer. The same object if there is nothing to escape. */
export const visibleData = <T>(value: T): T => mapTexts(value, visible);

/** Plain data with every text changed, but no name of a field. The same object if nothing changes. */
export function mapTexts<T>(value: T, change: (text: string) => string): T {
  if (typeof value === "string") return change(value) as T;
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  // Nothing is made for what stays the same: an audit has hundreds of thousands of rows.
  if (Array.isArray(value)) {
    const elements = value as readonly unknown[];
    let changed: unknown[] | undefined;
    for (let i = 0; i < elements.length; i++) {
      const element = mapTexts(elements[i], change);
      if (element !== elements[i]) (changed ??= [...elements])[i] = element;
    }
    return (changed ?? value) as T;
  }
  const fields = value as Record<string, unknown>;
  let copy: Record<string, unknown> | undefined;
  for (const name in fields) {
    const own = fields[name];
    const field = mapTexts(own, change);
    if (field === own) continue;
    copy ??= { ...fields };
    // Not assigned: a field may be `__proto__`.
    Object.defineProperty(copy, name, { value: field, enumerable: true, configurable: true, writable: true });
  }
  return (copy ?? value) as T;
}
