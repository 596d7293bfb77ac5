/** Intervals around a number: from its standard error, or drawn. */
import { Type } from "typebox";
import { seededRandom, strict } from "../platform/index.js";
import { formed } from "./forms.js";
import type { DrawNoise, DrawnColumns, Stopped, Table } from "./kind.js";
import { betaQuantile, normalDensity, normalQuantile, quantile } from "./numeric/statistics.js";
import { axis, either, number, seed } from "./options.js";
import { falseAlarms, statsWork } from "./limits.js";

export const intervalFields = {
  ci_low: "interval end",
  ci_high: "interval end",
  half_width: "half width",
} as const;

export const intervalAliases = { p025: "ci_low", p975: "ci_high" } as const;

/** Between ends of two correct implementations. */
export const intervalNoise = { share: 1e-6, of: "half width" } as const;

/** The audit computes these intervals where they are published. */
export const auditedIntervals = {
  besides: intervalFields,
  aliases: intervalAliases,
  intervalNoise,
  follows: { ci_low: ["value"], ci_high: ["value", "ci_low"], half_width: ["ci_low", "ci_high"] },
} as const;

const names = Object.keys(intervalFields);

export const intervalConventions = {
  stats: Type.Object(
    {
      sd: either(["n-1", "n"]),
      interval: either(["t", "normal", "bootstrap"]),
      level: Type.Union([Type.Literal(90), Type.Literal(95), Type.Literal(99)]),
      quartiles: either(["linear", "exclusive", "type_5", "type_8", "hinges", "halves"]),
      bootstrap_samples: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
      seed,
    },
    strict,
  ),
};

export const intervalDefaults = {
  stats: {
    sd: "n-1",
    interval: "t",
    level: 95,
    quartiles: "linear",
    bootstrap_samples: 1000,
    seed: 1,
  },
} as const;

/** Beside its standard error. */
export interface IntervalConvention {
  readonly interval: "t" | "normal" | "bootstrap";
  readonly level: 90 | 95 | 99;
  readonly bootstrap_samples: number;
}

/** Of kinds whose errors are normal. */
export const decidingNormal = ({ interval, level, bootstrap_samples }: IntervalConvention) => ({
  level,
  draws: interval === "bootstrap" ? bootstrap_samples : null,
});

/** Two-sided: 0.975 for 95 %. */
export const upperProbability = (level: number): number => 0.5 + level / 200;

export const withSd = (sd: "n" | "n-1") => ({ conventions: { stats: { sd } } });
const atLevel = (level: 90 | 95 | 99) => ({ conventions: { stats: { level } } });

export const confidenceLevels = axis(
  "level",
  (level) => atLevel(Number(level) as 90 | 95 | 99),
  {
    "90": [3, "the interval covers 90 %"],
    "95": [3, "the interval covers 95 %"],
    "99": [3, "the interval covers 99 %"],
  },
  names,
);

export const clustering = axis(
  "errors",
  formed,
  { clustered: [4, "standard errors are clustered by rater"] },
  names,
);

const drawn = (bootstrap_samples: number) => ({
  conventions: { stats: { interval: "bootstrap", bootstrap_samples } as const },
});

const drawsIn = number(drawn, (draws) => Number.isInteger(draws) && draws > 0);

export const drawsOption = "bootstrap_samples";

/** `method` reads those of the kind. */
export const intervalOptions = <P>(method: (value: unknown) => P | undefined) => [
  {
    axis: "interval",
    names: ["interval", "ci"],
    read: (value: unknown) => (value === "bootstrap" ? drawn(1000) : method(value)),
  },
  {
    axis: "interval",
    names: [drawsOption, "bootstrap_draws", "bootstraps"],
    read: drawsIn,
  },
  {
    axis: "level",
    names: ["level", "confidence", "confidence_level"],
    read: (value: unknown) =>
      ([90, 95, 99] as const)
        .filter((level) => value === level || value === level / 100)
        .map(atLevel)[0],
  },
];

export const scaledStop = ({ reach, gradients }: Stopped, scale: number): Stopped => ({
  reach: reach.map((own) => Math.abs(scale) * own),
  gradients: gradients.map((own) => own / Math.abs(scale)),
});

export const scaledNoise = (noise: NonNullable<Table["noise"]>, scale: number) =>
  Object.fromEntries(
    Object.entries(noise).map(([field, { sd, sum, z }]) => [
      field,
      { sd: sd.map((own) => Math.abs(scale) * own), sum: Math.abs(scale) * sum, z },
    ]),
  );

export const withColumns = ({ items, columns }: Table, own: Table["columns"]): Table => ({
  items,
  columns: { ...columns, ...own },
});

