import type { Reply } from "./bytes.js";
import type { Must, Scenario } from "./service.js";

/** A scenario in one row: what the service sends, in words and in bytes, and what must happen. */
export type Row = readonly [sends: string, reply: Reply, must: Must, more?: Pick<Scenario, "at" | "limits">];

/** Published, and whole. */
export const rows = (count: number): Must => ({ exit: 0, rows: count, quarantined: 0 });
export const whole = rows(3);
/** Published with one of three elements in quarantine. */
export const two: Must = { exit: 2, rows: 2, quarantined: 1 };
/** Published, but incomplete without the ratings. */
export const without: Must = { exit: 2, rows: 0, quarantined: 0 };
/** Published with the experiment of the emulator and its 32 ratings. */
export const others = (exit: 0 | 2): Must => ({ exit, rows: 32, quarantined: 0 });
/** Nothing is published. */
export const fails = (says: RegExp, exit: 3 | 4 = 3): Must => ({ exit, says });
export const refused = (code: number): Must => fails(new RegExp(`answered ${code}\\b`));
export const damaged = fails(/Gave up after 5 attempts/);
/** The same for what may be an outage. */
export const out = fails(/Gave up after \d+ attempts in 600 s/);
