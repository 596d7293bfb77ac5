import type { PublishingRule } from "../publishing/rules.js";
import { changed, defineScenario } from "./scenario.js";

const elo = { experiment: changed, kinds: ["elo"], source: "" } satisfies PublishingRule;

export const quiet = defineScenario({
  name: "quiet",
  description: "Nothing is wrong: every published number follows from the ratings.",
  options: {},
  ends: { exitCode: 0, shows: "exact" },
});

export const wrongK = defineScenario({
  name: "wrong-k",
  description: "Elo ratings are computed with K = 16, and their options say 32.",
  options: { publishing: [{ ...elo, conventions: { elo: { k: 16 } }, options: "silent" }] },
  ends: { exitCode: 2, shows: "unstated" },
});

export const shifted = defineScenario({
  name: "shifted",
  description: "Elo ratings are published on another scale, 1.15 times as wide and 30 points higher.",
  options: { publishing: [{ ...elo, rescale: { by: 1.15, plus: 30 } }] },
  ends: { exitCode: 1, shows: "fitted" },
});

export const staleResults = defineScenario({
  name: "stale-results",
  description: "Results were computed before the last three sessions were completed.",
  options: {
    publishing: [
      { experiment: changed, kinds: ["win_loss"], source: "", corruption: { damage: "stale", sessions: 3 } },
    ],
  },
  ends: { exitCode: 1, shows: "unexplained" },
});

export const wrongNumber = defineScenario({
  name: "wrong-number",
  description: "One published Elo rating is 12.5 points too high.",
  options: {
    publishing: [{ ...elo, corruption: { damage: "add", item: "alder", field: "value", by: 12.5 } }],
  },
  ends: { exitCode: 1, shows: "unexplained" },
});
