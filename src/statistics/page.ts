/** What statistics say of a ranking on the page: how sure it is, and on what it depends. */
import { counted, joinParts, listed, sumOf, thousands } from "../platform/index.js";
import {
  dimensionIn,
  html,
  listOfLines,
  namesInQueries,
  type Html,
  type Ranking,
  type Statement,
  type StatementsOf,
  withFixed,
} from "../report/index.js";
import {
  statisticsOf,
  type AgreementRow,
  type FlipRow,
  type LedgerRow,
  type ScreeningRow,
  type StatisticsData,
} from "./page-data.js";

export const statementsOf: StatementsOf = async (
  { warehouse, make, hasStatistics },
  rankings,
  shown,
) => {
  if (!hasStatistics) return [];
  await make(await namesInQueries("statistics/page"));
  const ids = [...new Set(rankings.map(({ experiment_id }) => experiment_id))];
  const own = await statisticsOf(warehouse, ids);
  return rankings.map((ranking) => statement(shown(ranking), shown(own(dimensionIn(ranking)))));
};

function statement(ranking: Ranking, data: StatisticsData): Statement {
  const { experiment_id, dimension, class: own } = ranking;
  const isOwn = (row: { readonly class: number }): boolean => row.class === own;
  const rows = data.rankings.filter(isOwn);
  return {
    experiment_id,
    dimension,
    class: own,
    answer: answer(ranking, rows, data.flips.filter(isOwn)),
    ranks: new Map(
      rows.flatMap(({ item, rank_best: best, rank_worst: worst }): [string, string][] =>
        best === null || worst === null
          ? []
          : [[item, best === worst ? String(best) : `${best}–${worst}`]],
      ),
    ),
    content: content(ranking, data),
  };
}

function answer(
  { first, direction }: Ranking,
  rows: StatisticsData["rankings"],
  flips: StatisticsData["flips"],
): string {
  const flip = flips.find((each) => each.unit === "vote" && each.k === 1 && each.leaving === first);
  const isLeader = rows[0]?.item === first;
  return joinParts(
    [
      isLeader && firstPlaceText(rows, direction),
      isLeader && directVotes(rows[1]),
      flip !== undefined && flipSentence(flip, direction),
    ],
    " ",
  );
}

const significance = 0.05;

/** Probability and test of the first place, whose family is the comparisons with the first. */
function firstPlaceText(
  [leader, ...others]: StatisticsData["rankings"],
  direction: Ranking["direction"],
): string | false {
  const best = leader?.probability_best ?? null;
  if (best === null || others.length === 0) return false;
  const rivals = others.flatMap(({ item, p_first: p }) =>
    p === null || p >= significance ? item : [],
  );
  const [nearest = "", ...more] = rivals;
  const from = more.length === 0 ? nearest : `${nearest} and ${counted(more.length, "more item")}`;
  return (
    `It is the ${direction === null ? "highest" : "best"} with probability ${probability(best)}; ` +
    `Holm's test of its ${counted(others.length, "comparison")} at 5\u00a0% ` +
    (rivals.length === 0
      ? `separates it from ${others.length === 1 ? (others[0]?.item ?? "") : "all others"}.`
      : `does not separate it from ${from}.`)
  );
}

const probability = (best: number): string =>
  best < 0.005 ? "below 0.01" : best > 0.99 ? "above 0.99" : best.toFixed(2);

/** What the second has against the first. */
function directVotes(second: StatisticsData["rankings"][number] | undefined): string | false {
  const {
    item = "",
    wins_against_first: lost = null,
    losses_against_first: won = null,
  } = second ?? {};
  if (won === null || lost === null || won >= lost) return false;
  return `It lost to ${item} in direct votes, ${thousands(won)} to ${thousands(lost)}.`;
}

const voteOf = ({ kind }: FlipRow): string => (kind === "mean" ? "rating" : "vote");

const flipSentence = (flip: FlipRow, direction: Ranking["direction"]): string =>
  `Leaving out ${thousands(flip.at_most ?? 0)} of ${counted(flip.units, voteOf(flip))} would ` +
  (direction === null
    ? `make ${flip.entering ?? ""} the highest.`
    : `put ${flip.entering ?? ""} first.`);

function content(
  { kind, direction }: Ranking,
  { screenings, agreements, ledger }: StatisticsData,
): Html {
  const answers = kind === "mean" ? "scores" : "comparisons";
  const sentences = [
    ...agreements.filter((each) => each.answers === answers).flatMap(agreementSentences),
    ...screenings.map((each) => screeningSentence(each, direction)),
    ...(ledger.length > 0 ? [ledgerSentence(ledger)] : []),
  ];
  return html`${sentences.length > 0 && listOfLines(sentences)}`;
}

function screeningSentence(screening: ScreeningRow, direction: Ranking["direction"]): string {
  const { rule, clauses, raters, excluded, excluded_ratings, moved, first, screened_first } =
    screening;
  const name = rule === "training" ? "Screening by training" : listed(clauses);
  if (excluded_ratings === 0) return `${name} excludes nobody.`;
  const who =
    excluded > 0
      ? `${excluded} of ${counted(raters, "rater")}`
      : counted(excluded_ratings, "single rating");
  const effect =
    moved === 0
      ? "no rank changes"
      : `${counted(moved, "rank")} ${moved === 1 ? "changes" : "change"}`;
  const lead =
    first === screened_first
      ? ""
      : `; ${screened_first} would be ${direction === null ? "highest" : "first"} ` +
        `instead of ${first}`;
  return `${name} excludes ${who}: ${effect}${lead}.`;
}

const twoDigits = (value: number): string => withFixed(value, 2).replace(/^-/, "−");

function agreementSentences(row: AgreementRow): string[] {
  const { answers, prompts } = row;
  const [judged, votes] =
    answers === "scores" ? ["item of a prompt", "scores"] : ["comparison", "votes"];
  return [
    row.value === null
      ? `No two raters judged the same ${judged}: there is no agreement to measure. If several ` +
        "slates show the same, prompt in the mapping names what they show."
      : agreementSentence(row, row.value),
    ...(prompts > 0
      ? [
          `${counted(prompts, "prompt")} ${prompts === 1 ? "has" : "have"} several ${votes}, ` +
            "which intervals, tests and counts of what to leave out take as independent.",
        ]
      : []),
  ];
}

function agreementSentence(
  { answers, ci_low, ci_high, raters, statistic }: AgreementRow,
  value: number,
): string {
  const level = statistic.replace("krippendorff_", "");
  const interval =
    ci_low === null || ci_high === null
      ? ""
      : ` (95 % interval ${twoDigits(ci_low)} to ${twoDigits(ci_high)})`;
  const meaning =
    value >= 0.8 ? "reliable" : value >= 0.667 ? "good enough for tentative conclusions" : "low";
  return (
    `Agreement of ${counted(raters, "rater")} on ${answers} is ${meaning}: Krippendorff's α ` +
    `is ${twoDigits(value)}${interval}, ${level} level.`
  );
}

function ledgerSentence(ledger: readonly LedgerRow[]): string {
  const all = counted(sumOf(ledger.map(({ ratings }) => ratings)), "rating");
  const rules = ledger.filter(({ rule }) => rule !== null);
  if (rules.length === 0) return `All ${all} count.`;
  const said = rules.map(({ rule, ratings }) => `${thousands(ratings)} by "${rule}"`);
  const out = sumOf(rules.map(({ ratings }) => ratings));
  return `${thousands(out)} of ${all} ${out === 1 ? "does" : "do"} not count: ${listed(said)}.`;
}
