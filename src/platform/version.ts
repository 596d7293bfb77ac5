/** The versions of Recount and of what runs it. */
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { join } from "node:path";
import { codeFolder, fs, packageFile, readFileSync, readText, unlessMissing } from "./files.js";
import { jsonIn } from "./text.js";

const packageJson: unknown = JSON.parse(readFileSync(packageFile("package.json"), "utf8"));

export const version =
  typeof packageJson === "object" && packageJson !== null && "version" in packageJson
    ? String(packageJson.version)
    : "unknown";

/** SHA-512, hexadecimal, which npm notes beside installed packages. Null where it does not. */
export async function tarballDigest(): Promise<string | null> {
  const noted = await unlessMissing(readText(packageFile("../.package-lock.json")), "{}");
  const { packages } = (jsonIn(noted) ?? {}) as {
    packages?: Readonly<Record<string, { readonly integrity?: string }>>;
  };
  const [, base64] =
    /^sha512-(.+)$/.exec(packages?.["node_modules/recount"]?.integrity ?? "") ?? [];
  return base64 === undefined ? null : Buffer.from(base64, "base64").toString("hex");
}

const require = createRequire(import.meta.url);

/** Read without loading the engine. */
const engineVersion = (): string =>
  (require("@duckdb/node-bindings/package.json") as { readonly version: string }).version;

let known: string | undefined;

/** What one version computed, another may not pass off as its own. */
export function codeDigest(): string {
  if (known !== undefined) return known;
  const hash = createHash("sha256").update(
    JSON.stringify([version, engineVersion(), process.version, process.arch, process.platform]),
  );
  for (const folder of [codeFolder, packageFile("sql"), packageFile("data")])
    for (const entry of filesBelow(folder))
      hash.update(`\0${entry.slice(folder.length)}\0`).update(readFileSync(entry));
  return (known = hash.digest("hex"));
}

const filesBelow = (folder: string): string[] =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
