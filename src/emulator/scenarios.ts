// The nights that `serve --scenario` rehearses.
import { byText, didYouMean, UsageError } from "../platform/index.js";
import type { FaultRule } from "./faults/injector.js";
import type { Fault } from "./faults/kinds.js";
import type { EmulatorOptions } from "./emulator.js";
import type { PublishingRule } from "./publishing/rules.js";

interface RehearsedNight {
  readonly name: string;
  /** One sentence. */
  readonly description: string;
  readonly faults?: readonly FaultRule[];
  readonly publishing?: readonly PublishingRule[];
  /** After a whole snapshot of a quiet night. */
  readonly ends: {
    readonly exitCode: 0 | 1 | 2 | 3;
    /** A verdict of some published numbers, or words of the line that the run ends with. */
    readonly shows: string;
  };
}

/** The smallest pairwise experiment of the sample. */
const changed = "Voices5";
const changedElo = { experiment: changed, kinds: ["elo"], source: "" } satisfies PublishingRule;
/** One job: its results are read for the experiment and for the job, twice; then once more. */
const firstReads = Array.from({ length: 1000 }, (_, i) => 1 + 4 * i);

const ofList = (operation: "listRatings" | "listRaters", fault: Fault): FaultRule[] => [
  { operation, experiment: changed, fault },
];

const unsorted: readonly RehearsedNight[] = [
  {
    name: "quiet",
    description: "Nothing is wrong: every published number follows from the ratings.",
    ends: { exitCode: 0, shows: "exact" },
  },
  {
    name: "wrong-k",
    description: "Elo ratings are computed with K = 16, and their options say 32.",
    publishing: [{ ...changedElo, conventions: { elo: { k: 16 } }, options: "silent" }],
    ends: { exitCode: 2, shows: "unstated" },
  },
  {
    name: "shifted",
    description:
      "Elo ratings are published on another scale, 1.15 times as wide and 30 points higher.",
    publishing: [{ ...changedElo, rescale: { by: 1.15, plus: 30 } }],
    ends: { exitCode: 1, shows: "unexplained" },
  },
  {
    name: "stale-results",
    description: "Results were computed before the last three sessions were completed.",
    publishing: [
      { ...changedElo, kinds: ["win_loss"], corruption: { damage: "stale", sessions: 3 } },
    ],
    ends: { exitCode: 2, shows: "unstated" },
  },
  {
    name: "wrong-number",
    description: "One published Elo rating is 12.5 points too high.",
    publishing: [
      { ...changedElo, corruption: { damage: "add", item: "alder", field: "value", by: 12.5 } },
    ],
    ends: { exitCode: 1, shows: "unexplained" },
  },
  {
    name: "quarantine",
    description: "One rating has text instead of its score.",
    faults: ofList("listRatings", { kind: "wrong_type", row: 10, field: "score" }),
    ends: { exitCode: 2, shows: "inconclusive" },
  },
  {
    name: "torn-read",
    description: "The results of an experiment change each time they are read.",
    faults: [
      {
        operation: "listResults",
        experiment: changed,
        nth: firstReads,
        fault: { kind: "short_list", rows: 3 },
      },
    ],
    ends: { exitCode: 2, shows: "1 torn or incomplete experiment" },
  },
  {
    name: "empty-ratings",
    description:
      "The list of ratings of one experiment is empty, and its slates have their ratings.",
    faults: ofList("listRatings", { kind: "short_list", rows: 0 }),
    ends: { exitCode: 3, shows: "--allow-shrink" },
  },
  {
    name: "lost-raters",
    description: "The list of raters of one experiment has only its first row.",
    faults: ofList("listRaters", { kind: "short_list", rows: 1 }),
    ends: { exitCode: 3, shows: "--allow-shrink" },
  },
];

/** By exit code and name. */
export const scenarios = unsorted.toSorted(
  (a, b) => a.ends.exitCode - b.ends.exitCode || byText(a.name, b.name),
);

/**
 * The sample silently counts training ratings in one place; here it says so. @throws UsageError.
 */
export function scenarioOptions(name: string): Pick<EmulatorOptions, "publishing" | "faults"> {
  const names = scenarios.map((one) => one.name);
  const found = scenarios.find((one) => one.name === name);
  if (found === undefined)
    throw new UsageError(
      `--scenario ${name} is not a scenario.${didYouMean(name, names)} \`--scenario help\` ` +
        "lists them.",
    );
  const { publishing = [], faults = [] } = found;
  return { faults, publishing: [{ options: "stated" }, ...publishing] };
}

/** Name, exit code of `recount run`, and what happens. */
export function scenarioList(): string {
  const width = Math.max(...scenarios.map(({ name }) => name.length));
  return scenarios
    .map(({ name, ends, description }) => `${name.padEnd(width)}  ${ends.exitCode}  ${description}`)
    .join("\n");
}
