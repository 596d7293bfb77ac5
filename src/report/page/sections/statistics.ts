import { metricKind, type Kind } from "../../../metrics/index.js";
import { counted, listed, thousands } from "../../../platform/index.js";
import { type Html, html, limits, table } from "../html.js";
import { flipPlot, rankPlot } from "../plots.js";
import type { Section } from "../report-data.js";
import type {
  AgreementData,
  FlipData,
  LedgerData,
  ScreeningData,
  SeparatedRanking,
  StatisticsData,
} from "../statistics-data.js";

/** Whether a ranking would survive doubt: differences, robustness, screening, agreement and exclusions. */
export const statisticsSection: Section = {
  id: "statistics",
  title: "Would the rankings survive doubt?",
  render({ experiments, statistics }) {
    const shown = experiments.flatMap(({ id, name }) => {
      const own = statistics.filter(({ experiment }) => experiment === id);
      return own.some(hasStatements) ? [{ id, name, own }] : [];
    });
    if (shown.length === 0) return html`<p>Statistics were not computed for this page.</p>`;
    const each = shown.map(
      ({ id, name, own }) =>
        html`<details class="experiment" id="statistics-${id}" ${shown.length === 1 && html` open`}>
          <summary>
            <h3>${name}</h3>
            ${own.filter(hasStatements).map(answers)}
          </summary>
          ${own.filter(hasStatements).map(ofDimension)}
        </details>`,
    );
    return html`<p>
        These statistics show which neighbours differ by more than chance, how few votes would change the first place,
        which raters the standards would exclude, whether raters agree, and which ratings do not count. No published
        number depends on them.
      </p>
      ${
        shown.length <= limits.unfolded
          ? each
          : html`<details>
              <summary>${counted(shown.length, "experiment")}</summary>
              ${each}
            </details>`
      }`;
  },
};

const hasStatements = ({ rankings, flips, agreements }: StatisticsData): boolean =>
  rankings.length > 0 || flips.length > 0 || agreements.length > 0;

function ofDimension({ dimension, rankings, flips, screenings, agreements, ledger }: StatisticsData): Html {
  const sentences = [
    ...screenings.map(screeningSentence),
    ...agreements.map(agreementSentence),
    ...(ledger === null ? [] : [ledgerSentence(ledger)]),
  ];
  return html`${dimension !== "" && html`<h4>Dimension ${dimension}</h4>`} ${rankings.map(separation)}
    ${robustness(flips, dimension)}
    <ul>
      ${sentences.map((sentence) => html`<li>${sentence}</li>`)}
    </ul>`;
}

/** What the summary of an experiment says of a dimension: its first ranking, and the fewest votes that decide. */
function answers({ dimension, rankings: [first], flips }: StatisticsData): Html {
  const least = leastVotes(flips);
  const says = [first && rankingSentence(first, dimension), least !== undefined && flipSentence(least)].filter(
    (part) => part !== false && part !== undefined,
  );
  return html`<span class="answer">${says.join(" ")}</span>`;
}

const rankingSentence = ({ estimate, sentence }: SeparatedRanking, dimension = ""): string =>
  `${dimension === "" ? "By" : `${dimension}, by`} ${titleOf(estimate)}: ${sentence}`;

/** The first ranking open if it is short, others folded. */
function separation(ranking: SeparatedRanking, i: number): Html {
  const title = titleOf(ranking.estimate);
  const plot = ranking.items.length > 0 && rankPlot(title, ranking);
  const folded =
    (i > 0 || ranking.items.length > limits.unfolded) &&
    plot &&
    html`<details>
      <summary>Rank intervals by ${title}</summary>
      ${plot}
    </details>`;
  const says = [i > 0 ? rankingSentence(ranking) : "", ranking.precision].filter((text) => text !== "");
  return html`${says.length > 0 && html`<p>${says.join(" ")}</p>`} ${folded || plot}`;
}

/** A count of possibly many, its digits in groups. */
const many = (count: number, what: string): string => `${thousands(count)} ${what}${count === 1 ? "" : "s"}`;

