import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Lake } from "./lake.js";

const remove = (path: string) => rmSync(path, { recursive: true, force: true });

export const pipe = (path: string) => {
  remove(path);
  execFileSync("mkfifo", [path]);
};
/** Replaces a file or folder by a link. */
export const link = (path: string, to: string) => {
  remove(path);
  symlinkSync(to, path);
};
/** Moves a file or folder out of the lake and puts a link in its place. */
export const moveOut = (path: string, to: string) => {
  renameSync(path, to);
  symlinkSync(to, path);
};
export const folder = (path: string) => {
  remove(path);
  mkdirSync(path);
};
export const file = (path: string, content: string | Buffer = "") => {
  remove(path);
  writeFileSync(path, content);
};
export const swap = (a: string, b: string) => {
  renameSync(a, `${a}.x`);
  renameSync(b, a);
  renameSync(`${a}.x`, b);
};
export const otherPart = (lake: Lake) => lake.part.replace("exp1", "exp6");
export const aBody = ({ raw }: Lake) => join(raw, readdirSync(raw)[0] ?? "");
