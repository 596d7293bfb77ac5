/** Keeps secrets out of every text. */
import { UsageError } from "../platform/index.js";
export type Redact = (text: string) => string;

const mask = "[redacted]";

/** One form for each of the three alignments. */
function aligned(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes]);
    const from = Math.ceil((before * 8) / 6);
    const to = Math.floor((padded.length * 8) / 6);
    return [
      padded.toString("base64").slice(from, to),
      padded.toString("base64url").slice(from, to),
    ];
  });
}

/**
 * Plain, escaped in JSON, percent-encoded where necessary or everywhere, hexadecimal, and base64 or
 * base64url at any offset.
 */
export function secretForms(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8");
  const hex = bytes.toString("hex");
  const json = JSON.stringify(secret).slice(1, -1);
  const percent = encodeURIComponent(secret);
  return [
    ...new Set([
      secret,
      json,
      json.replaceAll("/", "\\/"),
      percent,
      percent.replaceAll("%20", "+"),
      hex.replaceAll(/../g, "%$&"),
      hex,
      ...aligned(bytes),
    ]),
  ];
}

const escapedPattern = (text: string) => text.replaceAll(/[$()*+.?[\\\]^{|}/-]/g, "\\$&");

/** In any case of letters. Ignores secrets under 4 characters, which occur in ordinary text. */
export function redactor(secrets: readonly string[]): Redact {
  const needles = secrets
    .filter((secret) => secret.length >= 4)
    .flatMap(secretForms)
    .toSorted((a, b) => b.length - a.length);
  if (needles.length === 0) return (text) => text;
  const any = new RegExp(needles.map(escapedPattern).join("|"), "gi");
  return (text) => text.replace(any, mask);
}

const variables = [
  "RECOUNT_API_KEY",
  "RECOUNT_BASIC_PASSWORD",
  "RECOUNT_SESSION_ID",
  "RECOUNT_PSEUDONYM_KEY",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
  "AWS_CONTAINER_AUTHORIZATION_TOKEN",
];

const alsoWithheld = ["RECOUNT_ADMIN_KEY", "SPARK_REMOTE"];

export function environmentWithoutSecrets(): NodeJS.ProcessEnv {
  const withheld = new Set([...variables, ...alsoWithheld]);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !withheld.has(name)));
}

const hidden = new Set<string>();
let redact: Redact | undefined;

export function hide(secret: string): void {
  if (hidden.has(secret)) return;
  hidden.add(secret);
  redact = undefined;
}

export function forgetSecrets(): void {
  hidden.clear();
  redact = undefined;
}

export function withoutSecrets(text: string): string {
  redact ??= redactor([...variables.flatMap((name) => process.env[name] ?? []), ...hidden]);
  return redact(text);
}

/** As they are before they are escaped. @throws UsageError, which shows neither */
export function credentialsIn(
  { username, password }: URL,
  from: string,
): { username: string; password: string } {
  try {
    return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch (error) {
    throw new UsageError(
      `${from}: a % in its user or password does not begin an escape. Write %25 for the ` +
        "character itself.",
      { cause: error },
    );
  }
}
