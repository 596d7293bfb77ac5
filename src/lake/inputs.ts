/** Digest of what everything depends on that is computed of a snapshot. */
import { createHash } from "node:crypto";
import { codeDigest, digestOf, isObject } from "../platform/index.js";
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

/** Null if a part differs from the manifest or is in object storage. Reads every part. */
export async function inputsOf({ manifest, locate }: Snapshot): Promise<string | null> {
  for (const { path, sha256 } of manifest.units.flatMap(({ parts }) => parts)) {
    const file = locate(path);
    if (isObject(file)) return null;
    const found = await digestOf(file).catch(() => null);
    if (found?.sha256 !== sha256) return null;
  }
  return createHash("sha256")
    .update(codeDigest())
    .update(JSON.stringify(factsOf(manifest)))
    .digest("hex");
}
