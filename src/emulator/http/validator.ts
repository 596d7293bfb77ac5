import { createHash } from "node:crypto";
import type { OperationName } from "../../contract/index.js";
import type { Service } from "../service.js";
import type { Outgoing } from "./outgoing.js";

/**
 * A list's ETag: the revision of what it is read from and how it was asked for. The revision counts the
 * changes of the state since its beginning, so it is the same after a restart from the same state file.
 */
export function withValidator(
  service: Service,
  name: OperationName,
  url: string,
  ifNoneMatch: string | undefined,
  outgoing: Outgoing,
): Outgoing {
  if (!service.settings.etag || outgoing.status !== 200 || outgoing.body === null || "whole" in outgoing.body)
    return outgoing;
  const { apiVersion, publishing, defaultTraining } = service.settings;
  const text = JSON.stringify([name, url, service.store.revision, apiVersion, publishing, defaultTraining]);
  const etag = `"${createHash("sha256").update(text).digest("hex").slice(0, 32)}"`;
  const isKnown = (ifNoneMatch ?? "").split(",").some((one) => one.trim().replace(/^W\//, "") === etag);
  return isKnown
    ? { status: 304, headers: { etag }, body: null }
    : { ...outgoing, headers: { ...outgoing.headers, etag } };
}
