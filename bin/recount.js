#!/usr/bin/env node
import { existsSync } from "node:fs";

const cli = new URL("../dist/cli.js", import.meta.url);
if (!existsSync(cli)) {
  process.stderr.write("recount: not built yet. Run `npm ci` (or `npm run build`) in the project's folder first.\n");
  process.exit(4);
}
await import(cli.href).catch((error) => {
  if (error?.code !== "EMFILE" && error?.code !== "ENFILE") throw error;
  process.stderr.write(`recount: ${error.message}. Raise the limit of open files: \`ulimit -n 1024\`.\n`);
  process.exit(3);
});
