import type { AuditOptions } from "../../../src/audit/index.js";
import type { Verdict } from "../../../src/audit/judge/verdict.js";
import {
  golden,
  rounded,
  scoresOf,
  type Expected,
  type Lists,
  type Numbers,
  type PublishedResult,
} from "./published-case.js";

interface Deception {
  readonly name: string;
  readonly file: string;
  readonly results: readonly PublishedResult[];
  readonly lists?: Lists;
  readonly options?: AuditOptions;
  readonly verdict: Verdict;
  /** What the explanation of such a number says; absent where it says nothing. */
  readonly says?: RegExp;
}

const blockOf = (
  file: string,
  dimension = "",
): Record<string, Expected> & { variants: Record<string, Expected> } =>
  golden(file).expected[dimension] as never;

const codecs = blockOf("codec-preference");

type Entry = Numbers & { stimulus: string };
const entriesOf = (expected: Expected | undefined, decimals: number | null = null): Entry[] =>
  scoresOf(rounded(expected as Expected, decimals)) as Entry[];

const accepting = (kind: string, convention: string): AuditOptions => ({
  accept: [{ experiment: "exp2", kind, convention, reason: "as agreed" }],
});

/** Numbers of a variant, of which the items at `stale` have those of the run's own conventions. */
const mixture = (
  kind: string,
  variant: string,
  stale: readonly number[],
  decimals: number | null,
): Entry[] => {
  const own = entriesOf(codecs[kind], decimals);
  return entriesOf(codecs.variants[`${kind} ${variant}`], decimals).map((one, i) =>
    stale.includes(i) ? own[i]! : one,
  );
};

const mixtures: Deception[] = (
  [
    ["percent_chosen", "training=include", { training: "include" }, [7], null],
    ["percent_chosen", "ties=half", { ties: "half" }, [2], 1],
    ["percent_chosen", "incomplete=include", { incomplete: "include" }, [1], null],
    ["elo", "training=include", { training: true }, [3], null],
    ["elo", "k=16 initial=1000", { k: 16, start: 1000 }, [6], null],
  ] as const
).flatMap(([kind, variant, options, stale, decimals]): Deception[] => {
  const name = `${kind}, ${variant}, ${stale.length} of 8 not refreshed`;
  const scores = mixture(kind, variant, stale, decimals);
  const common = { file: "codec-preference", verdict: "unexplained" } as const;
  const convention = variant.replace("initial", "start");
  const says = /follows only without/;
  return [
    { ...common, name: `${name}, stated`, results: [{ kind, scores, options }], says },
    {
      ...common,
      name: `${name}, accepted`,
      results: [{ kind, scores }],
      options: accepting(kind, convention),
    },
  ];
});

const results = (
  kind: string,
  scores: unknown,
  options?: unknown,
  dimension = "",
): PublishedResult[] => [
  { kind, dimension, scores, ...(options === undefined ? {} : { options }) },
];

const lies: Deception[] = (
  [
    ["elo", { k: 24 }, /state k=24, but/],
    ["elo", { start: 1000 }, /state start=1000, but/],
    ["elo", { ties: "skip" }, /state ties=skip, but/],
    ["percent_chosen", { training: true }, /training=true, but/],
    ["percent_chosen", { unit: "fraction" }, /unit=fraction, but/],
    ["win_loss", { incomplete: "include" }, /incomplete=include, but/],
    ["bayesian_elo", { shape: 2, rate: 0.05 }, /shape=2, but/],
    ["elo", { k: 24, kFactor: 32 }, /exclude each other/],
    ["elo", { order: "reversed" }, /order=reversed, but/],
  ] as const
).map(([kind, options, says]) => ({
  name: `${kind} that states ${JSON.stringify(options)}`,
  file: "codec-preference",
  results: results(kind, entriesOf(codecs[kind]), options),
  verdict: "contradictory",
  says,
}));

