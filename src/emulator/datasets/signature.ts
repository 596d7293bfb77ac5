import { createHmac, timingSafeEqual } from "node:crypto";
import type { Dataset } from "../state/state.js";

const sign = (nonce: string, id: string, expires: string): string =>
  createHmac("sha256", nonce).update(`PUT ${id} ${expires}`).digest("hex");

/** The signed address to which a dataset's file is PUT, once, without an API key. No slash at its end: `curl -T` would add a name. */
export function uploadUrl(base: string, project: string, { id, upload }: Dataset): string {
  const { nonce = "", expires_at: expires = "" } = upload ?? {};
  return `${base}/uploads/${project}/${id}/file?expires=${encodeURIComponent(expires)}&signature=${sign(nonce, id, expires)}`;
}

/** Whether the signature of an upload address is the service's own. */
export function isSigned({ id, upload }: Dataset, query: { expires?: string; signature?: string }): boolean {
  if (upload === null || query.expires !== upload.expires_at) return false;
  const [own, given] = [Buffer.from(sign(upload.nonce, id, upload.expires_at)), Buffer.from(query.signature ?? "")];
  return own.length === given.length && timingSafeEqual(own, given);
}
