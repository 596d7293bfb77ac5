import { describe, expect, test } from "vitest";
import { judge } from "../../src/audit/judge/judge.js";
import type { Facts } from "../../src/audit/result.js";

const cause = {
  name: "k=24",
  unstated: "k=24",
  isAccepted: false,
  rivals: [],
  isReproduced: true,
};
const convention = { ...cause, name: "ties=half", unstated: "ties=half" };

/** Facts in the order in which rules look at them, each with the verdict that it decides where no rule above holds. */
const inOrder: readonly [Partial<Facts>, ReturnType<typeof judge>["verdict"], string | null][] = [
  [{ doubt: "torn" }, "inconclusive", "torn"],
  [{ obstacle: "no ratings" }, "not_auditable", "no ratings"],
  [{ impossible: "k=9 does not hold" }, "contradictory", "k=9 does not hold"],
  [
    { cause: { ...convention, isReproduced: false }, nearness: "equal" },
    "unexplained",
    "follows only without ties=half",
  ],
  [{ coarse: "few decimals", nearness: "equal" }, "inconclusive", "few decimals"],
  [
    { kinds: ["kind=mean", "kind=elo"], nearness: "equal" },
    "unstated",
    "undetermined: kind=mean or kind=elo",
  ],
  [
    { contrary: "published as 1 and 2", nearness: "equal" },
    "contradictory",
    "published as 1 and 2",
  ],
  [{ nearness: "near" }, "within_tolerance", null],
];

describe("the first rule that holds decides", () => {
  test.each(inOrder.map(([facts, verdict, says], at) => ({ facts, verdict, says, at })))(
    "$verdict: $says",
    ({ facts, verdict, says, at }) => {
      const below = inOrder.slice(at + 1).map(([own]) => own);
      // A doubt speaks after the reason that it puts in doubt, and a cause overrules an obstacle.
      const others = below.filter(
        (own) => facts.doubt === undefined && (facts.obstacle === undefined || !own.cause),
      );
      for (const other of [{}, ...others])
        expect(judge({ nearness: "apart", ...other, ...facts })).toEqual({
          verdict,
          explanation: says,
        });
    },
  );

  test.each<[string, Facts, string, string | null]>([
    [
      "agrees although data are missing",
      { nearness: "near", doubt: "torn" },
      "within_tolerance",
      null,
    ],
    [
      "agrees, and another place has another",
      { nearness: "equal", doubt: "torn", contrary: "2" },
      "contradictory",
      "2",
    ],
    [
      "is not compared, and data are missing",
      { nearness: "apart", obstacle: "a", doubt: "b" },
      "inconclusive",
      "a; b",
    ],
    ["is explained by what nobody states", { nearness: "apart", cause }, "unstated", "k=24"],
    [
      "is explained by what a person accepts",
      { nearness: "apart", cause: { ...cause, isAccepted: true } },
      "explained",
      "k=24",
    ],
    [
      "is of a kind that nobody names",
      { nearness: "apart", cause: convention, kinds: ["kind=elo"] },
      "unstated",
      "kind=elo ties=half",
    ],
    [
      "differs, which nothing explains",
      { nearness: "apart", note: "counted, but not published" },
      "unexplained",
      "counted, but not published",
    ],
    [
      "is missed by the explanation",
      { nearness: "apart", cause: { ...cause, isReproduced: false } },
      "unexplained",
      "k=24 does not reproduce it either",
    ],
  ])("a number that %s", (_, facts, verdict, explanation) => {
    expect(judge(facts)).toEqual({ verdict, explanation });
  });
});
