import { gunzipSync } from "node:zlib";
import { places } from "./layout.js";
import { manifestProblem, packedProblem } from "./manifest-rules.js";
import { textDigest } from "./manifest-text.js";
import type { Manifest, PackedManifest } from "./manifest.js";
import { partIn } from "./part-files.js";

/** What the file of a manifest holds. */
export interface ManifestFile {
  readonly manifest: Manifest;
  /** The manifest's text as it was written, and its SHA-256. */
  readonly text: string;
  readonly sha256: string;
  readonly isPacked: boolean;
}

/** What unpacks to more than this multiple of its size is no manifest: those of large lakes unpack to the tenfold. */
const mostUnpacked = 100;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isPackedFile = (value: unknown): value is PackedManifest =>
  typeof value === "object" && value !== null && Object.hasOwn(value, "packed");

function unpacked({ packed }: PackedManifest): string {
  try {
    const maxOutputLength = mostUnpacked * (packed.length + 1);
    return gunzipSync(Buffer.from(packed, "base64"), { maxOutputLength }).toString();
  } catch {
    return "";
  }
}

/** Reads the content of a manifest's file. Returns what is wrong with the file, if anything is. */
export function readManifestFile(file: string): ManifestFile | string {
  const value = parsed(file);
  if (value === undefined) return "is not JSON: the snapshot is corrupted. Run `recount verify`";
  if (!isPackedFile(value)) {
    const plain = { manifest: value as Manifest, text: file, sha256: textDigest(file), isPacked: false };
    return manifestProblem(value) ?? plain;
  }
  const problem = packedProblem(value);
  if (problem !== null) return problem;
  const text = unpacked(value);
  const { sha256 } = value;
  if (textDigest(text) !== sha256) return "is not a manifest: packed is not the text that sha256 states";
  const manifest = parsed(text);
  return manifestProblem(manifest) ?? { manifest: placed(manifest as Manifest), text, sha256, isPacked: true };
}

/** A manifest that was packed by a migration: its parts have moved since it was written. */
function placed(manifest: Manifest): Manifest {
  const units = manifest.units.map((unit) => ({
    ...unit,
    parts: unit.parts.map((part) => partIn(places, part, unit.experiment_id)),
  }));
  return { ...manifest, units };
}
