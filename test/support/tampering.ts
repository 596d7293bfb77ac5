import {
  readdirSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  cpSync,
  readFileSync,
} from "node:fs";
import { join, basename } from "node:path";
import { execFileSync } from "node:child_process";
import { gzipSync } from "node:zlib";
import { createHash } from "node:crypto";
import { type Manifest, type Part, type Unit, rawName } from "../../src/lake/index.js";
import { reseal } from "./reseal.js";

interface Lake {
  readonly root: string;
  readonly project: string;
  readonly snapshot: string;
  readonly raw: string;
  readonly manifest: string;
  readonly part: string;
  /** Rewrites the manifest under a valid seal. */
  reseal(change: (manifest: Manifest) => object): void;
  /** The same for the units of an operation. */
  units(operation: string, change: (unit: Unit) => object | null): void;
  /** The same for the part of the ratings of the first experiment. */
  ratings(change: (part: Part) => object): void;
}

/** @param at folder of the lake, which has one snapshot of one project */
export function lakeAt(at: string, project: string): Lake {
  const own = join(at, project);
  const [snapshot = ""] = readdirSync(join(own, "snapshots"));
  const folder = join(own, "snapshots", snapshot);
  const manifest = join(folder, "manifest.json");
  const withUnits: Lake["units"] = (operation, change) =>
    reseal(manifest, (whole) => ({
      ...whole,
      units: whole.units.flatMap((unit) =>
        unit.operation === operation ? (change(unit) ?? []) : unit,
      ),
    }));
  return {
    root: at,
    project: own,
    snapshot: folder,
    raw: join(own, "raw"),
    manifest,
    part: join(folder, "experiment_id=exp1/ratings.parquet"),
    reseal: (change) => reseal(manifest, change),
    units: withUnits,
    ratings: (change) =>
      withUnits("listRatings", (unit) =>
        unit.experiment_id === "exp1" ? { ...unit, parts: unit.parts.map(change) } : unit,
      ),
  };
}

interface Damage {
  readonly done: string;
  /** What `recount verify` says, a line for each problem. */
  readonly said: RegExp;
  readonly how: (lake: Lake) => void;
  /** Exit codes of `recount verify` and of `recount query`. */
  readonly codes: { readonly verify: number; readonly query: number };
}

const outcome =
  (verify: number, query: number) =>
  (done: string, said: RegExp, how: Damage["how"]): Damage => ({
    done,
    said,
    how,
    codes: { verify, query },
  });

/** All is well, or nothing but leftovers is found. */
const sound = outcome(0, 0);
/** Verification finds it; a query does not meet it. */
const found = outcome(3, 0);
/** Verification finds it, and a query refuses to read. */
const refused = outcome(3, 4);
/** A part is not what the manifest lists: a query refuses to read it. */
const stopped = outcome(3, 3);
/** There is nothing to verify or read. */
const absent = outcome(4, 4);

const remove = (path: string) => rmSync(path, { recursive: true, force: true });

const pipe = (path: string) => {
  remove(path);
  execFileSync("mkfifo", [path]);
};
const moveOut = (path: string, to: string) => {
  renameSync(path, to);
  symlinkSync(to, path);
};
const file = (path: string, content: string | Buffer = "") => {
  remove(path);
  writeFileSync(path, content);
};
const swap = (a: string, b: string) => {
  renameSync(a, `${a}.x`);
  renameSync(b, a);
  renameSync(`${a}.x`, b);
};
const otherPart = (lake: Lake) => lake.part.replace("exp1", "exp6");
const aBody = ({ raw }: Lake) => join(raw, readdirSync(raw)[0] ?? "");

