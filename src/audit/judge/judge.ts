/** The facts about a published number, and the rules that make a verdict of them. */
import { joinParts } from "../../platform/index.js";
import { isApart, type Facts } from "../result.js";
import { attentionOf, type Verdict } from "./verdict.js";

interface Rule {
  readonly verdict: Verdict;
  readonly when: (of: Facts) => boolean;
  readonly sentence?: (of: Facts) => string | undefined;
}

const verdictRules: readonly Rule[] = [
  {
    // A difference may come from the data that are missing.
    verdict: "inconclusive",
    when: (of) => of.doubt !== undefined && attentionOf(undoubted(of).verdict) > 0,
    sentence: (of) => joinParts([undoubted(of).explanation, of.doubt], "; "),
  },
  {
    verdict: "not_auditable",
    when: ({ obstacle, cause }) => obstacle !== undefined && !cause,
    sentence: ({ obstacle }) => obstacle,
  },
  {
    verdict: "contradictory",
    when: ({ impossible }) => impossible !== undefined,
    sentence: ({ impossible }) => impossible,
  },
  {
    verdict: "inconclusive",
    when: (of) => isApart(of) && of.open !== undefined,
    sentence: ({ open }) => open,
  },
  {
    // All of a result follows one set of conventions.
    verdict: "unexplained",
    when: (of) => !isApart(of) && of.cause?.isReproduced === false,
    sentence: ({ cause }) => `follows only without ${cause!.name}`,
  },
  {
    verdict: "unexplained",
    when: (of) => isApart(of) && of.cause?.isReproduced === false && of.published !== null,
    sentence: ({ cause }) => `${cause!.name} does not reproduce it either`,
  },
  { verdict: "unexplained", when: (of) => isApart(of) && of.cause?.isReproduced !== true },
  {
    verdict: "inconclusive",
    when: ({ coarse }) => coarse !== undefined,
    sentence: ({ coarse }) => coarse,
  },
  { verdict: "unstated", when: isUnstated, sentence: withKind },
  { verdict: "unstated", when: (of) => !isApart(of) && of.kinds !== undefined, sentence: withKind },
  {
    verdict: "contradictory",
    when: ({ contrary }) => contrary !== undefined,
    sentence: ({ contrary }) => contrary,
  },
  { verdict: "explained", when: isApart },
  { verdict: "within_tolerance", when: ({ nearness }) => nearness === "near" },
  { verdict: "exact", when: () => true },
];

export function judge(of: Facts): {
  readonly verdict: Verdict;
  readonly explanation: string | null;
} {
  const { verdict, sentence = causeOrNote } = verdictRules.find(({ when }) => when(of))!;
  return { verdict, explanation: sentence(of) ?? null };
}

const undoubted = (of: Facts) => judge({ ...of, contrary: undefined, doubt: undefined });

function isUnstated(of: Facts): boolean {
  return isApart(of) && of.cause!.unstated !== "" && !of.cause!.isAccepted;
}

const causeOrNote = (of: Facts): string | undefined =>
  isApart(of) && of.cause?.isReproduced === true ? anyOf(of.cause.name, of.cause.rivals) : of.note;

function withKind(of: Facts): string | undefined {
  const [kind, ...rivals] = of.kinds ?? [];
  return kind === undefined
    ? causeOrNote(of)
    : anyOf(joinParts([kind, causeOrNote(of)], " "), rivals);
}

const anyOf = (name: string, rivals: readonly string[]): string =>
  rivals.length === 0 ? name : `undetermined: ${[name, ...rivals].join(" or ")}`;
