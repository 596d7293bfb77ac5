import { createHmac } from "node:crypto";

/** The `Recount-Signature` header: `t` in seconds and HMAC-SHA256, in hexadecimal, of `<t>.<body>` under the project's secret. */
export function signatureOf(secret: string, seconds: number, body: string): string {
  const digest = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
  return `t=${seconds},v1=${digest}`;
}
