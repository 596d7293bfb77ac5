// The slates and ratings that count, in the convention's order.
import type { RecordOf } from "../../contract/index.js";
import type { Convention } from "./convention.js";

/** In the field names of the interface. */
export type ScoredRating = Pick<
  RecordOf<"rating">,
  "score" | "stimulus" | "stimulus_id" | "dimension" | "rater_id" | "is_training" | "is_correct"
>;

export interface ScoredSlate extends Pick<
  RecordOf<"slate">,
  "id" | "session_id" | "job_id" | "date_updated"
> {
  ratings: readonly ScoredRating[];
}

type ScoredSession = Pick<RecordOf<"session">, "id" | "job_id" | "date_created" | "date_completed">;

export interface ScoredStudy {
  sessions: readonly ScoredSession[];
  slates: readonly ScoredSlate[];
}

interface CountedSlate {
  whole: ScoredSlate;
  ratings: ScoredRating[];
  /** Milliseconds. */
  created: number;
  completed: number;
  updated: number;
}

/** `source`: a job's id, or `""` for the whole experiment. */
export function countedSlates(
  study: ScoredStudy,
  convention: Convention,
  source = "",
): ScoredSlate[] {
  const sessions = new Map(
    study.sessions.map(({ id, date_created: created, date_completed: completed }) => [
      id,
      {
        created: Date.parse(created),
        completed: completed === null ? Infinity : Date.parse(completed),
      },
    ]),
  );
  const unitOf = unitLeftOut[convention.incorrect];
  const excluded = new Set(
    study.slates.flatMap((slate) =>
      slate.ratings.flatMap((rating) =>
        rating.is_correct === false ? [unitOf(slate, rating)] : [],
      ),
    ),
  );
  const isCounted = (slate: ScoredSlate, rating: ScoredRating): boolean => {
    if (
      convention.training !== "include" &&
      rating.is_training !== (convention.training === "only")
    )
      return false;
    return convention.incorrect === "include" || !excluded.has(unitOf(slate, rating));
  };
  const job = convention.job ?? (source === "" ? "*" : source);
  const counted = study.slates.flatMap((whole): CountedSlate[] => {
    const session = sessions.get(whole.session_id);
    if (
      session === undefined ||
      (convention.incomplete === "exclude" && session.completed === Infinity)
    )
      return [];
    if ((job !== "*" && whole.job_id !== job) || whole.job_id === convention.without_job) return [];
    const ratings = whole.ratings.filter((rating) => isCounted(whole, rating));
    return [{ whole, ratings, ...session, updated: Date.parse(whole.date_updated) }];
  });
  const inOrder = sortedBy(counted, sortKeys.service);
  const kept = convention.repeats === "all" ? inOrder : withoutRepeats(inOrder, convention.repeats);
  return sortedBy(kept, sortKeys[convention.order]).flatMap(({ whole, ratings }) =>
    ratings.length > 0 ? [{ ...whole, ratings }] : [],
  );
}

/** What one incorrect rating excludes. */
const unitLeftOut: Record<
  Convention["incorrect"],
  (slate: ScoredSlate, rating: ScoredRating) => unknown
> = {
  include: () => null,
  exclude_ratings: (_, rating) => rating,
  exclude_slates: ({ id }) => id,
  exclude_sessions: ({ session_id }) => session_id,
  exclude_raters: (_, { rater_id }) => String(rater_id),
};

type SortKey = readonly (string | number)[];

/** Service order breaks ties. `reversed` applies to comparisons, see score.ts. */
const sortKeys: Record<Convention["order"], (slate: CountedSlate) => SortKey> = {
  service: ({ whole, completed, updated }) => [completed, whole.session_id, updated, whole.id],
  created: ({ whole, created, updated }) => [created, whole.session_id, updated, whole.id],
  session_id: ({ whole }) => [whole.session_id],
  slate_updated: ({ updated }) => [updated],
  slate_id: ({ whole }) => [whole.id],
  reversed: () => [],
};

/** Stable. */
function sortedBy(
  slates: readonly CountedSlate[],
  keyOf: (slate: CountedSlate) => SortKey,
): CountedSlate[] {
  const keyed = slates.map((slate) => ({ slate, key: keyOf(slate) }));
  keyed.sort((x, y) => {
    const at = x.key.findIndex((part, i) => part !== y.key[i]);
    return at < 0 ? 0 : (x.key[at] ?? 0) < (y.key[at] ?? 0) ? -1 : 1;
  });
  return keyed.map(({ slate }) => slate);
}

/** Equal for repeated answers. */
function slateTask({ ratings }: ScoredSlate, dimension: string): string {
  const own = ratings.filter((rating) => rating.dimension === dimension);
  const shown = own.map(({ stimulus, stimulus_id: id }) => JSON.stringify([stimulus, id])).sort();
  return JSON.stringify([own[0]?.rater_id, dimension, shown]);
}

/** Of slates that ask a rater the same question in a dimension. */
function withoutRepeats(slates: readonly CountedSlate[], which: "first" | "last"): CountedSlate[] {
  const kept = new Map<string, ScoredSlate>();
  for (const { whole, ratings } of slates) {
    for (const dimension of new Set(
      ratings.filter((r) => r.score !== null).map((r) => r.dimension),
    )) {
      const task = slateTask(whole, dimension);
      if (which === "last" || !kept.has(task)) kept.set(task, whole);
    }
  }
  return slates.map((slate) => ({
    ...slate,
    ratings: slate.ratings.filter(
      ({ dimension }) => kept.get(slateTask(slate.whole, dimension)) === slate.whole,
    ),
  }));
}
