export type Redact = (text: string) => string;

const hidden = "[redacted]";

/** The base64 of the bytes inside a longer text: one form for each of the three alignments. */
function aligned(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes]);
    const from = Math.ceil((before * 8) / 6);
    const to = Math.floor((padded.length * 8) / 6);
    return [padded.toString("base64").slice(from, to), padded.toString("base64url").slice(from, to)];
  });
}

/** A secret as it may appear in text: plain, escaped in JSON, percent-encoded, base64 and base64url at any offset. */
export function secretForms(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8");
  const percent = encodeURIComponent(secret);
  const lower = percent.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  return [...new Set([secret, JSON.stringify(secret).slice(1, -1), percent, lower, ...aligned(bytes)])];
}

/** Replaces every form of every secret in a text. Ignores secrets under 4 characters, which occur in ordinary text. */
export function redactor(secrets: readonly string[]): Redact {
  const needles = secrets
    .filter((secret) => secret.length >= 4)
    .flatMap(secretForms)
    .toSorted((a, b) => b.length - a.length);
  return (text) => needles.reduce((clean, needle) => clean.replaceAll(needle, hidden), text);
}