const rated = blockOf("acr", "quality");
for (const [kind, options, says] of [
  ["stats", { level: 99 }, /state level=99, but/],
  ["mean", { mean: "median" }, /mean=median, but/],
] as const) {
  const scores = entriesOf(rated[kind]);
  const name = `${kind} that states ${JSON.stringify(options)}`;
  lies.push({
    name,
    file: "acr",
    results: results(kind, scores, options, "quality"),
    verdict: "contradictory",
    says,
  });
}
lies.push({
  name: "percent_chosen under a stated convention, with another that does not hold",
  file: "codec-preference",
  results: results(
    "percent_chosen",
    entriesOf(codecs.variants["percent_chosen training=include"]),
    {
      training: "include",
      ties: "half",
    },
  ),
  verdict: "unstated",
  says: /training=include ties=count/,
});

const extras: [name: string, kind: string, change: (entry: Entry, i: number) => object][] = [
  [
    "an interval of an Elo as a pair",
    "elo",
    ({ value }) => ({ interval: [value! - 9, value! + 9] }),
  ],
  ["p-values as text", "elo", () => ({ p: "<0.001" })],
  ["a second rank", "elo", (_, i) => ({ rank: "", position: i + 1, place: 9 - i })],
  ["nested numbers", "elo", () => ({ details: { games: { home: 3 } } })],
  ["a Roman number under another name", "elo", () => ({ standing: "III" })],
  ["medals", "elo", () => ({ medal: "gold" })],
];
const wrongEnds: Deception = {
  name: "shares with ends at 5 percent points",
  file: "codec-preference",
  results: results(
    "percent_chosen",
    entriesOf(codecs.percent_chosen).map((entry) => ({
      ...entry,
      ci_low: entry.value! - 5,
      ci_high: entry.value! + 5,
    })),
  ),
  verdict: "inconclusive",
};

const unread: Deception[] = extras.map(([name, kind, change]) => ({
  name: `unread: ${name}`,
  file: "codec-preference",
  results: results(
    kind,
    entriesOf(codecs[kind]).map((entry, i) => ({ ...entry, ...change(entry, i) })),
  ),
  verdict: "not_auditable",
  says: /without a definition/,
}));
for (const options of [{ bootstrap: { samples: 1000 } }, { k: "many" }])
  unread.push({
    name: `unread: options ${JSON.stringify(options)}`,
    file: "codec-preference",
    results: results("elo", entriesOf(codecs.elo), options),
    verdict: "not_auditable",
    says: /without a definition/,
  });

const board = { id: "B1", name: "Codecs", experiment_ids: ["exp2"] };
const boards: [name: string, Lists][] = [
  [
    "a board in an odd nesting",
    { leaderboards: [{ ...board, table: { body: { rows: entriesOf(codecs.elo) } } }] },
  ],
  [
    "a board of texts",
    {
      leaderboards: [
        { ...board, kind: "elo", scores: [{ stimulus: "codec-a", value: "2305 Elo" }] },
      ],
    },
  ],
  [
    "a second list",
    {
      leaderboards: [
        { ...board, kind: "elo", scores: entriesOf(codecs.elo), standings: [["codec-a", 9]] },
      ],
    },
  ],
  [
    "a winner beside a board",
    { leaderboards: [{ ...board, kind: "elo", scores: entriesOf(codecs.elo), winner: "codec-h" }] },
  ],
  [
    "a number beside a board",
    { leaderboards: [{ ...board, kind: "elo", scores: entriesOf(codecs.elo), kappa: 0.7 }] },
  ],
  [
    "a number of a rubric",
    { rubrics: [{ id: "R1", name: "R", leaderboards: [], agreement: 0.81 }] },
  ],
  [
    "a list beside the numbers",
    {
      metrics: [
        { source: "exp2", kind: "elo", scores: entriesOf(codecs.elo), values: [["codec-a", 7]] },
      ],
    },
  ],
  [
    "a keyed text",
    {
      metrics: [
        {
          source: "exp2",
          kind: "elo",
          scores: { "codec-a": 2305.4552444319834, "codec-b": "1951 Elo" },
        },
      ],
    },
  ],
];
for (const [name, lists] of boards)
  unread.push({
    name: `unread: ${name}`,
    file: "codec-preference",
    results: results("elo", entriesOf(codecs.elo)),
    lists,
    verdict: "not_auditable",
    says: /without a definition|no scores|with a number|names no metric/,
  });

