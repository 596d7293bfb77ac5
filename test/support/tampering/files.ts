import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { rawName } from "../../../src/lake/index.js";
import { aBody, file, folder, link, moveOut, otherPart, pipe, swap } from "./actions.js";
import { absent, found, refused, sound, type Damage } from "./lake.js";

/** What is done to the files and folders of a lake. */
export const fileDamages: readonly Damage[] = [
  sound("nothing", /^$/, () => undefined),
  found("a hidden file in a snapshot", /experiment_id=exp1\/\.x: is not in the manifest/, ({ snapshot }) =>
    writeFileSync(join(snapshot, "experiment_id=exp1/.x"), ""),
  ),
  found("a hidden folder in a snapshot", /\/\.x: is not in the manifest/, ({ snapshot }) =>
    mkdirSync(join(snapshot, ".x/y"), { recursive: true }),
  ),
  found("an empty folder of an experiment", /experiment_id=z: is not in the manifest/, ({ snapshot }) =>
    mkdirSync(join(snapshot, "experiment_id=z")),
  ),
  found("a file in the project's folder", /notes: does not belong to a lake/, ({ project }) =>
    writeFileSync(join(project, "notes"), ""),
  ),
  found("a hidden folder among the snapshots", /\.x: does not belong to a lake/, ({ project }) =>
    mkdirSync(join(project, "snapshots/.x")),
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
  refused("a link for a part", /ratings\.parquet: is a link, not a file/, ({ part, root }) =>
    moveOut(part, join(root, "x")),
  ),
  found("a link for an experiment", /experiment_id=exp1: is a link, not a folder/, ({ snapshot, root }) =>
    moveOut(join(snapshot, "experiment_id=exp1"), join(root, "x")),
  ),
  found("a link for the bodies", /raw: is a link, not a folder/, ({ raw, root }) => moveOut(raw, join(root, "x"))),
  found("a link for a body", /json\.gz: is a link, not a file/, (lake) => link(aBody(lake), "/dev/zero")),
  refused("a pipe for a part", /ratings\.parquet: is a device or pipe, not a file/, ({ part }) => pipe(part)),
  found("a pipe for a body", /json\.gz: is a device or pipe, not a file/, (lake) => pipe(aBody(lake))),
  refused("a pipe for the manifest", /manifest\.json: is a device or pipe, not a file/, ({ manifest }) =>
    pipe(manifest),
  ),
  refused("a pipe for current", /current: is a device or pipe, not a file/, ({ project }) =>
    pipe(join(project, "current")),
  ),
  refused("current is a folder", /current: is a folder, not a file/, ({ project }) => folder(join(project, "current"))),
  refused("current names another folder", /current: names no snapshot: "\.\.\/\.\.\/x/, ({ project }) =>
    writeFileSync(join(project, "current"), "../../x\n"),
  ),
  refused("current is empty", /current: names no snapshot: ""/, ({ project }) =>
    writeFileSync(join(project, "current"), ""),
  ),
  found("two parts swapped", /exp1.*: has \d+ bytes, the manifest says \d+\n.*exp6/, (lake) =>
    swap(lake.part, otherPart(lake)),
  ),
  refused("a part emptied", /ratings\.parquet: has 0 bytes/, ({ part }) => writeFileSync(part, "")),
  refused("the manifest emptied", /manifest\.json: has changed since it was written/, ({ manifest }) =>
    writeFileSync(manifest, ""),
  ),
  refused("null for the manifest", /manifest\.json: has changed since it was written/, ({ manifest }) =>
    writeFileSync(manifest, "null"),
  ),
  refused("a deeply nested manifest", /manifest\.json: has changed since it was written/, ({ manifest }) =>
    writeFileSync(manifest, "[".repeat(1e5) + "]".repeat(1e5)),
  ),
  refused("the manifest removed", /manifest\.json: is missing/, ({ manifest }) => rmSync(manifest)),
  absent("all snapshots removed", /no snapshot in this lake/, ({ project }) =>
    rmSync(join(project, "snapshots"), { recursive: true }),
  ),
  absent("the lake removed", /no snapshot in this lake/, ({ root }) => rmSync(root, { recursive: true })),
  absent("a file for the lake", /no snapshot in this lake/, ({ root }) => file(root)),
];
