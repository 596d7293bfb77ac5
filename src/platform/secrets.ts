import { redactor, type Redact } from "./redact.js";

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

/** Secrets of this process from elsewhere: key files, profiles, a service that lends credentials. */
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
