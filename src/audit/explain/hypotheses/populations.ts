import { kinds } from "../../../metrics/index.js";
import type { Hypothesis, HypothesisFamily } from "./hypothesis.js";

/** Which ratings counted. */
export const populations: readonly Hypothesis[] = [
  {
    name: "training=include",
    axis: "training",
    kinds,
    says: "training ratings are counted too",
    set: { population: { training: "include" } },
    bits: 3,
  },
  {
    name: "training=exclude",
    axis: "training",
    kinds,
    says: "training ratings are left out",
    set: { population: { training: "exclude" } },
    bits: 3,
  },
  {
    name: "training=only",
    axis: "training",
    kinds,
    says: "only training ratings are counted",
    set: { population: { training: "only" } },
    bits: 6,
  },
  {
    name: "incomplete=include",
    axis: "incomplete",
    kinds,
    says: "sessions that were not completed are counted too",
    set: { population: { incomplete: "include" } },
    bits: 3,
  },
  {
    name: "incomplete=exclude",
    axis: "incomplete",
    kinds,
    says: "sessions that were not completed are left out",
    set: { population: { incomplete: "exclude" } },
    bits: 3,
  },
  {
    name: "incorrect=include",
    axis: "incorrect",
    kinds,
    says: "incorrect ratings are counted like any other",
    set: { population: { incorrect: "include" } },
    bits: 4,
  },
  {
    name: "incorrect=exclude_ratings",
    axis: "incorrect",
    kinds,
    says: "ratings that are incorrect are left out",
    set: { population: { incorrect: "exclude_ratings" } },
    bits: 4,
  },
  {
    name: "incorrect=exclude_slates",
    axis: "incorrect",
    kinds,
    says: "slates with an incorrect rating are left out",
    set: { population: { incorrect: "exclude_slates" } },
    bits: 4,
  },
  {
    name: "incorrect=exclude_sessions",
    axis: "incorrect",
    kinds,
    says: "sessions with an incorrect rating are left out",
    set: { population: { incorrect: "exclude_sessions" } },
    bits: 4,
  },
  {
    name: "incorrect=exclude_raters",
    axis: "incorrect",
    kinds,
    says: "raters with an incorrect rating are left out",
    set: { population: { incorrect: "exclude_raters" } },
    bits: 4,
  },
  {
    name: "repeats=first",
    axis: "repeats",
    kinds,
    says: "of a rater's repeated answers to the same stimuli only the first counts",
    set: { population: { repeats: "first" } },
    bits: 6,
  },
  {
    name: "repeats=last",
    axis: "repeats",
    kinds,
    says: "of a rater's repeated answers to the same stimuli only the last counts",
    set: { population: { repeats: "last" } },
    bits: 6,
  },
  {
    name: "item=condition",
    axis: "item",
    kinds,
    says: "stimuli are grouped by what follows the last slash of their name",
    set: { population: { item: "condition" } },
    bits: 4,
  },
  {
    name: "item=source",
    axis: "item",
    kinds,
    says: "stimuli are grouped by what precedes the first slash of their name",
    set: { population: { item: "source" } },
    bits: 4,
  },
  {
    name: "item=stimulus",
    axis: "item",
    kinds,
    says: "every stimulus name is an item of its own",
    set: { population: { item: "stimulus" } },
    bits: 4,
  },
  {
    name: "item=stimulus_id",
    axis: "item",
    kinds,
    says: "every stimulus identifier is an item of its own",
    set: { population: { item: "stimulus_id" } },
    bits: 4,
  },
];

const choiceBits = (choices: number): number => Math.log2(Math.max(1, choices));

export const populationFamilies: readonly HypothesisFamily[] = [
  {
    name: "job=…",
    axis: "job",
    kinds,
    says: "only one job is counted",
    expand: (ratings, _dimension, source) =>
      source !== "" || ratings.jobs.length < 2
        ? []
        : ratings.jobs.map((job) => ({
            name: `job=${job}`,
            axis: "job",
            kinds,
            says: `only job ${job} is counted`,
            set: { population: { job } },
            bits: 4 + choiceBits(ratings.jobs.length),
          })),
  },
  {
    name: "without_job=…",
    axis: "job",
    kinds,
    says: "one job is left out",
    expand: (ratings, _dimension, source) =>
      source !== "" || ratings.jobs.length < 3
        ? []
        : ratings.jobs.map((job) => ({
            name: `without_job=${job}`,
            axis: "job",
            kinds,
            says: `job ${job} is left out`,
            set: { population: { without_job: job } },
            bits: 5 + choiceBits(ratings.jobs.length),
          })),
  },
  {
    name: "job=all",
    axis: "job",
    kinds,
    says: "a number published for one job counts the whole experiment",
    expand: (_facts, _dimension, source) =>
      source === ""
        ? []
        : [
            {
              name: "job=all",
              axis: "job",
              kinds,
              says: "the whole experiment is counted, not the one job",
              set: { population: { job: null } },
              bits: 4,
            },
          ],
  },
  {
    name: "dimension=…",
    axis: "dimension",
    kinds,
    says: "another dimension is counted, or all together",
    expand: (ratings, dimension) =>
      ratings.dimensions.length < 2
        ? []
        : [
            {
              name: "dimension=all",
              axis: "dimension",
              kinds,
              says: "all dimensions are counted together",
              set: { population: { dimension: null } },
              bits: 4,
            },
            ...ratings.dimensions
              .filter((other) => other !== dimension)
              .map((other) => ({
                name: `dimension=${other}`,
                axis: "dimension",
                kinds,
                says: `the numbers are those of dimension "${other}"`,
                set: { population: { dimension: other } },
                bits: 6 + choiceBits(ratings.dimensions.length - 1),
              })),
          ],
  },
];
