/** Digest of what everything depends on that is computed of a snapshot. */
import { createHash } from "node:crypto";
import { codeDigest, isObject } from "../platform/index.js";
import type { Manifest, Unit } from "./manifest-schema.js";
import type { Snapshot } from "./snapshot.js";

/** What differs between two exports of equal data: names, addresses, times and how it was sent. */
const ownFacts: ReadonlySet<string> = new Set([
  "snapshot",
  "service",
  "created_at",
  "elapsed_ms",
  "previous",
  "tombstones",
  "raw",
  "listings",
  "seal",
] satisfies (keyof Manifest | "seal")[]);

const ownFactsOfUnit: ReadonlySet<string> = new Set([
  "started_at",
  "elapsed_ms",
  "attempts",
  "status",
  "etag",
] satisfies (keyof Unit)[]);

/** What is not named counts: a new field does too. */
const omitFields = (record: object, own: ReadonlySet<string>) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !own.has(name)));

const factsOf = (manifest: Manifest) => ({
  ...omitFields(manifest, ownFacts),
  units: manifest.units.map((unit) => omitFields(unit, ownFactsOfUnit)),
});

/** By the manifest, to which `readSnapshot` holds what is read. Null for object storage. */
export function inputsOf({ manifest, locate }: Snapshot): string | null {
  const parts = manifest.units.flatMap((unit) => unit.parts);
  if (parts.some(({ path }) => isObject(locate(path)))) return null;
  return createHash("sha256")
    .update(codeDigest())
    .update(JSON.stringify(factsOf(manifest)))
    .digest("hex");
}
