#!/usr/bin/env node
import { existsSync, readFileSync } from "node:fs";

const inPackage = (path) => new URL(`../${path}`, import.meta.url);
const cli = inPackage("dist/cli.js");

if (process.argv.length === 3 && ["--version", "-v"].includes(process.argv[2])) {
  console.log(JSON.parse(readFileSync(inPackage("package.json"), "utf8")).version);
} else if (existsSync(cli)) {
  await import(cli.href).catch((error) => {
    // Node takes a file for missing when it cannot open another one.
    if (!["EMFILE", "ENFILE", "ERR_MODULE_NOT_FOUND"].includes(error?.code)) throw error;
    const [what] = String(error.message).split("\n");
    process.stderr.write(
      `recount: ${what}. Raise the limit of open files (\`ulimit -n 1024\`), or install Recount again.\n`,
    );
    process.exit(3);
  });
} else {
  process.stderr.write(
    "recount: not built yet. Run `npm ci` (or `npm run build`) in the project's folder first.\n",
  );
  process.exitCode = 4;
}
