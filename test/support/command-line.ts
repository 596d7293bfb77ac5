import { spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "./root.js";

export const bin = join(root, "bin/recount.js");

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the built command line in its own process, without this machine's RECOUNT_ and proxy variables. */
export function recount(
  args: readonly string[],
  env: Record<string, string> = {},
  cwd?: string,
): Promise<Outcome> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(RECOUNT_|(https?|no)_proxy$)/i.test(name),
  );
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, ...args], {
      env: { ...Object.fromEntries(inherited), ...env },
      cwd,
    });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}
