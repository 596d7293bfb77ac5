/** The catalogue: every convention that the audit tries, and what published options state. */
import { groupsOf, isMap, keyOf } from "../../platform/index.js";
import {
  type Kind,
  kinds,
  metricKind,
  choice,
  defaultConventions,
  drawsOption,
  hasFreeLevel,
  numberIn,
  type OptionSpelling,
} from "../../metrics/index.js";
import { type RatingColumns, plainestKey } from "./ratings.js";
import { type Population, slateGroupsOf, slatesOfOneItem } from "./population.js";
import { type ScenarioPatch, patched, scenarioKey, type Scenario } from "./scenario.js";
import { holdsNumbers } from "../read/leaves.js";
import { equalAt, unrounded } from "../read/precision.js";
import { snakeCase } from "../read/words.js";

export interface Hypothesis {
  readonly name: string;
  readonly axis: string;
  readonly kinds: readonly Kind[];
  readonly says: string;
  readonly set: ScenarioPatch;
  readonly fields?: readonly string[];
  /** Bits to name it: more for rarer conventions. */
  readonly bits: number;
}

export type ShownNumbers = ReadonlyMap<string, number>;

/** What a family of hypotheses depends on. */
interface Subject {
  readonly ratings: RatingColumns;
  readonly dimension: string;
  readonly source: string;
  readonly shown?: ShownNumbers;
}

export interface HypothesisFamily {
  readonly name: string;
  readonly axis: string;
  readonly kinds: readonly Kind[];
  readonly says: string;
  readonly expand: (subject: Subject) => readonly Hypothesis[];
}

const pairwise = kinds.filter((kind) => metricKind(kind).family === "pairwise");

const scored = kinds.filter((kind) => !pairwise.includes(kind));

type Needs = (ratings: RatingColumns, name: string) => boolean;

const anyIs =
  (column: "training" | "completed" | "correct" | "screened", value: number): Needs =>
  (ratings) =>
    ratings[column].includes(value);

interface AxisTerms {
  /** Units map the numbers of all items alike; names are those of ends. Else what it sets. */
  readonly is?: "population" | "unit" | "rounding" | "interval" | "names";
  /** What ratings must have for it to matter. */
  readonly needs?: Needs;
  /** Of a rule for which ratings count: bits, sentence and kinds (all) of each value. */
  readonly rules?: Readonly<Record<string, readonly [number, string, (readonly Kind[])?]>>;
  /** Options with yes or no, and whether yes is to include. */
  readonly options?: Readonly<Record<string, boolean>>;
}

