/** What the name of a published field means, by where it stands: the only table of such words. */
import { remembered } from "../../platform/index.js";

const listed = (words: string): readonly string[] => words.split(" ");

/** Of words with one meaning, the first that is present counts. */
export const vocabulary = {
  /** Beside the numbers of one result. */
  record: {
    scores: listed("scores values entries rows items ranking standings results data score value"),
    options: listed("options parameters settings conventions"),
    kind: listed("kind metric metric_kind metric_name"),
    /** Only if it names a kind. */
    kindOrName: listed("type name"),
    dimension: listed("dimension"),
    sources: listed("source sources source_id source_ids"),
    experiments: listed("experiment_id experiment_ids experiments experiment"),
    jobs: listed("job_id job_ids jobs job"),
    leaderboards: listed("leaderboard_id leaderboard"),
    records: listed("leaderboards results metrics boards tables"),
    item: listed("stimulus stimulus_id item method condition"),
  },
  /** Of one item. */
  entry: {
    item: listed("stimulus stimulus_id item name label method condition id key"),
    rank: listed("rank ranking position place"),
    /** The main number, after the name of its kind. */
    main: listed("value score rating elo mean percent estimate"),
    /** The main number where nothing else is. */
    mainAlone: listed("median"),
    interval: listed("ci ci95 interval confidence_interval credible_interval"),
    nested: listed("value values score scores stats result"),
  },
  /** Fields of any kind. */
  field: {
    n: listed("n count total comparisons num_comparisons num_ratings games samples"),
    wins: listed("wins win won num_wins"),
    losses: listed("losses loss lost num_losses"),
    ties: listed("ties tie draws draw num_ties"),
    approved: listed("approved approvals num_approved"),
    std: listed("std sd stdev stddev std_dev standard_deviation"),
    sem: listed("sem se stderr std_error standard_error"),
    ci_low: listed("ci_low ci_lower lower low ci_lo lower_bound rating_lower"),
    ci_high: listed("ci_high ci_upper upper high ci_hi upper_bound rating_upper"),
    half_width: listed("half_width ci ci95 ci_95 moe margin_of_error plus_minus"),
    min: listed("min minimum"),
    max: listed("max maximum"),
    q1: listed("q1 first_quartile lower_quartile"),
    q3: listed("q3 third_quartile upper_quartile"),
    median: listed("median q2"),
  },
  /** Whose values are no numbers, wherever they stand. */
  name: {
    whole: listed("ids display_name full_name short_name version revision seed index"),
    /** Before `_id`, `_ids` or `_name`. */
    thing: listed(
      "stimulus item condition experiment job source leaderboard rubric project dataset " +
        "organization session slate rater user metric result",
    ),
    instantAtEnd: listed("at date time datetime timestamp"),
    instantAtStart: listed("date timestamp created updated modified"),
  },
  /** Whose values say something without a number, anywhere in a name. */
  claim: listed(
    "win wins winner winners won best worst better worse beat beats beaten medal medals champion " +
      "leader top tier grade letter letters significant significantly superior inferior " +
      "preferred favorite favourite outperform outperforms dominate dominates",
  ),
} as const;

export const snakeCase = remembered((key) =>
  key
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[\s-]+/g, "_")
    .toLowerCase(),
);

/** Whether a name, in any spelling, is one of them. */
export const isOne = (of: readonly string[], name: string): boolean => of.includes(snakeCase(name));

const partsOf = (name: string): string[] => snakeCase(name).split("_");

export const isRank = (name: string): boolean => isOne(vocabulary.entry.rank, name);

export const isName = remembered((name) => {
  const [, thing = ""] = /^(.+)_(?:ids?|name)$/.exec(snakeCase(name)) ?? [];
  return (
    [vocabulary.entry.item, vocabulary.name.whole].some((some) => isOne(some, name)) ||
    isOne(vocabulary.name.thing, thing)
  );
});

export const isInstant = remembered((name) => {
  const parts = partsOf(name);
  return (
    isOne(vocabulary.name.instantAtStart, parts[0] ?? "") ||
    isOne(vocabulary.name.instantAtEnd, parts.at(-1) ?? "")
  );
});

export const isClaim = remembered(
  (name) => isRank(name) || partsOf(name).some((part) => isOne(vocabulary.claim, part)),
);

const fieldByWord = new Map(
  Object.entries(vocabulary.field).flatMap(([field, some]) => some.map((word) => [word, field])),
);

/** `p2.5`, `p025`, `p_025` and `rating_q025` are the same; `p5` means 5 %. */
function quantileName(word: string): string | undefined {
  const [, whole = "", tenth = ""] = /^(?:rating_)?[pq]_?(\d{1,3})(?:[._](\d))?$/.exec(word) ?? [];
  const digits = tenth !== "" || whole.length === 1 ? whole.padStart(2, "0") + tenth : whole;
  return whole === "" ? undefined : `p${digits}`;
}

/** The field that it names in any kind. */
export const fieldNamed = (name: string): string | undefined =>
  fieldByWord.get(snakeCase(name)) ?? quantileName(snakeCase(name));