export const fileDamages: readonly Damage[] = [
  sound("nothing", /^$/, () => undefined),
  found(
    "a hidden file in a snapshot",
    /experiment_id=exp1\/\.x: is not in the manifest/,
    ({ snapshot }) => writeFileSync(join(snapshot, "experiment_id=exp1/.x"), ""),
  ),
  found(
    "an empty folder of an experiment",
    /experiment_id=z: is not in the manifest/,
    ({ snapshot }) => mkdirSync(join(snapshot, "experiment_id=z")),
  ),
  found("a file in the project's folder", /notes: does not belong to a lake/, ({ project }) =>
    writeFileSync(join(project, "notes"), ""),
  ),
  found("a file among the snapshots", /x: is a file, not a folder/, ({ project }) =>
    writeFileSync(join(project, "snapshots/x"), ""),
  ),
  found("a file among the bodies", /x\.json\.gz: does not belong to a lake/, ({ raw }) =>
    writeFileSync(join(raw, "x.json.gz"), ""),
  ),
  sound("a body of no snapshot, too large to unpack", /0{64}\.json\.gz \(left\)/, ({ raw }) =>
    writeFileSync(join(raw, rawName("0".repeat(64))), gzipSync(Buffer.alloc(1 << 26))),
  ),
  sound("what a killed pruning leaves", /\.pruned-x \(left\)/, ({ project, snapshot }) =>
    cpSync(snapshot, join(project, "snapshots/.pruned-x"), { recursive: true }),
  ),
  stopped("a link for a part", /ratings\.parquet: is a link, not a file/, ({ part, root }) =>
    moveOut(part, join(root, "x")),
  ),
  found(
    "a link for an experiment",
    /experiment_id=exp1: is a link, not a folder/,
    ({ snapshot, root }) => moveOut(join(snapshot, "experiment_id=exp1"), join(root, "x")),
  ),
  found("a link for the bodies", /raw: is a link, not a folder/, ({ raw, root }) =>
    moveOut(raw, join(root, "x")),
  ),
  stopped("a pipe for a part", /ratings\.parquet: is a device or pipe, not a file/, ({ part }) =>
    pipe(part),
  ),
  found("a pipe for a body", /json\.gz: is a device or pipe, not a file/, (lake) =>
    pipe(aBody(lake)),
  ),
  refused(
    "a pipe for the manifest",
    /manifest\.json: is a device or pipe, not a file/,
    ({ manifest }) => pipe(manifest),
  ),
  refused(
    "current names another folder",
    /current: names no snapshot: "\.\.\/\.\.\/x/,
    ({ project }) => writeFileSync(join(project, "current"), "../../x\n"),
  ),
  stopped("two parts swapped", /exp1.*: has \d+ bytes, the manifest says \d+\n.*exp6/, (lake) =>
    swap(lake.part, otherPart(lake)),
  ),
  stopped("a part emptied", /ratings\.parquet: has 0 bytes/, ({ part }) => writeFileSync(part, "")),
  refused(
    "the manifest emptied",
    /manifest\.json: has changed since it was written/,
    ({ manifest }) => writeFileSync(manifest, ""),
  ),
  refused(
    "a deeply nested manifest",
    /manifest\.json: has changed since it was written/,
    ({ manifest }) => writeFileSync(manifest, "[".repeat(1e5) + "]".repeat(1e5)),
  ),
  refused("the manifest removed", /manifest\.json: is missing/, ({ manifest }) => rmSync(manifest)),
  absent("all snapshots removed", /no snapshot in this lake/, ({ project }) =>
    rmSync(join(project, "snapshots"), { recursive: true }),
  ),
  absent("the lake removed", /no snapshot in this lake/, ({ root }) =>
    rmSync(root, { recursive: true }),
  ),
  absent("a file for the lake", /no snapshot in this lake/, ({ root }) => file(root)),
];

const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

export const manifestDamages: readonly Damage[] = [
  refused(
    "a part outside the lake",
    /units\.\d+\.parts\.0\.path is not the place of a part of ratings: "\.\.\//,
    (lake) => lake.ratings((part) => ({ ...part, path: "../../../../../../etc/passwd" })),
  ),
  refused("a part of another experiment", /path is not the place of a part of ratings/, (lake) =>
    lake.ratings((part) => ({ ...part, path: part.path.replace("exp1", "exp6") })),
  ),
  refused(
    "rows in quarantine outside the lake",
    /quarantine is not the place of the rows in quarantine: "\.\.\/x"/,
    (lake) =>
      lake.ratings((part) => ({ ...part, quarantine: "../x", quarantine_sha256: "0".repeat(64) })),
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
          rawName(one.body) === basename(body)
            ? { ...one, bytes: bomb.length, sha256: sha256(bomb) }
            : one,
        ),
      }));
    },
  ),
  found(
    "columns renamed",
    /its columns are not those of ratings: points DOUBLE, score DOUBLE/,
    (lake) =>
      lake.reseal((manifest) => ({
        ...manifest,
        columns: { ...manifest.columns, ratings: { points: "DOUBLE" } },
      })),
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
  refused("a format that never was", /format must be 1/, (lake) =>
    lake.reseal((manifest) => ({ ...manifest, format: 0 })),
  ),
  found("a manifest without its seal", /its seal does not match its text/, ({ manifest }) => {
    const unsealed = JSON.parse(readFileSync(manifest, "utf8")) as { seal?: string };
    delete unsealed.seal;
    writeFileSync(manifest, `${JSON.stringify(unsealed, null, 1)}\n`);
  }),
];
