import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join, resolve } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    kept: string;
  }
}

const root = resolve(import.meta.dirname, "../..");
const day = 86_400_000;

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted();

function digest(): string {
  const hash = createHash("sha256").update(process.version);
  const folders = ["src", "sql", "data", "test/golden", "test/support"].flatMap((name) =>
    filesBelow(join(root, name)),
  );
  for (const file of [...folders, join(root, "package-lock.json")])
    hash.update(file.slice(root.length)).update(readFileSync(file));
  return hash.digest("hex").slice(0, 16);
}

/** Paths, sizes and times of the files that were kept, apart from what commands keep to take over. */
export const stateOf = (folder: string): string =>
  filesBelow(folder)
    .filter((file) => !file.includes("/derived/.kept/"))
    .map((file) => `${file.slice(folder.length)} ${statSync(file).size} ${statSync(file).mtimeMs}`)
    .join("\n");

/** Makes the folder of `kept`, and removes what has not been used for a day. Fails if a test has changed what is kept. */
export default function setup({ provide }: TestProject): () => void {
  const all = join(tmpdir(), `recount-tests-${userInfo().uid}`);
  const folder = join(all, digest());
  mkdirSync(folder, { recursive: true });
  utimesSync(folder, new Date(), new Date());
  for (const name of readdirSync(all))
    if (statSync(join(all, name)).mtimeMs < Date.now() - day)
      rmSync(join(all, name), { recursive: true, force: true });
  provide("kept", folder);
  return () => {
    const states = readdirSync(folder).filter((name) => name.endsWith(".state"));
    const changed = states
      .map((name) => name.slice(0, -".state".length))
      .filter(
        (name) =>
          stateOf(join(folder, name)) !== readFileSync(join(folder, `${name}.state`), "utf8"),
      );
    for (const name of changed)
      for (const path of [name, `${name}.state`])
        rmSync(join(folder, path), { recursive: true, force: true });
    if (changed.length > 0)
      throw new Error(`tests have changed ${changed.join(", ")}, which they share; copy it first`);
  };
}
