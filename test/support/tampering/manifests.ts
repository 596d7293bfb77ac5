import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { gzipSync } from "node:zlib";
import { rawName, type Part } from "../../../src/lake/index.js";
import { aBody, otherPart, swap } from "./actions.js";
import { found, refused, type Damage } from "./lake.js";

const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

/** What is done to a manifest, and to other files to match, under a valid seal. */
export const manifestDamages: readonly Damage[] = [
  refused(
    "a part outside the lake",
    /units\.\d+\.parts\.0\.path is not the place of a part of ratings: "\.\.\//,
    (lake) => lake.ratings((part) => ({ ...part, path: "../../../../../../etc/passwd" })),
  ),
  refused("a part that is a device", /path is not the place of a part of ratings: "\/dev\/zero"/, (lake) =>
    lake.ratings((part) => ({ ...part, path: "/dev/zero" })),
  ),
  refused("a part of another experiment", /path is not the place of a part of ratings/, (lake) =>
    lake.ratings((part) => ({ ...part, path: part.path.replace("exp1", "exp6") })),
  ),
  refused(
    "rows in quarantine outside the lake",
    /quarantine is not the place of the rows in quarantine: "\.\.\/x"/,
    (lake) => lake.ratings((part) => ({ ...part, quarantine: "../x", quarantine_sha256: "0".repeat(64) })),
  ),
  found("a part listed twice", /lists experiment_id=exp1\/ratings\.parquet twice/, (lake) =>
    lake.units("listRatings", (unit) => ({ ...unit, parts: [...unit.parts, ...unit.parts] })),
  ),
  found(
    "two parts swapped, in the manifest too",
    /listRatings of exp1 .*: .* does not account for all \d+ elements/,
    (lake) => {
      swap(lake.part, otherPart(lake));
      const digests: Partial<Part>[] = [];
      lake.units("listRatings", (unit) => {
        const [{ rows, bytes, sha256 }] = unit.parts as [Part];
        digests.push({ rows, bytes, sha256 });
        return unit;
      });
      lake.units("listRatings", (unit) => ({
        ...unit,
        parts: unit.parts.map((part) => ({ ...part, ...digests.pop() })),
      }));
    },
  ),
  found(
    "a unit dropped",
    /has no request listRatings of exp1[^]*lists the kept body [0-9a-f]{64}, which no request received/,
    (lake) => {
      lake.units("listRatings", (unit) => (unit.experiment_id === "exp1" ? null : unit));
      rmSync(lake.part);
    },
  ),
  found(
    "an empty list of kept bodies",
    /does not list the body of listRatings of exp1 \(training=true\) among the kept ones/,
    (lake) => lake.reseal((manifest) => ({ ...manifest, raw: [] })),
  ),
  found(
    "rows dropped, with all their counts",
    /states 3 elements for listSessions [^]*but its kept body has 4/,
    (lake) =>
      lake.units("listSessions", (unit) => ({
        ...unit,
        elements: unit.elements - 1,
        parts: unit.parts.map((part) => ({ ...part, rows: part.rows - 1 })),
      })),
  ),
  found("an element dropped from a count", /does not account for all 3 elements/, (lake) =>
    lake.units("listSessions", (unit) => ({ ...unit, elements: unit.elements - 1 })),
  ),
  found(
    "a body that unpacks to more than stated",
    /does not decompress: more than the \d+ bytes that the manifest states/,
    (lake) => {
      const body = aBody(lake);
      const bomb = gzipSync(Buffer.alloc(1 << 26, 32));
      writeFileSync(body, bomb);
      lake.reseal((manifest) => ({
        ...manifest,
        raw: manifest.raw?.map((one) =>
          rawName(one.body) === basename(body) ? { ...one, bytes: bomb.length, sha256: sha256(bomb) } : one,
        ),
      }));
    },
  ),
  found("columns renamed", /its columns are not those of ratings: points DOUBLE, score DOUBLE/, (lake) =>
    lake.reseal((manifest) => ({ ...manifest, columns: { ...manifest.columns, ratings: { points: "DOUBLE" } } })),
  ),
  found("columns not stated", /states no columns for ratings/, (lake) =>
    lake.reseal((manifest) => ({ ...manifest, columns: {} })),
  ),
  found("another project's manifest", /names the project P2, but is in/, (lake) =>
    lake.reseal((manifest) => ({ ...manifest, project_id: "P2" })),
  ),
  refused("an unknown operation", /units\.\d+\.operation must be one of \w+, /, (lake) =>
    lake.units("listRatings", (unit) => ({ ...unit, operation: "toString" })),
  ),
  refused("an unknown table", /parts\.0\.table must be one of \w+, /, (lake) =>
    lake.ratings((part) => ({ ...part, table: "__proto__" })),
  ),
  refused("a format that never was", /format must be 1/, (lake) =>
    lake.reseal((manifest) => ({ ...manifest, format: 0 })),
  ),
  found("a manifest without its seal", /its seal does not match its text/, ({ manifest }) => {
    const unsealed = JSON.parse(readFileSync(manifest, "utf8")) as { seal?: string };
    delete unsealed.seal;
    writeFileSync(manifest, `${JSON.stringify(unsealed, null, 1)}\n`);
  }),
];
