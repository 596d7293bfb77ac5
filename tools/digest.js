// Writes the SHA-512 of the packed package beside it, for `sha512sum -c`: npm runs it after `npm pack`.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const { name, version } = JSON.parse(readFileSync("package.json", "utf8"));
const file = `${name}-${version}.tgz`;
const path = join(process.env.npm_config_pack_destination ?? ".", file);
// A dry run writes none.
if (existsSync(path)) {
  const digest = createHash("sha512").update(readFileSync(path)).digest("hex");
  writeFileSync(`${path}.sha512`, `${digest}  ${file}\n`);
}