const axes: Readonly<Partial<Record<string, AxisTerms>>> = {
  training: {
    needs: anyIs("training", 1),
    rules: {
      include: [3, "training ratings are counted too"],
      exclude: [3, "training ratings are left out"],
      only: [6, "only training ratings are counted"],
    },
    options: {
      training: true,
      include_training: true,
      with_training: true,
      exclude_training: false,
      skip_training: false,
      without_training: false,
    },
  },
  incomplete: {
    needs: anyIs("completed", 0),
    rules: {
      include: [3, "sessions that were not completed are counted too"],
      exclude: [3, "sessions that were not completed are left out"],
    },
    options: {
      incomplete: true,
      include_incomplete: true,
      exclude_incomplete: false,
      only_completed: false,
      completed_only: false,
    },
  },
  incorrect: {
    needs: anyIs("correct", 0),
    rules: {
      include: [4, "incorrect ratings are counted like any other"],
      exclude_ratings: [4, "incorrect ratings are left out"],
      exclude_slates: [4, "slates with an incorrect rating are left out"],
      exclude_sessions: [4, "sessions with an incorrect rating are left out"],
      exclude_raters: [4, "raters with an incorrect rating are left out"],
    },
  },
  screen: {
    needs: anyIs("screened", 1),
    rules: { include: [4, "ratings that screening leaves out are counted too"] },
  },
  repeats: {
    rules: {
      first: [6, "only a rater's first answer to the same stimuli counts"],
      last: [6, "only a rater's last answer to the same stimuli counts"],
    },
  },
  pairs: {
    needs: (ratings) => slateGroupsOf(ratings).irregular.length > 0,
    rules: {
      all: [4, "every two scores of a slate are a comparison", pairwise],
      two: [4, "only slates with two scores are comparisons", pairwise],
    },
  },
  itself: {
    needs: (ratings) => slatesOfOneItem(ratings, "own").length > 0,
    rules: {
      include: [1, "the vote of an item against itself is counted", pairwise],
      exclude: [1, "the vote of an item against itself is left out", scored],
    },
  },
  weights: {
    needs: ({ weight }) => weight !== undefined,
    rules: { ignored: [3, "every vote counts once, whatever its weight", pairwise] },
  },
  item: {
    needs: ({ stimuli }, name) =>
      name.startsWith("item=stimulus") || stimuli.some((stimulus) => stimulus.name.includes("/")),
    rules: {
      condition: [4, "stimuli are grouped by the part of their name after the last slash"],
      source: [4, "stimuli are grouped by the part of their name before the first slash"],
      stimulus: [4, "every stimulus name is a separate item"],
      stimulus_id: [4, "every stimulus identifier is a separate item"],
    },
  },
  style: { needs: ({ covariates }) => covariates !== undefined },
  ties: { is: "population" },
  interval: { is: "interval" },
  labels: { is: "names" },
  relative: { is: "unit" },
  scale: { is: "unit" },
  unit: { is: "unit" },
  rounding: { is: "rounding" },
};

export const whatIs = ({ axis, set, fields }: Pick<Hypothesis, "axis" | "set" | "fields">) =>
  axes[axis]?.is ?? (set.population ? "population" : fields ? "interval" : "scoring");

export const populationOptions = Object.entries(axes).flatMap(([axis, { rules = {} } = {}]) =>
  Object.entries(rules).map(([value, [bits, says, ofKinds = kinds]]): Hypothesis => {
    const name = `${axis}=${value}`;
    return { name, axis, kinds: ofKinds, says, set: { population: { [axis]: value } }, bits };
  }),
);

const onScoreScale = kinds.filter((kind) => metricKind(kind).direction === "either");

function rangeOf(scores: Float64Array): readonly [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const score of scores) {
    if (score < low) low = score;
    if (score > high) high = score;
  }
  return [low, high];
}

type Member = Pick<Hypothesis, "name" | "says" | "set" | "bits">;

export const counts = (
  name: string,
  bits: number,
  says: string,
  population: Partial<Population>,
): Member => ({
  name,
  says,
  set: { population },
  bits,
});

export const leftOut = (unit: "rater" | "session" | "job", name: string, among: number): Member =>
  counts(`without_${unit}=${name}`, 5 + Math.log2(among), `${unit} ${name} is left out`, {
    left_out: { unit, name },
  });

function family(
  axis: string,
  name: string,
  says: string,
  members: (subject: Subject) => readonly Member[],
  ofKinds = kinds,
): HypothesisFamily {
  const terms = { axis, kinds: ofKinds };
  const expand: HypothesisFamily["expand"] = (subject) =>
    members(subject).map((member) => ({ ...member, ...terms }));
  return { name, ...terms, says, expand };
}

const mostHeld = 30;

