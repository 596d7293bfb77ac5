import { exitCodes } from "../../platform/index.js";
import type { NoticeInput } from "./schema.js";

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
    description: "Notice of a run whose results need a person: exit codes 1 and 2.",
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
