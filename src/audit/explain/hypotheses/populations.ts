import { kinds, metricKind } from "../../../metrics/index.js";
import type { Population } from "../../ratings/index.js";
import type { Hypothesis, HypothesisFamily } from "./hypothesis.js";

function populationIs<A extends "training" | "incomplete" | "incorrect" | "repeats" | "item" | "pairs">(
  axis: A,
  value: Population[A],
  bits: number,
  says: string,
  ofKinds = kinds,
): Hypothesis {
  return { name: `${axis}=${value}`, axis, kinds: ofKinds, says, set: { population: { [axis]: value } }, bits };
}

const pairwise = kinds.filter((kind) => metricKind(kind).family === "pairwise");

/** Which ratings counted. */
export const populations: readonly Hypothesis[] = [
  populationIs("training", "include", 3, "training ratings are counted too"),
  populationIs("training", "exclude", 3, "training ratings are left out"),
  populationIs("training", "only", 6, "only training ratings are counted"),
  populationIs("incomplete", "include", 3, "sessions that were not completed are counted too"),
  populationIs("incomplete", "exclude", 3, "sessions that were not completed are left out"),
  populationIs("incorrect", "include", 4, "incorrect ratings are counted like any other"),
  populationIs("incorrect", "exclude_ratings", 4, "incorrect ratings are left out"),
  populationIs("incorrect", "exclude_slates", 4, "slates with an incorrect rating are left out"),
  populationIs("incorrect", "exclude_sessions", 4, "sessions with an incorrect rating are left out"),
  populationIs("incorrect", "exclude_raters", 4, "raters with an incorrect rating are left out"),
  populationIs("repeats", "first", 6, "only a rater's first answer to the same stimuli counts"),
  populationIs("repeats", "last", 6, "only a rater's last answer to the same stimuli counts"),
  populationIs("pairs", "all", 4, "every two scores of a slate are a comparison", pairwise),
  populationIs("pairs", "two", 4, "only slates with two scores are comparisons", pairwise),
  populationIs("item", "condition", 4, "stimuli are grouped by the part of their name after the last slash"),
  populationIs("item", "source", 4, "stimuli are grouped by the part of their name before the first slash"),
  populationIs("item", "stimulus", 4, "every stimulus name is a separate item"),
  populationIs("item", "stimulus_id", 4, "every stimulus identifier is a separate item"),
];

const bitsOfChoice = (choices: number): number => Math.log2(Math.max(1, choices));

type Member = Pick<Hypothesis, "name" | "says" | "set" | "bits">;

function family(
  axis: string,
  name: string,
  says: string,
  expand: (...args: Parameters<HypothesisFamily["expand"]>) => readonly Member[],
): HypothesisFamily {
  return {
    name,
    axis,
    kinds,
    says,
    expand: (...args) => expand(...args).map((member) => ({ ...member, axis, kinds })),
  };
}

/** Means relative to the highest or to a named item, which is then published as 0 or as 100. */
const relative: HypothesisFamily = {
  name: "relative=…",
  axis: "relative",
  kinds: ["mean"],
  says: "numbers are relative to the highest (`best`) or to a named item, as a difference or in percent",
  expand: ({ stimuli }) => {
    const items = [...new Set(stimuli.map((s) => s.item))];
    return (["difference", "percent"] as const).flatMap((as) =>
      [null, ...items].map((to) => ({
        name: `relative=${as === "percent" ? "percent_of_" : ""}${to ?? "best"}`,
        axis: "relative",
        kinds: ["mean"] as const,
        says:
          as === "percent"
            ? `numbers are percentages of that of ${to ?? "the best item"}`
            : `numbers are differences from that of ${to ?? "the best item"}`,
        set: { relative: { to, as } },
        bits: to === null ? 3 : 3 + bitsOfChoice(items.length),
      })),
    );
  },
};

export const populationFamilies: readonly HypothesisFamily[] = [
  relative,
  family("job", "job=…", "only one job is counted", ({ jobs }, _dimension, source) =>
    source !== "" || jobs.length < 2
      ? []
      : jobs.map((job) => ({
          name: `job=${job}`,
          says: `only job ${job} is counted`,
          set: { population: { job } },
          bits: 4 + bitsOfChoice(jobs.length),
        })),
  ),
  family("job", "without_job=…", "one job is left out", ({ jobs }, _dimension, source) =>
    source !== "" || jobs.length < 3
      ? []
      : jobs.map((job) => ({
          name: `without_job=${job}`,
          says: `job ${job} is left out`,
          set: { population: { without_job: job } },
          bits: 5 + bitsOfChoice(jobs.length),
        })),
  ),
  family(
    "job",
    "job=all",
    "a number published for one job counts the whole experiment",
    (_ratings, _dimension, source) =>
      source === ""
        ? []
        : [
            {
              name: "job=all",
              says: "the whole experiment is counted, not the one job",
              set: { population: { job: null } },
              bits: 4,
            },
          ],
  ),
  family("dimension", "dimension=…", "another dimension is counted, or all together", ({ dimensions }, dimension) =>
    dimensions.length < 2
      ? []
      : [
          {
            name: "dimension=all",
            says: "all dimensions are counted together",
            set: { population: { dimension: null } },
            bits: 4,
          },
          ...dimensions
            .filter((other) => other !== dimension)
            .map((other) => ({
              name: `dimension=${other}`,
              says: `the numbers are those of dimension "${other}"`,
              set: { population: { dimension: other } },
              bits: 6 + bitsOfChoice(dimensions.length - 1),
            })),
        ],
  ),
];
