import { spawn } from "node:child_process";

const environmentSecrets = ["RECOUNT_API_KEY", "RECOUNT_BASIC_PASSWORD", "RECOUNT_SESSION_ID"];

/** Characters of a program's standard error that are kept. */
const keptError = 2000;

/**
 * Runs a program without a shell, and without the credentials of this process. @throws Error in one line if it cannot be
 * started, takes longer than `timeoutMs` or ends with another code than 0.
 */
export function runProgram(argv: readonly string[], input: string, cwd: string, timeoutMs: number): Promise<void> {
  const [program = "", ...args] = argv;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !environmentSecrets.includes(name)));
  return new Promise((resolve, reject) => {
    // A group of its own, so that what it starts ends with it.
    const child = spawn(program, args, { cwd, env, stdio: ["pipe", "ignore", "pipe"], detached: true });
    let [said, isLate] = ["", false];
    const timer = setTimeout(() => {
      isLate = true;
      try {
        process.kill(-(child.pid ?? 0), "SIGKILL");
      } catch {
        child.kill("SIGKILL");
      }
    }, timeoutMs);
    child.stderr.on("data", (piece: Buffer) => (said = (said + piece.toString()).slice(-keptError)));
    // A program need not read what it is given.
    child.stdin.on("error", () => undefined);
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      const last = said.trim().split("\n").at(-1) ?? "";
      const ended = isLate ? `no end in ${timeoutMs / 1000} s` : `ended with ${code ?? signal ?? "no code"}`;
      if (code === 0 && !isLate) resolve();
      else reject(new Error(`${program}: ${ended}${last === "" ? "." : `: ${last}`}`));
    });
    child.stdin.end(input);
  });
}
