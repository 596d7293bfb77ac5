import { expect, it } from "vitest";
import type {
  ExperimentData,
  NumberRow,
  PageData,
  StandingRow,
} from "../../../src/report/page/data.js";
import { textOfHtml } from "../../../src/report/page/html.js";
import { plotOf } from "../../../src/report/page/plot.js";
import {
  firstSentences,
  flipOf,
  noFirstIn,
  probabilityOf,
  rankingsOf,
} from "../../../src/report/page/rankings.js";

const row = (item: string, rank: number, rest: Partial<NumberRow> = {}): NumberRow => ({
  ...{ experiment_id: "e", dimension: "", kind: "bradley_terry", item, value: -rank },
  ...{ low: null, high: null, interval: null, class: 0, rank, is_reference: false },
  ...{ component: 0, wins: 5, n: 10, direction: "higher", ground: "votes" },
  ...rest,
});
const standing: StandingRow = {
  ...{ experiment_id: "e", dimension: "", class: 0, first_item: "A", probability_best: 0.84 },
  ...{ p_first: 0.2, units: 696, at_most: 12, leaving: "A", entering: "B" },
  ...{ estimate: "bradley_terry", left_share: 0.49, is_biased: false, side: "No side bias." },
};
const three = [row("A", 1), row("B", 2), row("C", 3)];
const noDirection = { direction: null, ground: null };

type Row = [when: string, says: string, cells: unknown[], NumberRow[], Partial<StandingRow> | null];
const cases: readonly Row[] = [
  [
    "a lead that is not significant",
    "A is first of 3 by Bradley-Terry, with probability 0.84. Its lead over B is not significant (Holm, 5 %): leaving out 12 of 696 votes would put B first.",
    ["0.84", 12],
    three,
    {},
  ],
  [
    "a lead that is significant",
    "A is first of 3 by Bradley-Terry, with probability above 0.99. Leaving out 12 of 696 votes would put B first.",
    ["> 0.99", 12],
    three,
    { probability_best: 1, p_first: 0.01 },
  ],
  [
    "no set of votes",
    "A is first of 3 by Bradley-Terry, with probability below 0.01. Its lead over B is not significant (Holm, 5 %).",
    ["< 0.01", undefined],
    three,
    { probability_best: 0, at_most: null },
  ],
  [
    "too few raters",
    "A is first of 3 by Bradley-Terry.",
    [null, undefined],
    three,
    { probability_best: null, p_first: null, at_most: null },
  ],
  ["no statistics", "A is first of 3 by Bradley-Terry.", [null, undefined], three, null],
  [
    "lower is better",
    "A is first of 2 by mean score, with probability 0.84. Lower is better, as stated. Leaving out 12 of 696 ratings would put B first.",
    ["0.84", 12],
    three
      .slice(0, 2)
      .map((one) => ({ ...one, kind: "mean", direction: "lower", ground: "stated" })),
    { p_first: 0.01, estimate: "mean" },
  ],
  [
    "a side bias",
    "A is first of 3 by Bradley-Terry, with probability 0.84. Leaving out 12 of 696 votes would put B first. 58 % left; with a term for the side B is first.",
    ["0.84", 12],
    three,
    { p_first: 0.01, is_biased: true, side: "58 % left; with a term for the side B is first." },
  ],
  [
    "another metric published",
    "A is first of 3 by Bayesian Elo, and by Bradley-Terry with probability 0.84. Leaving out 12 of 696 votes would put B first.",
    ["0.84", 12],
    [...three, ...three.map((one) => ({ ...one, kind: "bayesian_elo" }))],
    { p_first: 0.01 },
  ],
  [
    "another first of another metric",
    "B is first of 3 by Bayesian Elo.",
    [null, undefined],
    [...three, row("B", 1), row("A", 2), row("C", 3)].map((one, i) =>
      i < 3 ? one : { ...one, kind: "bayesian_elo" },
    ),
    {},
  ],
  [
    "a hidden reference",
    "A is first of 2 by Bradley-Terry, without the hidden reference R. Leaving out 12 of 696 votes would put B first.",
    [null, 12],
    [row("R", 0, { rank: null, is_reference: true }), ...three.slice(0, 2)],
    {},
  ],
  [
    "no known direction",
    "Which end is better is not stated. To say which end is better, write `conventions: { direction: lower }`, or `higher`, in the pipeline file.",
    ["direction not stated"],
    three.map((one) => ({ ...one, ...noDirection })),
    {},
  ],
  [
    "not connected",
    "The votes do not compare A, B with C.",
    ["not connected: 2 groups"],
    [...three.slice(0, 2), row("C", 1, { class: 1, component: 1 })],
    {},
  ],
  [
    "one that won every vote",
    "C won every vote.",
    ["no finite ranking"],
    [...three.slice(0, 2), row("C", 1, { class: 1, wins: 10 })],
    {},
  ],
  [
    "groups of which one won every vote",
    "Between these groups one side won every vote: A and B; C and D.",
    ["no finite ranking"],
    [...three.slice(0, 2), row("C", 1, { class: 1 }), row("D", 2, { class: 1 })],
    {},
  ],
  [
    "one item",
    "A is the only item that can be ranked.",
    ["nothing to rank"],
    three.slice(0, 1),
    {},
  ],
  [
    "a tie",
    "A and B are first of 3 by Bradley-Terry, with the same value.",
    ["A and B, tied"],
    [row("A", 1), row("B", 1), row("C", 3)],
    {},
  ],
];

it.each(cases)("says who is first, or why nobody is: %s", (_when, says, cells, rows, rest) => {
  const standings = rest === null ? [] : [{ ...standing, ...rest }];
  const kinds = [...new Set(rows.map(({ kind }) => kind))].filter(
    (kind) => kind === "bayesian_elo",
  );
  const numbers = kinds.map((kind) => ({ isMain: true, row: { kind, dimension: "", source: "" } }));
  const [ranking] = rankingsOf({
    ...{ leaderboard: rows, standings, numbers },
  } as unknown as ExperimentData);
  const said = firstSentences(ranking!, false)
    .map((part) => (typeof part === "string" ? part : part.name))
    .join("");
  expect(said.trim()).toBe(says);
  const why = noFirstIn(ranking!)?.cell(ranking!);
  const sure = [probabilityOf(ranking!), flipOf(ranking!)?.votes];
  expect(why === undefined ? sure : [why]).toEqual(cells);
});

it("draws groups that are not compared apart, the largest first, and keeps names whole", () => {
  const rows = [row("A", 1, { class: 0 }), row("b-1", 1, { class: 1 }), row("C", 2, { class: 1 })];
  const experiment = { leaderboard: rows, numbers: [], standings: [] } as unknown as ExperimentData;
  const [ranking] = rankingsOf(experiment);
  const plot = plotOf({} as PageData, experiment, ranking!, "x");
  const heads =
    /<tr role="row" (?:class="(\w+)")?>.*?<th role="rowheader" scope="row">(.*?)<\/th>/gs;
  expect([...textOfHtml(plot!).matchAll(heads)].map(([, ...own]) => own)).toEqual([
    [undefined, '<span class="w">b-1</span>'],
    [undefined, "C"],
    ["next", "A"],
  ]);
});
