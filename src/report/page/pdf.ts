import { spawn } from "node:child_process";
import { delimiter, join, resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import { exists, temporaryFile, UsageError, writeNew, writeOutput } from "../../platform/index.js";

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
      await writeOutput(pdf, (file) => writeNew(file, Buffer.from(data as string, "base64")));
    } catch (error) {
      throw new UsageError(`${browser} could not print the report: ${(error as Error).message}.`, { cause: error });
    } finally {
      await tools.close();
    }
  });
}

type Values = Readonly<Record<string, unknown>>;

/** A browser's DevTools protocol. */
interface DevTools {
  /** Sends a command and returns its result. Rejects with what the browser says. */
  send(method: string, params: Values, sessionId?: unknown): Promise<Values>;
  /** The next event of this name. */
  event(method: string): Promise<void>;
  /** Ends the browser. */
  close(): Promise<void>;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: Values;
  readonly error?: { readonly message: string };
}

/**
 * Starts a Chromium that is controlled over two pipes: it opens no port. Whatever waits is rejected when the browser ends,
 * and when it has run for `longest` milliseconds.
 */
function openDevTools(browser: string, args: readonly string[], longest: number): DevTools {
  const child = spawn(browser, [...args, "--remote-debugging-pipe"], {
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
    timeout: longest,
    killSignal: "SIGKILL",
  });
  const [, , errors, commands, messages] = child.stdio as [null, null, Readable, Writable, Readable];
  let said = "";
  let rest = "";
  let ids = 0;
  const answers = new Map<number, (message: Message) => void>();
  const events = new Map<string, () => void>();
  const ended = new Promise<never>((_, reject) => {
    child.on("error", reject);
    child.on("close", (_code, signal) => {
      const [line = ""] = said.trim().split("\n").slice(-1);
      reject(
        new Error(
          signal === "SIGKILL" ? `it took more than ${longest / 1000} s` : line.replace(/\.$/, "") || "it ended",
        ),
      );
    });
  });
  ended.catch(() => undefined);
  errors.on("data", (piece: Buffer) => (said = (said + piece.toString()).slice(-2000)));
  commands.on("error", () => undefined);
  messages.setEncoding("utf8").on("data", (piece: string) => {
    const whole = (rest + piece).split("\0");
    rest = whole.pop() ?? "";
    for (const text of whole) {
      const message = JSON.parse(text) as Message;
      if (message.id !== undefined) answers.get(message.id)?.(message);
      else events.get(message.method ?? "")?.();
    }
  });
  const send: DevTools["send"] = (method, params, sessionId) => {
    const id = ++ids;
    const answer = new Promise<Values>((resolve, reject) => {
      answers.set(id, ({ result, error }) => {
        if (error === undefined) resolve(result ?? {});
        else reject(new Error(error.message));
      });
    });
    commands.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return Promise.race([answer, ended]);
  };
  return {
    send,
    event: (method) => Promise.race([new Promise<void>((resolve) => events.set(method, resolve)), ended]),
    async close() {
      await send("Browser.close", {}).catch(() => undefined);
      await ended.catch(() => undefined);
    },
  };
}
