import { spawn } from "node:child_process";
import { delimiter, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { exists, temporaryFile, UsageError } from "../../platform/index.js";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge"];

/** Milliseconds that printing may take: a browser built without this command would wait for ever. */
const longest = 120_000;

export interface Browser {
  /** Prints an HTML file as PDF. @throws UsageError with what the browser says. */
  print(html: string, pdf: string): Promise<void>;
}

/** The Chromium that CHROME_PATH or PATH names. @throws UsageError if there is none. */
export async function findBrowser(): Promise<Browser> {
  const { CHROME_PATH, PATH = "" } = process.env;
  const given = CHROME_PATH ? [CHROME_PATH] : [];
  const installed = PATH.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  for (const path of [...given, ...installed])
    if (await exists(path)) return { print: (html, pdf) => printWith(path, html, pdf) };
  const where = CHROME_PATH ? `CHROME_PATH names ${CHROME_PATH}, which does not exist` : "no Chromium is installed";
  throw new UsageError(
    `A PDF needs Chromium, and ${where}. Install it, set CHROME_PATH, or print the HTML file from any browser.`,
  );
}

async function printWith(browser: string, html: string, pdf: string): Promise<void> {
  await temporaryFile("recount-browser", async (profile) => {
    const isRoot = process.getuid?.() === 0;
    const args = [
      "--headless",
      "--disable-gpu",
      ...(isRoot ? ["--no-sandbox"] : []),
      "--no-pdf-header-footer",
      `--user-data-dir=${profile}`,
      `--print-to-pdf=${resolve(pdf)}`,
      pathToFileURL(resolve(html)).href,
    ];
    const { code, said } = await run(browser, args);
    if (code !== 0 || !(await exists(pdf)))
      throw new UsageError(`${browser} could not print the report${said === "" ? "" : `: ${said}`}.`);
  });
}

function run(program: string, args: readonly string[]): Promise<{ code: number | null; said: string }> {
  return new Promise((settle) => {
    const child = spawn(program, args, {
      stdio: ["ignore", "ignore", "pipe"],
      timeout: longest,
      killSignal: "SIGKILL",
    });
    let said = "";
    child.stderr.on("data", (piece: Buffer) => (said = (said + piece.toString()).slice(-2000)));
    child.on("error", (error) => settle({ code: null, said: error.message }));
    child.on("close", (code) => settle({ code, said: said.trim().split("\n").at(-1) ?? "" }));
  });
}
