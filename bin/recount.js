#!/usr/bin/env node
import { existsSync } from "node:fs";

const cli = new URL("../dist/cli.js", import.meta.url);
if (!existsSync(cli)) {
  process.stderr.write("recount: not built yet. Run `npm ci` (or `npm run build`) in the project's folder first.\n");
  process.exit(4);
}
await import(cli.href);