/** Which ratings counted; and means relative to an item, then published as 0 or as 100. */
export const populationFamilies: readonly HypothesisFamily[] = [
  family(
    "relative",
    "relative=…",
    "numbers are relative to the highest (`best`) or to a named item, as a difference, in " +
      "percent, or as a difference from the top of the scale (`dmos_`)",
    ({ ratings: { stimuli, score }, shown: published = [] }) => {
      const items = new Set(stimuli.map((s) => s.item));
      const [, top] = rangeOf(score);
      const ways = [
        { prefix: "", says: "differences from that", as: "difference", shown: 0 },
        { prefix: "percent_of_", says: "percentages of that", as: "percent", shown: 100 },
        {
          prefix: "dmos_",
          says: `${top} plus the difference from that`,
          as: "difference",
          shown: top,
        },
      ] as const;
      return ways.flatMap(({ prefix, says, as, shown }) => {
        const held = [...published].filter(([, value]) => equalAt(value, shown, unrounded));
        const named = held.map(([item]) => item).filter((item) => items.has(item));
        const references = named.length > mostHeld ? [] : named;
        return (held.length > 0 ? [null, ...references] : []).map((to) => ({
          name: `relative=${prefix}${to ?? "best"}`,
          says: `numbers are ${says} of ${to ?? "the highest item"}`,
          set: { relative: { to, as, shown } },
          bits: to === null ? 3 : 3 + Math.log2(items.size),
        }));
      });
    },
    ["mean"],
  ),
  family(
    "unit",
    "unit=0_to_100",
    "a scale of points from 1 is shown from 0 to 100: 25 (m − 1) for 1 to 5",
    ({ ratings: { score } }) => {
      const [lowest, highest] = rangeOf(score);
      const points = [5, 7, 9, 10, 11].find((most) => highest <= most);
      if (points === undefined || !(lowest >= 1)) return [];
      const scale = 100 / (points - 1);
      return [
        {
          name: "unit=0_to_100",
          says: `points from 1 to ${points} are shown from 0 to 100`,
          set: { rescaled: { scale, shift: -scale } },
          bits: 3,
        },
      ];
    },
    onScoreScale,
  ),
  family("job", "job=…", "only one job is counted", ({ ratings: { jobs }, source }) =>
    source !== "" || jobs.length < 2
      ? []
      : jobs.map((job) =>
          counts(`job=${job}`, 4 + Math.log2(jobs.length), `only job ${job} is counted`, {
            job,
          }),
        ),
  ),
  family("job", "without_job=…", "one job is left out", ({ ratings: { jobs }, source }) =>
    source !== "" || jobs.length < 3 ? [] : jobs.map((job) => leftOut("job", job, jobs.length)),
  ),
  family(
    "job",
    "job=all",
    "a number published for one job counts the whole experiment",
    ({ source }) =>
      source === ""
        ? []
        : [counts("job=all", 4, "the whole experiment is counted, not the one job", { job: null })],
  ),
  family(
    "dimension",
    "dimension=…",
    "another dimension is counted, or all together",
    ({ ratings: { dimensions }, dimension }) => {
      if (dimensions.length < 2) return [];
      const others = dimensions.filter((other) => other !== dimension);
      const bits = 6 + Math.log2(dimensions.length - 1);
      return [
        counts("dimension=all", 4, "all dimensions are counted together", { dimension: null }),
        ...others.map((other) =>
          counts(`dimension=${other}`, bits, `the numbers are those of dimension "${other}"`, {
            dimension: other,
          }),
        ),
      ];
    },
  ),
];

const scaled = (name: string, scale: number, says: string, shift = 0): Hypothesis => ({
  name,
  axis: "unit",
  kinds: shift === 0 ? onScoreScale : ["mean"],
  says,
  set: { rescaled: { scale, shift } },
  bits: 3,
});

const shownOtherwise = [
  scaled(
    "unit=z_0_to_100",
    100 / 6,
    "numbers from −3 to 3 are shown from 0 to 100: 100 (z + 3) / 6",
    50,
  ),
  scaled("sign=minus", -1, "numbers have the other sign: minus the mean of penalties is published"),
];

export const truncation: Hypothesis = {
  name: "rounding=truncate",
  axis: "rounding",
  kinds: kinds.filter((kind) =>
    Object.values(metricKind(kind).fields).some((role) => role !== "count"),
  ),
  says: "numbers are truncated after the last published decimal, not rounded",
  set: { rounding: "truncate" },
  bits: 6,
};

