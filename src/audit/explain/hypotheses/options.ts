import { choice, metricKind, type Kind, type OptionSpelling } from "../../../metrics/index.js";
import type { Population } from "../../ratings/index.js";
import { snakeCase, isRecord } from "../../published/index.js";
import type { ScenarioPatch } from "../../evaluate/index.js";
import type { Hypothesis } from "./hypothesis.js";

type Spelling = OptionSpelling<ScenarioPatch>;

const yesNo = (patch: (value: "include" | "exclude") => ScenarioPatch) => (value: unknown) => {
  if (value === true || value === "true" || value === "include") return patch("include");
  if (value === false || value === "false" || value === "exclude") return patch("exclude");
  return undefined;
};

/** The inverse spelling: `exclude_training: true`. */
const noYes = (patch: (value: "include" | "exclude") => ScenarioPatch) =>
  yesNo((value) => patch(value === "include" ? "exclude" : "include"));

const population = (part: Partial<Population>): ScenarioPatch => ({ population: part });

/** Options that say which ratings count, for every kind (metrics.md, "Published scores"); a kind lists its own. */
const common: readonly Spelling[] = [
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
  { axis: "pairs", names: ["pairs"], read: choice(["two", "all"], (pairs) => population({ pairs })) },
  { axis: "job", names: ["job", "job_id"], read: (v) => (typeof v === "string" ? population({ job: v }) : undefined) },
];

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

/** Joins options that are published as parts: `alpha` and `beta` make `rater_quality`. */
function joined(kind: Kind, entries: readonly [string, unknown][]): [string, unknown][] {
  let all = [...entries];
  for (const [name, parts] of Object.entries(metricKind(kind).joinedOptions ?? {})) {
    const values = Object.fromEntries(all.filter(([part]) => parts.includes(part)));
    if (parts.every((part) => values[part] !== undefined))
      all = [...all.filter(([part]) => !parts.includes(part)), [name, values]];
  }
  return all;
}

/** The conventions that published `options` name for a kind, as hypotheses that cost almost no bits. */
export function statedIn(kind: Kind, options: unknown): Hypothesis[] {
  const spellings: readonly Spelling[] = [...common, ...metricKind(kind).options];
  return joined(kind, flat(kind, options)).flatMap(([name, value]) => {
    const spelling = spellings.find(({ names }) => names.includes(name));
    const set = spelling?.read(value);
    if (spelling === undefined || set === undefined) return [];
    const [says, named] = [" = ", "="].map((is) => `${name}${is}${shown(value)}`) as [string, string];
    return [{ name: named, axis: spelling.axis, kinds: [kind], says, set, bits: 0.1 }];
  });
}
