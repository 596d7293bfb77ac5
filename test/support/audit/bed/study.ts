import type { RatingColumns } from "../../../../src/audit/ratings/rating-columns.js";
import { seededRandom } from "../../../../src/platform/random.js";

export type Family = "pairwise" | "acr" | "mushra" | "approval";

/** One rating of a made-up study. */
export interface Row {
  readonly session: number;
  readonly rater: number;
  readonly slate: number;
  readonly item: string;
  readonly score: number;
  readonly training: boolean;
  readonly completed: boolean;
  readonly job: string;
  /** "" is the dimension of the published numbers. */
  readonly dimension?: string;
  /** 1 or 0 for an attention check that was passed or failed. */
  readonly correct?: number;
}

export interface Study {
  readonly name: string;
  readonly family: Family;
  readonly rows: readonly Row[];
  /** The ratings that count by default: completed sessions, no training. */
  readonly counted: readonly Row[];
  readonly items: readonly string[];
  readonly ratings: RatingColumns;
}

export interface Size {
  readonly items: number;
  readonly sessions: number;
  readonly slates: number;
}

/** A made-up study: raters differ in level and spread, some come twice, one session in twelve is not completed. */
export function studyOf(family: Family, { items, sessions, slates }: Size, seed: number): Study {
  const random = seededRandom(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const names = Array.from({ length: items }, (_, i) => `sys-${String(i).padStart(2, "0")}`);
  const quality = names.map(() => normal());
  const raters = Math.max(3, Math.floor(sessions * 0.8));
  const level = Array.from({ length: raters }, () => 0.4 * normal());
  const spread = Array.from({ length: raters }, () => 0.6 + 0.8 * random());
  const tieRate = 0.04 + 0.12 * random();
  const rows: Row[] = [];
  let slate = 0;
  const completed = sessions - Math.max(1, Math.floor(sessions / 12));
  for (let session = 0; session < sessions; session++) {
    const rater = session < raters ? session : Math.floor(random() * raters);
    const own = { session, rater, completed: session < completed, job: session % 5 < 3 ? "job-a" : "job-b" };
    const feel = (item: number): number =>
      (quality[item] as number) * (spread[rater] as number) + (level[rater] as number) + 0.8 * normal();
    for (let s = 0; s < slates; s++, slate++) {
      const training = s === 0;
      const add = (item: number, score: number): void => {
        rows.push({ ...own, slate, training, item: names[item] as string, score });
      };
      if (family === "mushra")
        names.forEach((_, item) => add(item, Math.round(Math.min(100, Math.max(0, 50 + 18 * feel(item))))));
      else if (family === "pairwise") {
        const [a, step] = [Math.floor(random() * items), 1 + Math.floor(random() * (items - 1))];
        const b = (a + step) % items;
        const outcome = random() < tieRate ? 0 : Math.sign(feel(a) - feel(b));
        add(Math.min(a, b), a < b ? outcome : -outcome);
        add(Math.max(a, b), a < b ? -outcome : outcome);
      } else {
        const item = Math.floor(random() * items);
        if (family === "acr") add(item, Math.min(5, Math.max(1, Math.round(3 + feel(item)))));
        else add(item, feel(item) > 0.2 ? 1 : 0);
      }
    }
  }
  const counted = rows.filter((r) => r.completed && !r.training);
  return {
    name: `${family} ${items}x${sessions}x${slates} #${seed}`,
    family,
    rows,
    counted,
    items: names,
    ratings: columnsOf(rows),
  };
}

/** When a session was created: not in the order of the sessions. */
export const createdAt = (session: number): number => (session * 7919) % 1009;

/** The rows as the audit holds them: sorted by session, slate and item. */
export function columnsOf(rows: readonly Row[]): RatingColumns {
  const place = (r: Row): string => `${r.dimension ?? ""}/${r.item}`;
  const sorted = rows.toSorted((x, y) => x.session - y.session || x.slate - y.slate || (place(x) < place(y) ? -1 : 1));
  const indexed = <T>(of: (row: Row) => T): { names: T[]; column: Int32Array } => {
    const names = [...new Set(sorted.map(of))].sort((a, b) => (a < b ? -1 : 1));
    const at = new Map(names.map((name, i) => [name, i]));
    return { names, column: Int32Array.from(sorted, (row) => at.get(of(row)) as number) };
  };
  const item = indexed((r) => r.item);
  const dimension = indexed((r) => r.dimension ?? "");
  const job = indexed((r) => r.job);
  const rater = indexed((r) => `rater-${String(r.rater).padStart(3, "0")}`);
  const session = indexed((r) => r.session);
  const slate = indexed((r) => r.slate);
  return {
    experiment_id: "made-up",
    score: Float64Array.from(sorted, (r) => r.score),
    stimulus: item.column,
    dimension: dimension.column,
    slate: slate.column,
    session: session.column,
    job: job.column,
    rater: rater.column,
    training: Uint8Array.from(sorted, (r) => Number(r.training)),
    completed: Uint8Array.from(sorted, (r) => Number(r.completed)),
    correct: Int8Array.from(sorted, (r) => r.correct ?? -1),
    slateUpdated: Float64Array.from(slate.column),
    stimuli: item.names.map((name) => ({ id: name, name, item: name })),
    dimensions: dimension.names,
    jobs: job.names,
    raters: rater.names,
    sessions: session.names.map((n) => ({ id: `s${n}`, created: createdAt(n) })),
    slateIds: BigInt64Array.from(slate.names, (n) => BigInt(10_000 + n)),
  };
}