/** How the counted ratings were scored: the kinds' own lists, equal entries merged. */
export const scorings: readonly Hypothesis[] = [
  truncation,
  ...mergedHypotheses((kind) => metricKind(kind).hypotheses),
  ...shownOtherwise,
];

/** What the numbers show beside any other convention. */
export const unitScales: readonly Hypothesis[] = mergedHypotheses((kind) =>
  (metricKind(kind).units?.of(defaultConventions) ?? []).map(({ name, bits, says }) => ({
    axis: hasFreeLevel(kind) ? "unit" : "scale",
    value: name,
    bits,
    says,
    set: { unit: { name, level: null } },
  })),
);

function mergedHypotheses(
  of: (kind: Kind) => ReturnType<typeof metricKind>["hypotheses"],
): Hypothesis[] {
  const ofKinds = kinds.flatMap((kind) => of(kind).map((hypothesis) => ({ kind, hypothesis })));
  const shared = groupsOf(ofKinds, ({ hypothesis: { axis, value, says, set } }) =>
    keyOf(axis, value, says, set),
  );
  return [...shared.values()].map((equal) => {
    const { value, ...hypothesis } = equal.at(-1)!.hypothesis;
    const name = `${hypothesis.axis}=${value}`;
    return { ...hypothesis, name, kinds: equal.map(({ kind }) => kind) };
  });
}

/** Every convention to try. `isRounded`: decimals may be missing. */
export function hypothesesFor(
  kind: Kind,
  own: Scenario,
  subject: Subject,
  isRounded = true,
): Hypothesis[] {
  const { ratings, shown = new Map<string, number>() } = subject;
  const expanded = populationFamilies.flatMap((family) => family.expand(subject));
  return [...populationOptions, ...scorings, ...expanded].filter(
    (h) => h.kinds.includes(kind) && axes[h.axis]?.needs?.(ratings, h.name) !== false && bears(h),
  );

  function bears(hypothesis: Hypothesis): boolean {
    const { set } = hypothesis;
    const other = patched(own, set);
    if (set.relative !== undefined || set.rescaled !== undefined) return true;
    if (whatIs(hypothesis) === "rounding")
      return isRounded && other.rounding !== own.rounding && isSeen();
    if (
      set.population?.item !== undefined &&
      plainestKey(ratings, other.population.item) === plainestKey(ratings, own.population.item)
    )
      return false;
    return scenarioKey(kind, other) !== scenarioKey(kind, own);
  }

  /** With a free level, truncation is seen only where signs are mixed. */
  function isSeen(): boolean {
    const signs = new Set([...shown.values()].map(Math.sign));
    return !hasFreeLevel(kind) || (signs.has(1) && signs.has(-1));
  }
}

type Spelling = OptionSpelling<ScenarioPatch>;

const yesOrNo = new Map(
  Object.entries({ true: true, include: true, false: false, exclude: false }),
);

const switches = Object.entries(axes).flatMap(([axis, { options = {} } = {}]) =>
  Object.entries(options).map(([name, includes]): Spelling => ({
    axis,
    names: [name],
    read(value) {
      const isYes = yesOrNo.get(String(value));
      return isYes === undefined
        ? undefined
        : { population: { [axis]: isYes === includes ? "include" : "exclude" } };
    },
  })),
);

const common: readonly Spelling[] = [
  ...switches,
  {
    axis: "rounding",
    names: ["rounding"],
    read: choice(["nearest"], (rounding) => ({ rounding })),
  },
  {
    axis: "unit",
    names: ["anchored"],
    read(v) {
      const { anchor_model: to, anchor_rating: level } = isMap(v) ? v : {};
      const rating = numberIn(level);
      return typeof to === "string" && rating !== undefined
        ? { form: "likelihood", unit: { name: "elo", level: rating, item: to } }
        : undefined;
    },
  },
  {
    axis: "job",
    names: ["job", "job_id"],
    read: (v) => (typeof v === "string" ? { population: { job: v } } : undefined),
  },
];

