import { packageFile, readFileSync } from "./files.js";

const manifest: unknown = JSON.parse(readFileSync(packageFile("package.json"), "utf8"));

/** The version of Recount, from package.json. */
export const version =
  typeof manifest === "object" && manifest !== null && "version" in manifest ? String(manifest.version) : "unknown";