const elos = entriesOf(codecs.elo);
const other = (i: number): string => elos[(i + 1) % elos.length]!.stimulus;
const swapped = (scores: readonly Entry[], by: (entry: Entry, i: number) => object): object[] =>
  scores.map((entry, i) => (i === 2 ? { ...entry, ...by(entry, i) } : entry));
const stats = entriesOf(rated.stats);
const last = stats.length - 1;

const contradictory: Deception[] = (
  [
    ["a name beside another item's", "elo", swapped(elos, (_, i) => ({ item: other(i) })), /says/],
    [
      "an identifier of another item",
      "elo",
      swapped(elos, () => ({ stimulus_id: 207 })),
      /stimulus_id says 207/,
    ],
    [
      "a nested name of another item",
      "elo",
      swapped(elos, (_, i) => ({ item: { id: 200 + i, name: other(i) } })),
      /says/,
    ],
    [
      "identifiers that agree but for one",
      "elo",
      elos.map((e, i) => ({ ...e, id: i === 3 ? 207 : 200 + i })),
      /says/,
    ],
  ] as const
).map(([name, kind, scores, says]) => ({
  name,
  file: "codec-preference",
  results: results(kind, scores),
  verdict: "contradictory",
  says,
}));
contradictory.push(
  {
    name: "two places that round one number to different ones",
    file: "codec-preference",
    results: results("percent_chosen", entriesOf(codecs.percent_chosen, 0)),
    lists: {
      leaderboards: [
        {
          ...board,
          kind: "percent_chosen",
          scores: entriesOf(codecs.variants["percent_chosen training=include"]),
        },
      ],
    },
    options: accepting("percent_chosen", "training=include"),
    verdict: "contradictory",
    says: /published as/,
  },
  {
    name: "a synonym one unit apart",
    file: "codec-preference",
    results: results(
      "percent_chosen",
      entriesOf(codecs.percent_chosen, 1).map((e) => ({
        ...e,
        percent: Number((e.value! + 0.1).toFixed(1)),
      })),
    ),
    verdict: "unexplained",
    says: /contradicts the value/,
  },
  {
    name: "a rank beside no score",
    file: "codec-preference",
    results: results("elo", [...elos.slice(1), { stimulus: elos[0]!.stimulus, rank: 1 }]),
    verdict: "not_auditable",
    says: /ranked, but has no published score/,
  },
  {
    name: "a tie of rounded scores that is divided the wrong way",
    file: "codec-preference",
    results: results(
      "percent_chosen",
      entriesOf(codecs.percent_chosen, 0).map((e, i) => ({
        ...e,
        rank: [1, 6, 4, 3, 2, 8, 5, 7][i],
      })),
    ),
    verdict: "unexplained",
    says: /rank contradicts/,
  },
  {
    name: "two directions of ranks in one study",
    file: "acr",
    results: [
      ...results(
        "mean",
        entriesOf(rated.mean).map((e) => ({
          ...e,
          rank: 1 + entriesOf(rated.mean).filter((o) => o.value! > e.value!).length,
        })),
        undefined,
        "quality",
      ),
      ...results(
        "stats",
        stats.map((e) => ({ ...e, rank: 1 + stats.filter((o) => o.mean! < e.mean!).length })),
        undefined,
        "quality",
      ),
    ],
    verdict: "unexplained",
    says: /rank contradicts/,
  },
  {
    name: "one number with few decimals in a column where they vanish",
    file: "acr",
    results: results(
      "stats",
      stats.map((e, i) => ({ ...e, q1: i === last ? Number((e.q1! + 0.04).toFixed(2)) : e.q1! })),
      undefined,
      "quality",
    ),
    verdict: "unexplained",
    says: /^/,
  },
  {
    name: "means in whole numbers",
    file: "acr",
    results: results("mean", entriesOf(rated.mean, 0), undefined, "quality"),
    verdict: "inconclusive",
    says: /distinguish fewer than 10 values/,
  },
);

export const deceptions: readonly Deception[] = [
  ...mixtures,
  ...lies,
  ...unread,
  wrongEnds,
  ...contradictory,
];
