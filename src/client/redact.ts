export type Redact = (text: string) => string;

const hidden = "[redacted]";

/** A secret as it may appear in text: plain, percent-encoded, base64 and base64url. */
function forms(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8");
  return [secret, encodeURIComponent(secret), bytes.toString("base64"), bytes.toString("base64url")];
}

/** Replaces every form of every secret in a text. Secrets shorter than 4 characters would blot out everything. */
export function redactor(secrets: readonly string[]): Redact {
  const needles = secrets
    .filter((secret) => secret.length >= 4)
    .flatMap(forms)
    .toSorted((a, b) => b.length - a.length);
  return (text) => needles.reduce((clean, needle) => clean.replaceAll(needle, hidden), text);
}
