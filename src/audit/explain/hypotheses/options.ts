import type { Kind } from "../../../metrics/index.js";
import { snakeCase } from "../../published/fields.js";
import { readNumber } from "../../published/scores.js";
import { isRecord } from "../../published/record.js";
import { orders, type Population } from "../../ratings/index.js";
import type { Hypothesis } from "./hypothesis.js";
import type { ScenarioPatch } from "../../evaluate/scenario.js";

/** One convention that `options` may name, under any of its usual names. */
interface Known {
  readonly axis: string;
  readonly names: readonly string[];
  readonly kinds?: readonly Kind[];
  /** The patch for a value, or undefined where the value means nothing here. */
  readonly read: (value: unknown) => ScenarioPatch | undefined;
}

const choice =
  <T extends string>(values: readonly T[], patch: (value: T) => ScenarioPatch) =>
  (value: unknown) => {
    const found = values.find((v) => v === value);
    return found === undefined ? undefined : patch(found);
  };

const yesNo = (patch: (value: "include" | "exclude") => ScenarioPatch) => (value: unknown) => {
  if (value === true || value === "true" || value === "include") return patch("include");
  if (value === false || value === "false" || value === "exclude") return patch("exclude");
  return undefined;
};

/** The other way round: `exclude_training: true`. */
const noYes = (patch: (value: "include" | "exclude") => ScenarioPatch) =>
  yesNo((value) => patch(value === "include" ? "exclude" : "include"));

/** A number, or text that is one, where `isSound` holds. */
const number =
  (patch: (value: number) => ScenarioPatch, isSound = (value: number): boolean => Number.isFinite(value)) =>
  (value: unknown) => {
    const read = readNumber(value)?.value;
    return read !== undefined && isSound(read) ? patch(read) : undefined;
  };

const positive = (value: number): boolean => value > 0;

const population = (part: Partial<Population>): ScenarioPatch => ({ population: part });

/** Names of conventions in `options` (metrics.md, "Published scores"). Adding one is adding an entry. */
const known: readonly Known[] = [
  {
    axis: "training",
    names: ["training", "include_training", "with_training"],
    read: (v) => (v === "only" ? population({ training: "only" }) : yesNo((training) => population({ training }))(v)),
  },
  {
    axis: "training",
    names: ["exclude_training", "skip_training", "without_training"],
    read: noYes((training) => population({ training })),
  },
  {
    axis: "incomplete",
    names: ["incomplete", "include_incomplete"],
    read: yesNo((incomplete) => population({ incomplete })),
  },
  {
    axis: "incomplete",
    names: ["exclude_incomplete", "only_completed", "completed_only"],
    read: noYes((incomplete) => population({ incomplete })),
  },
  { axis: "rounding", names: ["rounding"], read: choice(["nearest", "truncate"], (rounding) => ({ rounding })) },
  {
    axis: "incorrect",
    names: ["incorrect"],
    read: choice(["include", "exclude_ratings", "exclude_slates", "exclude_sessions", "exclude_raters"], (incorrect) =>
      population({ incorrect }),
    ),
  },
  { axis: "job", names: ["job", "job_id"], read: (v) => (typeof v === "string" ? population({ job: v }) : undefined) },
  { axis: "order", names: ["order"], kinds: ["elo"], read: choice(orders, (order) => population({ order })) },
  {
    axis: "ties",
    names: ["ties"],
    kinds: ["percent_chosen"],
    read: choice(["count", "half", "exclude"], (v) => ({ conventions: { ties: { percent_chosen: v } } })),
  },
  {
    axis: "scale",
    names: ["percent_scale", "scale", "unit"],
    kinds: ["percent_chosen", "percent_approved"],
    read: percentScale,
  },
  {
    axis: "approved",
    names: ["approved"],
    kinds: ["percent_approved"],
    read: choice(["positive", "midpoint"], (approved) => ({ conventions: { approved } })),
  },
  {
    axis: "mean",
    names: ["mean", "average", "aggregate"],
    kinds: ["mean"],
    read: choice(["mean", "median", "rater_mean", "rater_z"], (mean) => ({ conventions: { mean } })),
  },
  {
    axis: "sd",
    names: ["sd", "ddof"],
    kinds: ["stats"],
    read: (v) =>
      v === "n" || v === 0
        ? { conventions: { stats: { sd: "n" } } }
        : v === "n-1" || v === 1
          ? { conventions: { stats: { sd: "n-1" } } }
          : undefined,
  },
  {
    axis: "interval",
    names: ["interval", "ci"],
    kinds: ["stats"],
    read: choice(["t", "normal"], (interval) => ({ conventions: { stats: { interval } } })),
  },
  {
    axis: "k",
    names: ["k", "k_factor", "kfactor"],
    kinds: ["elo"],
    read: number((k) => ({ conventions: { elo: { k } } }), positive),
  },
  {
    axis: "start",
    names: [
      "start",
      "initial",
      "initial_rating",
      "initial_elo",
      "initial_score",
      "start_rating",
      "starting_rating",
      "base_rating",
    ],
    kinds: ["elo"],
    read: number((start) => ({ conventions: { elo: { start } } })),
  },
  {
    axis: "scale",
    names: ["scale", "elo_scale"],
    kinds: ["elo"],
    read: number((scale) => ({ conventions: { elo: { scale } } }), positive),
  },
  {
    axis: "base",
    names: ["base"],
    kinds: ["elo"],
    read: number(
      (base) => ({ conventions: { elo: { base } } }),
      (base) => base > 1,
    ),
  },
  {
    axis: "tie_value",
    names: ["tie_value", "tie", "tie_score", "draw_value"],
    kinds: ["elo"],
    read: number(
      (tie_value) => ({ conventions: { elo: { tie_value } } }),
      (v) => v >= 0 && v <= 1,
    ),
  },
  {
    axis: "ties",
    names: ["ties"],
    kinds: ["elo"],
    read: choice(["count", "skip"], (ties) => ({ conventions: { elo: { ties } } })),
  },
  {
    axis: "update",
    names: ["update"],
    kinds: ["elo"],
    read: choice(["comparison", "session_batch"], (update) => ({ conventions: { elo: { update } } })),
  },
  {
    axis: "shape",
    names: ["shape", "a", "prior_shape", "prior_a", "gamma_shape"],
    kinds: ["bayesian_elo"],
    read: number(
      (shape) => ({ conventions: { bayesian_elo: { shape } } }),
      (shape) => shape > 1,
    ),
  },
  {
    axis: "rate",
    names: ["rate", "b", "prior_rate", "prior_b", "gamma_rate"],
    kinds: ["bayesian_elo"],
    read: number((rate) => ({ conventions: { bayesian_elo: { rate } } }), positive),
  },
  {
    axis: "scale",
    names: ["scale", "elo_scale"],
    kinds: ["bayesian_elo"],
    read: number((scale) => ({ conventions: { bayesian_elo: { scale } } }), positive),
  },
  {
    axis: "anchor",
    names: ["anchor", "center", "centre", "initial_rating", "base_rating"],
    kinds: ["bayesian_elo"],
    read: number((anchor) => ({ conventions: { bayesian_elo: { anchor } } })),
  },
  {
    axis: "stop_elo",
    names: ["stop_elo", "tolerance", "tol"],
    kinds: ["bayesian_elo"],
    read: (v) =>
      v === null
        ? { conventions: { bayesian_elo: { stop_elo: null } } }
        : number((stop_elo) => ({ conventions: { bayesian_elo: { stop_elo } } }), positive)(v),
  },
  {
    axis: "start",
    names: ["start"],
    kinds: ["bayesian_elo"],
    read: choice(["cold", "warm"], (start) => ({ conventions: { bayesian_elo: { start } } })),
  },
  {
    axis: "labels",
    names: ["interval_labels"],
    kinds: ["bayesian_elo"],
    read: choice(["own", "shifted"], (interval_labels) => ({ conventions: { bayesian_elo: { interval_labels } } })),
  },
  { axis: "rater_quality", names: ["rater_quality"], kinds: ["bayesian_elo"], read: raterQuality },
];

