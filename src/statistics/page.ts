/** What statistics say of a ranking on the page: how sure it is, and on what it depends. */
import { counted, joinParts, listed, sumOf, thousands } from "../platform/index.js";
import {
  axisOf,
  bar,
  circle,
  column,
  dimensionIn,
  folded,
  html,
  inDimension,
  listOfLines,
  namesInQueries,
  pageLimits,
  rangeText,
  rowsPlot,
  table,
  titleOfKind,
  type Html,
  type PlottedRow,
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
  type SeparatedRanking,
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
  const { experiment_id, dimension } = ranking;
  return {
    experiment_id,
    dimension,
    answer: answer(ranking, data),
    content: content(ranking, data),
  };
}

/** How sure it is who is first, by the estimate that ranks, and how few votes change that. */
function answer(ranking: Ranking, { rankings, flips }: StatisticsData): string {
  const { kind, first, next, reference } = ranking;
  const leader = rankings.flat().find(({ estimate, item }) => estimate === kind && item === first);
  // With the reference, which stays, the first two items change.
  const flip = flips.find(
    (each) =>
      each.kind === kind &&
      each.unit === "vote" &&
      each.k === (reference === null ? 1 : 2) &&
      each.leaving === first,
  );
  const best = leader?.probability_best ?? null;
  return joinParts(
    [
      best !== null &&
        reference === null &&
        `It is the best with probability ${probability(best)}.`,
      leader?.next_item === next &&
        leader.is_separated !== null &&
        `Holm's test at 5\u00a0% ${leader.is_separated ? "separates" : "does not separate"} ` +
          `it from ${next ?? ""}.`,
      flip !== undefined && flipSentence(flip),
    ],
    " ",
  );
}

const probability = (best: number): string =>
  best < 0.005 ? "below 0.01" : best > 0.99 ? "above 0.99" : best.toFixed(2);

const voteOf = ({ kind }: FlipRow): string => (kind === "mean" ? "rating" : "vote");

const flipSentence = (flip: FlipRow): string =>
  `Leaving out ${thousands(flip.at_most ?? 0)} of ${counted(flip.units, voteOf(flip))} ` +
  `would put ${flip.entering ?? ""} first.`;

function content(
  { kind, dimension, first }: Ranking,
  { rankings, flips, screenings, agreements, ledger }: StatisticsData,
): Html {
  const own = rankings.filter(([{ estimate }]) => estimate === kind);
  const leader = own.flat().find(({ item }) => item === first);
  const answers = kind === "mean" ? "scores" : "comparisons";
  const sentences = [
    ...(leader?.precision ? [leader.precision] : []),
    ...agreements.filter((each) => each.answers === answers).map(agreementSentence),
    ...screenings.map(screeningSentence),
    ...(ledger.length > 0 ? [ledgerSentence(ledger)] : []),
  ];
  return html`${sentences.length > 0 && listOfLines(sentences)} ${own.map(separation)}
  ${robustness(flips, dimension)}`;
}

/** Which items of a ranking are separated, folded. */
function separation(ranking: SeparatedRanking): Html | false {
  const [{ estimate }] = ranking;
  const title = titleOfKind(estimate);
  const tested = ranking.filter(({ rank_best }) => rank_best !== null);
  const pairs = ranking.filter(({ next_item }) => next_item !== null);
  const separated = pairs.filter(({ is_separated }) => is_separated).length;
  return (
    tested.length > 0 &&
    folded(
      `Items that ${title} separates: ${separated} of ${counted(pairs.length, "adjacent pair")}`,
      rankPlot(title, tested),
    )
  );
}

/**
 * Rank intervals, with the letters of items that are not separated and the probability of being
 * best.
 */
