import { metricKind, type Kind } from "../../../metrics/index.js";
import { counted, listed, thousands } from "../../../platform/index.js";
import { type Html, html, limits, longTable } from "../html.js";
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
          <summary><h3>${name}</h3></summary>
          ${own.filter(hasStatements).map(ofDimension)}
        </details>`,
    );
    return html`<p>
        Which neighbours differ by more than chance, how few votes another first place would take, whom the standards
        would screen, whether raters agree, and what does not count. No published number depends on it.
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

/** The first ranking open, others folded. */
function separation(ranking: SeparatedRanking, i: number): Html {
  const title = titleOf(ranking.estimate);
  const plot = ranking.items.length > 0 && rankPlot(title, ranking);
  const folded =
    i > 0 &&
    plot &&
    html`<details>
      <summary>Rank intervals by ${title}</summary>
      ${plot}
    </details>`;
  return html`<p>By ${title}: ${ranking.sentence}</p>
    ${folded || plot}`;
}

/** A count of possibly many, its digits in groups. */
const many = (count: number, what: string): string => `${thousands(count)} ${what}${count === 1 ? "" : "s"}`;

const titleOf = (kind: string): string => metricKind(kind as Kind).title;

function robustness(flips: readonly FlipData[], dimension: string): Html | null {
  const firsts = flips.filter(({ k, atMost }) => k === 1 && atMost !== null);
  if (firsts.length === 0) return null;
  const votes = firsts
    .filter(({ unit }) => unit === "vote")
    .toSorted((x, y) => (x.atMost ?? 0) / x.units - (y.atMost ?? 0) / y.units);
  const [least] = votes;
  const say = ({ atMost, isExact, units, unit, entering, leaving, kind }: FlipData): string =>
    `By ${titleOf(kind)}, ${entering} would be first instead of ${leaving} without ${isExact ? "" : "at most "}${thousands(atMost ?? 0)} of ${many(units, unit)}.`;
  return html`${least && html`<p>${say(least)}</p>`} ${votes.length > 0 && flipPlot(dimension, flips, titleOf)}
  ${longTable(
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
      what: "row",
      caption: html`<strong>Robustness of the first place.</strong> <code>recount robustness --sql</code> shows which
        votes, raters and sessions.`,
      label: `Robustness${dimension === "" ? "" : `, ${dimension}`}`,
      unfolded: 3,
    },
  )}`;
}

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
