import { basename, join } from "node:path";
import { build } from "rolldown";
import { root } from "./root.js";

/** Bundles a script of test/support with the sources that it imports, for a process of its own. Returns the file. */
export async function bundled(script: string): Promise<string> {
  // As deep as a chunk of dist, so that the sources find the package's files.
  const dir = join(root, "node_modules/.test");
  const name = basename(script, ".ts");
  await build({
    input: join(root, "test/support", script),
    platform: "node",
    external: /^[^./]/,
    output: { dir, entryFileNames: `${name}.mjs`, chunkFileNames: `${name}-[hash].mjs` },
  });
  return join(dir, `${name}.mjs`);
}
