import { spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";

type Values = Readonly<Record<string, unknown>>;

/** A browser's DevTools protocol. */
export interface DevTools {
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
export function openDevTools(browser: string, args: readonly string[], longest: number): DevTools {
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
