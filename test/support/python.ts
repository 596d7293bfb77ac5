import { execFile } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

export const run = promisify(execFile);

const lastLine = (error: unknown) =>
  String((error as { stderr?: string }).stderr ?? error)
    .trim()
    .split("\n")
    .at(-1);

/** An error that says what is missing, and why in the last line of what failed. */
export const missing = (what: string, error: unknown) =>
  new Error(`${what} is missing: ${lastLine(error)}`, { cause: error });

export const environment = (name: string) =>
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), name);

/** Installs packages from PyPI into such a folder, once. @throws what is missing */
export async function installPython(folder: string, packages: readonly string[]): Promise<void> {
  const installed = join(folder, packages.join(" "));
  if (existsSync(installed)) return;
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...packages];
  try {
    await run("python3", ["-m", "venv", folder]);
    await run(join(folder, "bin", "python"), pip);
    writeFileSync(installed, "");
  } catch (error) {
    throw missing(`Python 3 with venv, or ${packages.join(" or ")} from PyPI,`, error);
  }
}