function percentScale(value: unknown): ScenarioPatch | undefined {
  if (value === "percent" || value === "%") return { conventions: { percent_scale: 100 } };
  if (value === "fraction" || value === "share") return { conventions: { percent_scale: 1 } };
  return value === 1 || value === 100 ? { conventions: { percent_scale: value } } : undefined;
}

function raterQuality(value: unknown): ScenarioPatch | undefined {
  if (value === null || value === false) return { conventions: { bayesian_elo: { rater_quality: null } } };
  if (!isRecord(value)) return undefined;
  const { alpha, beta } = value;
  if (typeof alpha !== "number" || typeof beta !== "number" || alpha < 1 || beta < 1) return undefined;
  return { conventions: { bayesian_elo: { rater_quality: { alpha, beta } } } };
}

/** Options nested under the kind's own name, `prior` or `population` are read like the others. */
function flat(kind: Kind, options: unknown): [string, unknown][] {
  if (!isRecord(options)) return [];
  return Object.entries(options).flatMap(([key, value]) => {
    const name = snakeCase(key);
    return isRecord(value) && [kind, "prior", "population", "conventions", "parameters", "params"].includes(name)
      ? flat(kind, value)
      : [[name, value] as [string, unknown]];
  });
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** `alpha` and `beta` that stand beside each other and not under `rater_quality` are the same. */
function paired(kind: Kind, entries: readonly [string, unknown][]): [string, unknown][] {
  const { alpha, beta } = Object.fromEntries(entries);
  if (kind !== "bayesian_elo" || alpha === undefined || beta === undefined) return [...entries];
  return [...entries.filter(([name]) => name !== "alpha" && name !== "beta"), ["rater_quality", { alpha, beta }]];
}

/** The conventions that published `options` name for a kind, as hypotheses that cost next to nothing to suppose. */
export function statedIn(kind: Kind, options: unknown): Hypothesis[] {
  return paired(kind, flat(kind, options)).flatMap(([name, value]) => {
    const entry = known.find((k) => k.names.includes(name) && (k.kinds?.includes(kind) ?? true));
    const set = entry?.read(value);
    if (entry === undefined || set === undefined) return [];
    return [
      {
        name: `${name}=${shown(value)}`,
        axis: entry.axis,
        kinds: [kind],
        says: `${name} is ${shown(value)}, as the published options state`,
        set,
        bits: 0.1,
      },
    ];
  });
}
