import { delimiter, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { exists, temporaryFile, UsageError, writeDurably } from "../../platform/index.js";
import { openDevTools } from "./dev-tools.js";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge"];

/** Milliseconds that printing may take. */
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

/** By the DevTools protocol: a small build, such as one for servers, has no command `--print-to-pdf` and waits for ever. */
async function printWith(browser: string, html: string, pdf: string): Promise<void> {
  await temporaryFile("recount-browser", async (profile) => {
    const isRoot = process.getuid?.() === 0;
    const args = ["--headless", "--disable-gpu", ...(isRoot ? ["--no-sandbox"] : []), `--user-data-dir=${profile}`];
    const tools = openDevTools(browser, args, longest);
    try {
      const { targetId } = await tools.send("Target.createTarget", { url: "about:blank" });
      const { sessionId } = await tools.send("Target.attachToTarget", { targetId, flatten: true });
      await tools.send("Page.enable", {}, sessionId);
      const loaded = tools.event("Page.loadEventFired");
      await tools.send("Page.navigate", { url: pathToFileURL(resolve(html)).href }, sessionId);
      await loaded;
      const options = { printBackground: true, preferCSSPageSize: true, generateTaggedPDF: true };
      const { data } = await tools.send("Page.printToPDF", options, sessionId);
      await writeDurably(pdf, Buffer.from(data as string, "base64"));
    } catch (error) {
      throw new UsageError(`${browser} could not print the report: ${(error as Error).message}.`, { cause: error });
    } finally {
      await tools.close();
    }
  });
}
