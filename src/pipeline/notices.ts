import { Type, type Static } from "typebox";
import type { Network } from "../client/index.js";
import { type Clock, exitCodes, type Log, settings } from "../platform/index.js";
import type { RunRecord } from "./record.js";

/** How a notice is sent: by a program (`command`) or to an address (`url`), one of them. */
export const noticeSchema = (description: string) =>
  Type.Object(
    {
      command: Type.Optional(
        Type.Array(Type.String({ minLength: 1 }), {
          minItems: 1,
          description:
            "Program and arguments, run without a shell in the folder of this file. It " +
            "receives the run's record as JSON on standard input.",
        }),
      ),
      url: Type.Optional(
        Type.String({ description: "Address that receives the run's record as JSON, by POST." }),
      ),
      form: Type.Optional(
        Type.Unsafe<"record" | "slack">({
          type: "string",
          enum: ["record", "slack"],
          description:
            'What the address receives: the record (the default), or {"text": …}, which ' +
            "Slack and others show.",
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

/**
 * The ends of a run of which notices are sent, by their key in a pipeline file. Each end is one of
 * them.
 */
export const noticeEvents = {
  on_failure: {
    description:
      "Notice of a run that ended without results: exit codes 3, 4, 5 and 130, or it was killed.",
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

/**
 * What must appear nowhere: the addresses of notices, which are often their only protection, and
 * passwords in them.
 */
export function secretsOf(notices: Notices): string[] {
  return Object.values(notices).flatMap((notice) => {
    if (notice?.url === undefined || !URL.canParse(notice.url)) return [];
    const { href, pathname, search, password } = new URL(notice.url);
    const path = pathname + search;
    const own = password === "" ? [] : [password, decodeURIComponent(password)];
    return [notice.url, href, ...(path.length < shortestSecret ? [] : [path]), ...own];
  });
}

/**
 * The record of the run that a notice is about. That of an earlier run lacks what `runs.jsonl` does
 * not hold.
 */
export type NoticedRun = Partial<RunRecord> &
  Pick<RunRecord, "run" | "project" | "exit_code" | "error" | "numbers">;

/** How one notice is sent. */
export interface Delivery {
  readonly clock: Clock;
  readonly log: Log;
  /** Folder in which commands run. */
  readonly folder: string;
  /** How webhooks are reached. */
  readonly network: () => Promise<Network>;
  /** Notes durably that an attempt begins, that it failed for certain, or that it succeeded. */
  readonly note: (state: "sending" | "due" | "sent") => Promise<void>;
}

/** What sends notices: `src/schedule/`. */
export interface Notifier {
  /** Sends one notice, and repeats it while it fails. What fails in the end is a warning. */
  readonly deliver: (notice: NoticeInput, run: NoticedRun, delivery: Delivery) => Promise<void>;
}
