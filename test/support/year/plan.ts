import type { FaultRule, PublishingRule } from "../../../src/emulator/index.js";
import { seededRandom, type Random } from "../../../src/platform/index.js";

/** Something that happens to one project in one night, and how the run of that night ends. */
export interface Happening {
  readonly name: string;
  /** One of these; null: the process is killed. */
  readonly exitCodes: readonly (number | null)[];
  readonly faults?: readonly FaultRule[];
  readonly publishing?: readonly PublishingRule[];
  /** The environment of test/support/failing-files.mjs, for a run in a process of its own. */
  readonly process?: (random: Random) => Record<string, string>;
}

const status = (code: number): FaultRule => ({ fault: { kind: "status", status: code } });
const at = (random: Random, from: number, to: number) => String(from + Math.floor(random() * (to - from)));

/** What may happen, each as likely as the others. */
export const happenings: readonly Happening[] = [
  { name: "outage", exitCodes: [3], faults: [status(503)] },
  { name: "short outage", exitCodes: [0], faults: [{ times: 2, fault: { kind: "status", status: 503 } }] },
  { name: "maintenance", exitCodes: [3], faults: [{ fault: { kind: "html" } }] },
  { name: "revoked key", exitCodes: [4], faults: [status(401)] },
  {
    name: "broken connection",
    exitCodes: [3],
    faults: [{ operation: "listRatings", fault: { kind: "cut", after: 300, framing: "content-length" } }],
  },
  { name: "new fields", exitCodes: [0], faults: [{ operation: "listRatings", fault: { kind: "unknown_fields" } }] },
  {
    name: "a field of another type",
    exitCodes: [2],
    faults: [{ operation: "listSessions", fault: { kind: "wrong_type", row: 0, field: "job_id" } }],
  },
  {
    name: "no sessions",
    exitCodes: [3],
    faults: [{ operation: "listSessions", fault: { kind: "short_list", rows: 0 } }],
  },
  {
    // With few ratings no convention is found, with more it is found and nobody has stated it.
    name: "another convention",
    exitCodes: [1, 2],
    publishing: [{ kinds: ["elo"], conventions: { elo: { k: 16 } }, options: "silent" }],
  },
  {
    name: "a killed export",
    exitCodes: [null],
    process: (random) => ({ FILES_ON: "/staging/", FILES_AT: at(random, 2, 12), FILES_DO: "kill" }),
  },
  {
    name: "a full disk",
    exitCodes: [3],
    process: (random) => ({ FILES_ON: "/staging/", FILES_AT: at(random, 2, 12), FILES_DO: "ENOSPC" }),
  },
];

/** One night of one project. */
export interface Night {
  readonly night: number;
  readonly project: number;
  /** Null: nothing happens. */
  readonly happening: Happening | null;
  /** Whether this night's run recomputes and audits; otherwise it exports and prunes. */
  readonly isAudited: boolean;
  /** Sessions that the experiment has; they grow over the year. */
  readonly sessions: number;
  /** A number for what the night draws itself. */
  readonly seed: number;
}

/** The nights of a year, the same for the same seed, in order. Something happens to a project once in 20 nights. */
export function planYear(seed: number, nights: number, projects: number): Night[] {
  const random = seededRandom(seed);
  return Array.from({ length: nights * projects }, (_, i) => {
    const [night, project] = [Math.floor(i / projects), i % projects];
    const drawn = happenings[Math.floor(random() * happenings.length)] ?? null;
    // The first night succeeds: only then is there something to shrink or to resume.
    const happening = night > 0 && random() < 1 / 20 ? drawn : null;
    return {
      ...{ night, project, happening },
      isAudited: happening !== null || (night + project) % 60 === 0,
      sessions: 4 + Math.floor((night + 3 * project) / 30),
      seed: Math.floor(random() * 2 ** 32),
    };
  });
}
