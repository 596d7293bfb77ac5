import { spawn, type SpawnOptionsWithoutStdio } from "node:child_process";
import { join } from "node:path";
import { root } from "./root.js";

export const bin = join(root, "bin/recount.js");

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Starts a program, Node unless another is named: what it has printed so far, and how it ends. */
export function startProcess(
  args: readonly string[],
  { program = process.execPath, ...options }: SpawnOptionsWithoutStdio & { program?: string } = {},
) {
  const child = spawn(program, args, options);
  const said = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].on("data", (chunk: Buffer) => (said[stream] += chunk.toString()));
  const ended = new Promise<Outcome>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, ...said }));
  });
  return { child, said, ended };
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
  return startProcess([bin, ...args], { env: { ...Object.fromEntries(inherited), ...env }, cwd })
    .ended;
}