/** `half` on either side of each item. */
export function around(centre: Float64Array, half: Float64Array) {
  return {
    ci_low: centre.map((c, i) => c - half[i]!),
    ci_high: centre.map((c, i) => c + half[i]!),
    half_width: half,
  };
}

export const between = (ci_low: Float64Array, ci_high: Float64Array) => ({
  ci_low,
  ci_high,
  half_width: ci_high.map((high, i) => (high - ci_low[i]!) / 2),
});

/** By draw. */
type BootstrapDraws = Float64Array;

/**
 * Percentile intervals over draws, with the noise of somebody else's of `samples` draws. Draw d of
 * all numbers may be one draw of the data.
 */
export function drawnInterval(
  numbers: readonly BootstrapDraws[],
  { level, bootstrap_samples: samples }: IntervalConvention,
): DrawnColumns {
  const p = 1 - upperProbability(level);
  const low = intervalEnds(numbers, p, samples);
  const high = intervalEnds(numbers, 1 - p, samples);
  const half = low.sd.map((own, i) => Math.hypot(own, high.sd[i]!) / 2);
  const z = normalQuantile(1 - falseAlarms / (6 * (numbers.length + 1)));
  const outwards = low.outwards.map((own, d) => (own + high.outwards[d]!) / 2);
  const noise = (sd: Float64Array, by: Float64Array): DrawNoise => ({
    sd,
    sum: rootMeanSquareOf(by) * Math.sqrt(1 / samples + 1 / by.length),
    z,
  });
  return {
    columns: between(low.end, high.end),
    noise: {
      ci_low: noise(low.sd, low.outwards),
      ci_high: noise(high.sd, high.outwards),
      half_width: noise(half, outwards),
    },
  };
}

const rootMeanSquareOf = (values: Float64Array): number =>
  Math.sqrt(values.reduce((sum, v) => sum + v * v, 0) / values.length);

/**
 * Each number's p-quantile; its standard error over `samples` other draws (order statistics: beta);
 * and how far each draw moves the sum of quantiles outwards (Bahadur 1966).
 */
function intervalEnds(numbers: readonly BootstrapDraws[], p: number, samples: number) {
  const own = numbers[0]?.length ?? 0;
  const count = 1 / (1 / samples + 1 / own);
  const spread = [0.16, 0.84].map((at) =>
    normalQuantile(betaQuantile(at, p * count + 0.5, (1 - p) * count + 0.5)),
  ) as [number, number];
  const error = (spread[1] - spread[0]) / 2;
  const [inner, outer] = p < 0.5 ? [2 * p, p / 2] : [2 * p - 1, (1 + p) / 2];
  const reach = Math.abs(normalQuantile(outer) - normalQuantile(inner));
  const z = normalQuantile(p);
  const sign = p < 0.5 ? -1 : 1;
  const end = new Float64Array(numbers.length);
  const sd = new Float64Array(numbers.length);
  const outwards = new Float64Array(own);
  numbers.forEach((draws, i) => {
    const sorted = draws.toSorted();
    end[i] = quantile(sorted, p);
    // The quantile by its normal score, near it and over all draws.
    const near = Math.abs(quantile(sorted, outer) - quantile(sorted, inner)) / reach;
    const whole = (quantile(sorted, 0.84) - quantile(sorted, 0.16)) / 2;
    const slope = Math.max(near, whole);
    sd[i] = error * slope;
    const move = (sign * slope) / normalDensity(z);
    for (let d = 0; d < own; d++) outwards[d]! += move * (p - Number(draws[d]! <= end[i]));
  });
  return { end, sd, outwards };
}

function drawMeans(values: Float64Array, draws: number, random: () => number): BootstrapDraws {
  const n = values.length;
  return Float64Array.from({ length: draws }, () => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += values[Math.floor(random() * n)]!;
    return sum / n;
  });
}

/** Their noise adds little to that of a thousand; fewer of many ratings. */
const ownDraws = 2000;
const fewestBootstrapDraws = 200;

export function bootstrapMeans(
  samples: readonly Float64Array[],
  convention: IntervalConvention,
  spend: (work: number) => void,
): DrawnColumns {
  const all = samples.reduce((sum, { length }) => sum + length, 0);
  const draws = Math.min(ownDraws, Math.max(fewestBootstrapDraws, Math.floor(statsWork / all)));
  spend(draws * all);
  const random = seededRandom(1);
  return drawnInterval(
    samples.map((values) =>
      values.length < 2 ? new Float64Array(draws).fill(NaN) : drawMeans(values, draws, random),
    ),
    convention,
  );
}
