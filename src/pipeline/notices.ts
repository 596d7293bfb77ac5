import { spawn } from "node:child_process";
import { once } from "node:events";
import { Type, type Static } from "typebox";
import { type Network, postJson, repeatedly, TransientFailure } from "../client/index.js";
import {
  type Clock,
  environmentWithoutSecrets,
  exitCodes,
  type Log,
  messageOf,
  settings,
  systemClock,
  systemRandom,
} from "../platform/index.js";
import { noticeText } from "../report/index.js";
import type { RunRecord } from "./record.js";

/** How a notice is sent: by a program (`command`) or to an address (`url`), one of them. */
export const noticeSchema = (description: string) =>
  Type.Object(
    {
      command: Type.Optional(
        Type.Array(Type.String({ minLength: 1 }), {
          minItems: 1,
          description:
            "Program and arguments, run without a shell in the folder of this file. It receives the run's record as JSON on standard input.",
        }),
      ),
      url: Type.Optional(Type.String({ description: "Address that receives the run's record as JSON, by POST." })),
      form: Type.Optional(
        Type.Unsafe<"record" | "slack">({
          type: "string",
          enum: ["record", "slack"],
          description:
            'What the address receives: the record (the default), or {"text": …}, which Slack and others show.',
        }),
      ),
      timeout: Type.Optional(Type.Unsafe<number>(settings.notice_timeout)),
      attempts: Type.Optional(Type.Unsafe<number>(settings.notice_attempts)),
    },
    { additionalProperties: false, description },
  );

export type NoticeInput = Static<ReturnType<typeof noticeSchema>>;

interface Event {
  readonly description: string;
  /** Whether a run that ended with this code is one; null: it never ended. */
  readonly is: (exitCode: number | null) => boolean;
}

/** The ends of a run of which notices are sent, by their key in a pipeline file. Each end is one of them. */
export const noticeEvents = {
  on_failure: {
    description: "Notice of a run that ended without results: exit codes 3, 4, 5 and 130, or it was killed.",
    is: (code) => code === null || code > exitCodes.inconclusive,
  },
  on_unexplained: {
    description: "Notice of a run whose results need review: exit codes 1 and 2.",
    is: (code) => code === exitCodes.unexplained || code === exitCodes.inconclusive,
  },
  on_success: {
    description: "Notice of a run with exit code 0.",
    is: (code) => code === exitCodes.ok,
  },
} as const satisfies Record<string, Event>;

export type NoticeEvent = keyof typeof noticeEvents;
export const noticeEventNames = Object.keys(noticeEvents) as readonly NoticeEvent[];

export type Notices = Readonly<Partial<Record<NoticeEvent, NoticeInput | undefined>>>;

/** The notice of a run that ended with this code; undefined if there is none. */
export function noticeOf(notices: Notices, exitCode: number | null): NoticeInput | undefined {
  return notices[noticeEventNames.find((name) => noticeEvents[name].is(exitCode)) ?? "on_failure"];
}

/** Shorter paths of addresses are ordinary text. */
const shortestSecret = 16;

/** What must appear nowhere: the addresses of notices, which are often their only protection, and passwords in them. */
export function secretsOf(notices: Notices): string[] {
  return Object.values(notices).flatMap((notice) => {
    if (notice?.url === undefined || !URL.canParse(notice.url)) return [];
    const { href, pathname, search, password } = new URL(notice.url);
    const path = pathname + search;
    const own = password === "" ? [] : [password, decodeURIComponent(password)];
    return [notice.url, href, ...(path.length < shortestSecret ? [] : [path]), ...own];
  });
}

/** Characters of a program's standard error that are kept. */
const keptError = 2000;

/** Milliseconds for what a program has said before its end, and that is still on its way. */
const lastWords = 500;

/**
 * Runs a program without a shell, and without the secrets of this process. What it leaves running is not waited for.
 * @throws Error in one line if it cannot be started, takes longer than `timeoutMs` or ends with another code than 0
 */
export async function runProgram(
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
    const ended = late.signal.aborted ? `no end in ${timeoutMs / 1000} s` : `ended with ${code ?? signal ?? "no code"}`;
    throw new Error(`${program}: ${ended}${last === "" ? "." : `: ${last}`}`);
  } finally {
    clearTimeout(timer);
    child.stdin.destroy();
    child.stderr.destroy();
  }
}

/** The record of the run that a notice is about. That of an earlier run lacks what `runs.jsonl` does not hold. */
export type NoticedRun = Partial<RunRecord> & Pick<RunRecord, "run" | "project" | "exit_code" | "error" | "numbers">;

interface Delivery {
  readonly clock: Clock;
  readonly log: Log;
  /** Folder in which commands run. */
  readonly folder: string;
  /** How webhooks are reached. */
  readonly network: () => Promise<Network>;
  /** Notes durably that an attempt begins, that it failed for certain, or that it succeeded. */
  readonly note: (state: "sending" | "due" | "sent") => Promise<void>;
}

const bodies = {
  record: (run: NoticedRun) => JSON.stringify(run),
  // Slack reads these three characters as markup.
  slack: (run: NoticedRun) =>
    JSON.stringify({
      text: noticeText(run).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
    }),
};

/** Sends one notice, and repeats it while it fails. What fails in the end is a warning. */
export async function deliver(notice: NoticeInput, run: NoticedRun, delivery: Delivery): Promise<void> {
  const { clock, log, folder } = delivery;
  const { timeout = settings.notice_timeout.default, attempts = settings.notice_attempts.default } = notice;
  const timeoutMs = timeout * 1000;
  const send = async () => {
    if (notice.command !== undefined) return runProgram(notice.command, bodies.record(run), folder, timeoutMs);
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
    delivery.note(state).catch((error: unknown) => log.warn(`The notice could not be recorded: ${messageOf(error)}`));
  const once = async () => {
    await note("sending");
    try {
      await send();
    } catch (error) {
      await note("due");
      throw notice.command !== undefined ? new TransientFailure(messageOf(error), { cause: error }) : error;
    }
    await note("sent");
  };
  try {
    await repeatedly(once, { clock, random: systemRandom, attempts, totalMs: 60_000, baseMs: 500, capMs: 10_000 });
  } catch (error) {
    log.warn(`The notice of run ${run.run} was not delivered: ${messageOf(error)}`);
  }
}
