/** What decides which snapshots to keep. */
export interface Candidate {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  readonly isWhole: boolean;
}

/** The period of a snapshot, by the name of its rule: the rule keeps one snapshot of each of the newest periods. All in UTC. */
const periods = {
  last: ({ id }: Candidate) => id,
  daily: ({ created_at }: Candidate) => created_at.slice(0, 10),
  monthly: ({ created_at }: Candidate) => created_at.slice(0, 7),
  yearly: ({ created_at }: Candidate) => created_at.slice(0, 4),
} as const;

type Period = keyof typeof periods;
const periodNames = Object.keys(periods) as readonly Period[];

/**
 * How many snapshots to keep by each rule, as in restic: `daily: 30` keeps one of each of the newest 30 days that have any.
 * A rule that is not named keeps none. What any rule keeps, stays.
 */
export interface Retention extends Readonly<Partial<Record<Period, number | undefined>>> {
  /** Number of newest snapshots, the current one first, whose models are kept; undefined keeps those of all. */
  readonly models?: number | undefined;
}

/** What a run keeps unless its pipeline file says otherwise. */
export const defaultRetention = { last: 7, daily: 30, monthly: 12, models: 1 } as const satisfies Retention;

/** One snapshot of each of the newest `count` periods: the newest that is whole, or else the newest. */
function keptBy(newestFirst: readonly Candidate[], period: Period, count: number): string[] {
  const chosen = new Map<string, Candidate>();
  for (const one of newestFirst) {
    const name = periods[period](one);
    const newer = chosen.get(name);
    if (newer === undefined || (one.isWhole && !newer.isWhole)) chosen.set(name, one);
  }
  return [...chosen.values()].slice(0, count).map(({ id }) => id);
}

/** The snapshots that a rule keeps. */
export function retained(newestFirst: readonly Candidate[], retention: Retention): ReadonlySet<string> {
  return new Set(periodNames.flatMap((period) => keptBy(newestFirst, period, retention[period] ?? 0)));
}
