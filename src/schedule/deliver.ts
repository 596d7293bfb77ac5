/** Sends notices of runs: by a program, or to an address. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  postJson,
  repeatedly,
  TransientFailure,
  environmentWithoutSecrets,
} from "../client/index.js";
import type { Delivery, NoticedRun, NoticeInput } from "../pipeline/index.js";
import { messageOf, settings, systemClock, systemRandom } from "../platform/index.js";
import { noticeText } from "../report/index.js";

const keptError = 2000;

const lastWords = 500;

/** @throws Error in one line if it does not start, or does not end in time with 0 */
async function runProgram(
  argv: readonly string[],
  input: string,
  cwd: string,
  timeoutMs: number,
): Promise<void> {
  const [program = "", ...args] = argv;
  // A group of its own, so that what it starts ends with it.
  const child = spawn(program, args, {
    cwd,
    env: environmentWithoutSecrets(),
    stdio: ["pipe", "ignore", "pipe"],
    detached: true,
  });
  let said = "";
  const late = new AbortController();
  const closed = new Promise((resolve) => child.on("close", resolve));
  child.stderr.on("data", (piece: Buffer) => (said = (said + piece.toString()).slice(-keptError)));
  // A program need not read what it is given.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const timer = setTimeout(() => {
    late.abort();
    try {
      process.kill(-(child.pid ?? 0), "SIGKILL");
    } catch {
      child.kill("SIGKILL");
    }
  }, timeoutMs);
  try {
    const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
    // A process that it has left behind keeps its standard error open.
    await Promise.race([closed, systemClock.sleep(lastWords)]);
    if (code === 0 && !late.signal.aborted) return;
    const last = said.trim().split("\n").at(-1) ?? "";
    const ended = late.signal.aborted
      ? `no end in ${timeoutMs / 1000} s`
      : `ended with ${code ?? signal ?? "no code"}`;
    throw new Error(`${program}: ${ended}${last === "" ? "." : `: ${last}`}`);
  } finally {
    clearTimeout(timer);
    child.stdin.destroy();
    child.stderr.destroy();
  }
}

const bodies = {
  record: (run: NoticedRun) => JSON.stringify(run),
  // Slack reads these three characters as markup.
  slack: (run: NoticedRun) =>
    JSON.stringify({
      text: noticeText(run)
        .replaceAll("&", "&amp;")
        .replaceAll("<", "&lt;")
        .replaceAll(">", "&gt;"),
    }),
};

export async function deliver(
  notice: NoticeInput,
  run: NoticedRun,
  delivery: Delivery,
): Promise<void> {
  const { clock, log, folder } = delivery;
  const { timeout = settings.notice_timeout.default, attempts = settings.notice_attempts.default } =
    notice;
  const timeoutMs = timeout * 1000;
  const send = async () => {
    if (notice.command !== undefined)
      return runProgram(notice.command, bodies.record(run), folder, timeoutMs);
    const { proxies, tls } = await delivery.network();
    // The client certificate is for the service only.
    const network = { ...(proxies && { proxies }), ...(tls?.ca && { tls: { ca: tls.ca } }) };
    const text = bodies[notice.form ?? "record"](run);
    return postJson(
      { url: notice.url ?? "", text, headers: { "idempotency-key": run.run }, timeoutMs, network },
      clock,
    );
  };
  const note = (state: "sending" | "due" | "sent") =>
    delivery
      .note(state)
      .catch((error: unknown) => log.warn(`The notice could not be recorded: ${messageOf(error)}`));
  const once = async () => {
    await note("sending");
    try {
      await send();
    } catch (error) {
      await note("due");
      throw notice.command !== undefined
        ? new TransientFailure(messageOf(error), { cause: error })
        : error;
    }
    await note("sent");
  };
  try {
    await repeatedly(once, {
      clock,
      random: systemRandom,
      attempts,
      totalMs: 60_000,
      baseMs: 500,
      capMs: 10_000,
    });
  } catch (error) {
    log.warn(`The notice of run ${run.run} was not delivered: ${messageOf(error)}`);
  }
}