const titleOf = (kind: string): string => metricKind(kind as Kind).title;

function robustness(flips: readonly FlipData[], dimension: string): Html | null {
  const firsts = firstPlaces(flips);
  if (firsts.length === 0) return null;
  const list = table(
    [
      { head: "Metric", as: "item", cell: ({ kind }) => titleOf(kind) },
      { head: "Left out", cell: ({ unit }) => `${unit}s` },
      {
        head: "At most",
        as: "num",
        cell: ({ atMost, isExact }) => `${thousands(atMost ?? 0)}${isExact ? " (exactly)" : ""}`,
      },
      { head: "Of", as: "num", cell: ({ units }) => thousands(units) },
      { head: "First now", as: "text", cell: ({ leaving }) => leaving },
      { head: "First then", as: "text", cell: ({ entering }) => entering },
    ],
    firsts,
    {
      caption: html`<code>recount robustness --sql</code> shows which votes, raters and sessions.`,
      label: `Robustness${dimension === "" ? "" : `, ${dimension}`}`,
    },
  );
  return html`${leastVotes(flips) && flipPlot(dimension, flips, titleOf)}
    <details>
      <summary>Votes, raters and sessions to leave out for another first place</summary>
      ${list}
    </details>`;
}

const firstPlaces = (flips: readonly FlipData[]): FlipData[] =>
  flips.filter(({ k, atMost }) => k === 1 && atMost !== null);

/** The metric whose first place the fewest votes decide. */
const leastVotes = (flips: readonly FlipData[]): FlipData | undefined =>
  firstPlaces(flips)
    .filter(({ unit }) => unit === "vote")
    .toSorted((x, y) => (x.atMost ?? 0) / x.units - (y.atMost ?? 0) / y.units)[0];

const flipSentence = ({ atMost, isExact, units, unit, entering, leaving, kind }: FlipData): string =>
  `By ${titleOf(kind)}, ${entering} would be first instead of ${leaving} without ${isExact ? "" : "at most "}${thousands(atMost ?? 0)} of ${many(units, unit)}.`;

function screeningSentence(screening: ScreeningData): string {
  const { rule, clauses, raters, excluded, excludedRatings, moved, first, screenedFirst } = screening;
  const name = rule === "training" ? "Screening by training" : listed(clauses);
  if (excludedRatings === 0) return `${name} excludes nobody.`;
  const who = excluded > 0 ? `${excluded} of ${counted(raters, "rater")}` : counted(excludedRatings, "single rating");
  const effect = moved === 0 ? "no rank changes" : `${counted(moved, "rank")} ${moved === 1 ? "changes" : "change"}`;
  const lead = first === screenedFirst ? "" : `; ${screenedFirst} would be first instead of ${first}`;
  return `${name} excludes ${who}: ${effect}${lead}.`;
}

const twoDigits = (value: number): string => value.toFixed(2).replace(/^-/, "−");

function agreementSentence({ answers, value, low, high, raters, statistic }: AgreementData): string {
  const level = statistic.replace("krippendorff_", "");
  const interval = low === null || high === null ? "" : ` (95 % interval ${twoDigits(low)} to ${twoDigits(high)})`;
  const meaning = value >= 0.8 ? "reliable" : value >= 0.667 ? "good enough for tentative conclusions" : "low";
  return `Agreement of ${counted(raters, "rater")} on ${answers} is ${meaning}: Krippendorff's α is ${twoDigits(value)}${interval}, ${level} level.`;
}

function ledgerSentence({ ratings, rules }: LedgerData): string {
  if (rules.length === 0) return `All ${many(ratings, "rating")} count.`;
  const said = rules.map(
    ({ rule, ratings: own, moved }) =>
      `${thousands(own)} by "${rule}"${moved > 0 ? ` (which changes ${counted(moved, "rank")} of means)` : ""}`,
  );
  const out = rules.reduce((sum, { ratings: own }) => sum + own, 0);
  return `${thousands(out)} of ${many(ratings, "rating")} ${out === 1 ? "does" : "do"} not count: ${listed(said)}.`;
}