function rankPlot(title: string, items: readonly SeparatedRanking[0][]): Html {
  const axis = axisOf([], [0.5, items.length + 0.5]);
  const hasLetters = items.every(({ letters }) => letters.length <= pageLimits.letters);
  const rows = items.map((each): PlottedRow => {
    const { item, rank, rank_best, rank_worst, letters, probability_best: best } = each;
    const marks = [bar(axis, "bar", rank_best, rank_worst), circle(axis, rank, "dot", 4)];
    const chance = best === null ? "–" : probability(best);
    return { item, marks, cells: [rangeText(each), ...(hasLetters ? [letters] : []), chance] };
  });
  const letters = hasLetters ? " Items that share a letter are not separated." : "";
  return rowsPlot({
    title: `Rank intervals by ${title}`,
    says:
      "The bars cover all ranks at once with 95 % confidence, so they are wider than the " +
      `interval of one rank.${letters}`,
    heads: ["Item", "Ranks", ...(hasLetters ? ["Letters"] : []), "P(best)"],
    axis: { ...axis, ticks: axis.ticks.filter((tick) => Number.isInteger(tick) && tick > 0) },
    rows,
  });
}

/**
 * How many votes must be left out for the first one, two or three items to be others, by metric.
 */
function flipPlot(dimension: string, flips: readonly FlipRow[]): Html {
  const found = flips.filter(({ unit, at_most }) => unit === "vote" && at_most !== null);
  const percent = ({ at_most, units }: FlipRow): number => (100 * (at_most ?? 0)) / units;
  const axis = axisOf([0, ...found.map(percent)]);
  const rows = [...new Set(found.map(({ kind }) => kind))].map((kind): PlottedRow => {
    const own = found.filter((each) => each.kind === kind);
    const marks = own.map((each) =>
      circle(axis, percent(each), each.k === 1 ? "dot" : "mean", each.k === 1 ? 5 : 3),
    );
    const cellOf = (k: number): string => {
      const each = own.find((flip) => flip.k === k);
      return each === undefined ? "–" : `${Number(percent(each).toPrecision(2))}\u00a0%`;
    };
    return { item: titleOfKind(kind), marks, cells: [1, 2, 3].map(cellOf) };
  });
  return rowsPlot({
    title: inDimension("Votes left out until the first places change", dimension),
    says:
      "Percent of votes to leave out until another item is first (large dot), or the first " +
      "two or three change (small dots).",
    heads: ["Metric", "First", "First 2", "First 3"],
    axis,
    rows,
  });
}

function robustness(flips: readonly FlipRow[], dimension: string): Html | null {
  const firsts = firstPlaces(flips);
  if (firsts.length === 0) return null;
  const list = table(
    firsts,
    [
      column.item("Metric", ({ kind }) => titleOfKind(kind)),
      column.plain("Left out", ({ unit }) => `${unit}s`),
      column.num(
        "At most",
        ({ at_most, is_exact }) => `${thousands(at_most ?? 0)}${is_exact ? " (exactly)" : ""}`,
      ),
      column.num("Of", ({ units }) => units),
      column.text("First now", ({ leaving }) => leaving),
      column.text("First then", ({ entering }) => entering),
    ],
    {
      caption: html`<code>recount robustness --sql</code> shows which votes, raters and sessions.`,
      label: joinParts(["Robustness", dimension]),
    },
  );
  const hasVotes = firsts.some(({ unit }) => unit === "vote");
  return folded("How few votes, raters or sessions change the first place, by metric", [
    hasVotes && flipPlot(dimension, flips),
    list,
  ]);
}

const firstPlaces = (flips: readonly FlipRow[]): FlipRow[] =>
  flips.filter(({ k, at_most }) => k === 1 && at_most !== null);

function screeningSentence(screening: ScreeningRow): string {
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
    first === screened_first ? "" : `; ${screened_first} would be first instead of ${first}`;
  return `${name} excludes ${who}: ${effect}${lead}.`;
}

const twoDigits = (value: number): string => withFixed(value, 2).replace(/^-/, "−");

function agreementSentence({
  answers,
  value,
  ci_low,
  ci_high,
  raters,
  statistic,
}: AgreementRow): string {
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
  const said = rules.map(
    ({ rule, ratings, moved }) =>
      `${thousands(ratings)} by ` +
      `"${rule}"${moved > 0 ? ` (which changes ${counted(moved, "rank")} of means)` : ""}`,
  );
  const out = sumOf(rules.map(({ ratings }) => ratings));
  return `${thousands(out)} of ${all} ${out === 1 ? "does" : "do"} not count: ${listed(said)}.`;
}
