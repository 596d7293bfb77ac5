import type { Convention } from "./convention.js";
import type { ScoredSession, ScoredSlate } from "./study.js";

const compare = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);
const instant = (text: string): number => new Date(text).getTime();

type BySlate = (a: ScoredSlate, b: ScoredSlate) => number;

/** The order of docs/metrics.md, the sessions by when they were completed or, for `created`, begun. */
export function inServiceOrder(
  sessions: ReadonlyMap<string, ScoredSession>,
  field: "date_completed" | "date_created" = "date_completed",
): BySlate {
  const at = new Map<string, number>();
  for (const session of sessions.values()) {
    const text = session[field];
    at.set(session.id, text === null ? Infinity : instant(text));
  }
  return (a, b) =>
    compare(at.get(a.session_id) ?? Infinity, at.get(b.session_id) ?? Infinity) ||
    compare(a.session_id, b.session_id) ||
    compare(instant(a.date_updated), instant(b.date_updated)) ||
    compare(a.id, b.id);
}

/** Slates in the order wanted; what it leaves open stays as in the service order. `reversed` is for comparisons, see score.ts. */
export function ordered(
  slates: readonly ScoredSlate[],
  sessions: ReadonlyMap<string, ScoredSession>,
  order: Convention["order"],
): ScoredSlate[] {
  const usual = [...slates].sort(inServiceOrder(sessions));
  const by: Record<Convention["order"], () => ScoredSlate[]> = {
    service: () => usual,
    created: () => usual.sort(inServiceOrder(sessions, "date_created")),
    session_id: () => usual.sort((a, b) => compare(a.session_id, b.session_id)),
    slate_updated: () => usual.sort((a, b) => compare(instant(a.date_updated), instant(b.date_updated))),
    slate_id: () => usual.sort((a, b) => compare(a.id, b.id)),
    reversed: () => usual,
  };
  return by[order]();
}
