import { UsageError } from "./errors.js";
export type Redact = (text: string) => string;

const mask = "[redacted]";

/** The base64 of the bytes inside a longer text: one form for each of the three alignments. */
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
 * A secret as it may appear in text, apart from upper and lower case: plain, escaped in JSON,
 * percent-encoded where necessary or everywhere, as hexadecimal digits, and as base64 or base64url
 * at any offset.
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

/**
 * Replaces every form of every secret in a text, in any case. Ignores secrets under 4 characters,
 * which occur in ordinary text.
 */
export function redactor(secrets: readonly string[]): Redact {
  const needles = secrets
    .filter((secret) => secret.length >= 4)
    .flatMap(secretForms)
    .toSorted((a, b) => b.length - a.length);
  if (needles.length === 0) return (text) => text;
  const any = new RegExp(needles.map(escapedPattern).join("|"), "gi");
  return (text) => text.replace(any, mask);
}

/** Variables of the environment that hold a secret. */
const variables = [
  "RECOUNT_API_KEY",
  "RECOUNT_BASIC_PASSWORD",
  "RECOUNT_SESSION_ID",
  "RECOUNT_PSEUDONYM_KEY",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
  "AWS_CONTAINER_AUTHORIZATION_TOKEN",
];

/** Variables that may hold one beside other text, or that of another service. */
const alsoWithheld = ["RECOUNT_ADMIN_KEY", "SPARK_REMOTE"];

/** The environment of this process without its secrets, for a program that it starts. */
export function environmentWithoutSecrets(): NodeJS.ProcessEnv {
  const withheld = new Set([...variables, ...alsoWithheld]);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !withheld.has(name)));
}

/**
 * Secrets of this process from elsewhere: key files, profiles, a service that lends credentials.
 */
const hidden = new Set<string>();
let redact: Redact | undefined;

/** Hides a secret in everything that passes `withoutSecrets` from now on. */
export function hide(secret: string): void {
  if (hidden.has(secret)) return;
  hidden.add(secret);
  redact = undefined;
}

/** Forgets the hidden secrets, and reads the environment again. */
export function forgetSecrets(): void {
  hidden.clear();
  redact = undefined;
}

/** A text without the secrets of this process: those of its environment, and the hidden ones. */
export function withoutSecrets(text: string): string {
  redact ??= redactor([...variables.flatMap((name) => process.env[name] ?? []), ...hidden]);
  return redact(text);
}

/**
 * The user and the password of an address, as they are before they are escaped.
 * @throws UsageError, which shows neither
 */
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