function flatOptions(kind: Kind, options: unknown): [string, unknown][] {
  if (!isMap(options)) return [];
  return Object.entries(options).flatMap(([key, value]) => {
    const name = snakeCase(key);
    return isMap(value) &&
      [kind, "prior", "population", "conventions", "parameters", "params"].includes(name)
      ? flatOptions(kind, value)
      : [[name, value] as [string, unknown]];
  });
}

function joinedOptions(kind: Kind, entries: readonly [string, unknown][]): [string, unknown][] {
  let all = [...entries];
  const anchored = hasFreeLevel(kind) ? { anchored: ["anchor_model", "anchor_rating"] } : {};
  for (const [name, parts] of Object.entries({ ...anchored, ...metricKind(kind).joinedOptions })) {
    const values = Object.fromEntries(all.filter(([part]) => parts.includes(part)));
    if (parts.every((part) => values[part] !== undefined))
      all = [...all.filter(([part]) => !parts.includes(part)), [name, values]];
  }
  return all;
}

interface StatedOptions {
  readonly stated: readonly Hypothesis[];
  /** Options with a number, or a value of a known option, that nobody can read. */
  readonly unread: readonly string[];
}

/** Options of any kind: beside numbers of another kind they say nothing. */
const namesOfAll = new Set([
  ...[...scorings, ...unitScales].map(({ axis }) => axis),
  ...kinds.flatMap((kind) => metricKind(kind).options.flatMap(({ names }) => names)),
]);

/** A convention as the audit names it; a number may mean something else. */
const conventionNamed = (kind: Kind, name: string, value: unknown): Hypothesis | undefined =>
  typeof value === "string" && numberIn(value) === undefined
    ? [...populationOptions, ...scorings].find(
        (known) => known.kinds.includes(kind) && known.name === `${name}=${value}`,
      )
    : undefined;

export function readOptions(kind: Kind, options: unknown): StatedOptions {
  const spellings: readonly Spelling[] = [...common, ...metricKind(kind).options];
  const stated: Hypothesis[] = [];
  const unread: string[] = [];
  for (const [name, value] of joinedOptions(kind, flatOptions(kind, options))) {
    const spelling = spellings.find(({ names }) => names.includes(name));
    const named = conventionNamed(kind, name, value);
    const set = spelling?.read(value) ?? named?.set;
    const axis = spelling?.axis ?? named?.axis;
    if (axis !== undefined && set !== undefined) {
      const text = typeof value === "string" ? value : JSON.stringify(value);
      const says = `${name} = ${text}`;
      stated.push({ name: `${name}=${text}`, axis, kinds: [kind], says, set, bits: 0.1 });
    } else if (
      value !== null &&
      (spelling !== undefined || (!namesOfAll.has(name) && holdsNumbers({ [name]: value })))
    )
      unread.push(name);
  }
  return { stated, unread };
}

export const statedIn = (kind: Kind, options: unknown): readonly Hypothesis[] =>
  readOptions(kind, options).stated;

export const isDrawable = (kind: Kind): boolean =>
  metricKind(kind).options.some(({ names }) => names.includes(drawsOption));

/** Nobody can repeat the draws of others: compared only where stated. */
export const drawnIntervals = { name: "interval=bootstrap_…", kinds: kinds.filter(isDrawable) };

export function acceptedDraws(kind: Kind, convention: string): Hypothesis | null {
  const [name, draws = ""] = /\binterval=bootstrap_(\d+)/.exec(convention) ?? [];
  const [stated] = statedIn(kind, { [drawsOption]: draws });
  if (name === undefined || stated === undefined) return null;
  const says = `the interval is a bootstrap of ${draws} draws, within its Monte Carlo error`;
  return { ...stated, name, says };
}
