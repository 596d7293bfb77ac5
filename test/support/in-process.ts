import { openConsole } from "../../src/commands/console.js";
import { main } from "../../src/commands/main.js";
import type { Outcome } from "./command-line.js";

type Write = (chunk: string | Uint8Array, ...rest: unknown[]) => boolean;

function captured(stream: NodeJS.WriteStream) {
  const chunks: Buffer[] = [];
  const own = Object.getOwnPropertyDescriptor(stream, "write");
  const write: Write = (chunk, ...rest) => {
    chunks.push(Buffer.from(chunk));
    const done = rest.at(-1);
    if (typeof done === "function") (done as () => void)();
    return true;
  };
  Object.defineProperty(stream, "write", { value: write, configurable: true, writable: true });
  return () => {
    if (own) Object.defineProperty(stream, "write", own);
    else Reflect.deleteProperty(stream, "write");
    return Buffer.concat(chunks).toString();
  };
}

/**
 * Runs the command line within this process, with only these RECOUNT_ and proxy variables: for what does not depend on the process
 * itself. Environment, streams, exit code and console are restored.
 */
export async function recountHere(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Outcome> {
  const { exitCode, env: outer } = process;
  const inherited = Object.entries(outer).filter(
    ([name]) => !/^(RECOUNT_|(https?|no)_proxy$)/i.test(name),
  );
  process.env = { ...Object.fromEntries(inherited), ...env };
  process.exitCode = undefined;
  const [stdout, stderr] = [captured(process.stdout), captured(process.stderr)];
  const outcome: Outcome = { code: 0, stdout: "", stderr: "" };
  try {
    outcome.code = await main(args);
  } finally {
    process.env = outer;
    process.exitCode = exitCode;
    [outcome.stdout, outcome.stderr] = [stdout(), stderr()];
    openConsole([]);
  }
  return outcome;
}
