/** Notices about the end of a run: when one is sent, how, and what it may not show. */
import { Type, type Static } from "typebox";
import type { Network } from "../client/index.js";
import { type Clock, exitCodes, type Log, settings } from "../platform/index.js";
import type { RunRecord } from "./record.js";

/** By a program (`command`) or to an address (`url`). */
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
  /** Null: the run never ended. */
  readonly is: (exitCode: number | null) => boolean;
}

/** By their key in a pipeline file. Each end of a run is one of them. */
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

export function noticeOf(notices: Notices, exitCode: number | null): NoticeInput | undefined {
  return notices[noticeEventNames.find((name) => noticeEvents[name].is(exitCode)) ?? "on_failure"];
}

/** Shorter paths of addresses are ordinary text. */
const shortestSecret = 16;

/** Addresses are often their own only protection. */
export function secretsOf(notices: Notices): string[] {
  return Object.values(notices).flatMap((notice) => {
    if (notice?.url === undefined || !URL.canParse(notice.url)) return [];
    const { href, pathname, search, password } = new URL(notice.url);
    const path = pathname + search;
    const own = password === "" ? [] : [password, decodeURIComponent(password)];
    return [notice.url, href, ...(path.length < shortestSecret ? [] : [path]), ...own];
  });
}

/** That of an earlier run lacks what `runs.jsonl` does not hold. */
export type NoticedRun = Partial<RunRecord> &
  Pick<RunRecord, "run" | "project" | "exit_code" | "error" | "numbers">;

export interface Delivery {
  readonly clock: Clock;
  readonly log: Log;
  /** Folder in which commands run. */
  readonly folder: string;
  readonly network: () => Promise<Network>;
  /** Notes durably that an attempt begins, that it failed for certain, or that it succeeded. */
  readonly note: (state: "sending" | "due" | "sent") => Promise<void>;
}

/** Implemented by `src/schedule/`. */
export interface Notifier {
  /** Repeats a notice while it fails. What fails in the end is a warning. */
  readonly deliver: (notice: NoticeInput, run: NoticedRun, delivery: Delivery) => Promise<void>;
}
