#!/usr/bin/env node
import { existsSync } from "node:fs";

const cli = new URL("../dist/cli.js", import.meta.url);
if (!existsSync(cli)) {
  process.stderr.write("recount: not built yet. Run `npm ci` (or `npm run build`) in the project's folder first.\n");
  process.exit(4);
}
await import(cli.href).catch((error) => {
  // Node takes a package for missing when it cannot open another file.
  if (!["EMFILE", "ENFILE", "ERR_MODULE_NOT_FOUND"].includes(error?.code)) throw error;
  const [what] = String(error.message).split("\n");
  process.stderr.write(
    `recount: ${what}. Raise the limit of open files (\`ulimit -n 1024\`), or install Recount again.\n`,
  );
  process.exit(3);
});
