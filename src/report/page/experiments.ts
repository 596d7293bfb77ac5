/** The table of experiments; a row opens to plot, results, ratings and SQL. */
import { numbersIn, type AuditRow } from "../../audit/index.js";
import {
  cached,
  capitalized,
  counted,
  groupsOf,
  joinParts,
  sqlText,
  sumOf,
  thousands,
} from "../../platform/index.js";
import { column } from "../document.js";
import { numberText, titleOfKind } from "../numbers.js";
import { isUnderConvention, toneOf, toneOfRows } from "../tones.js";
import type { ExperimentData, PageData } from "./data.js";
import {
  cell,
  headRow,
  html,
  pageLimits,
  rowHead,
  table,
  boldNames,
  hyphened,
  withCode,
  type Content,
  type Html,
} from "./html.js";
import { plotOf } from "./plot.js";
import {
  firstSentences,
  flipOf,
  noFirstIn,
  probabilityOf,
  rankingsOf,
  type Ranking,
} from "./rankings.js";

type RowVerdict = "bad" | "doubt" | "ok" | "none";

const verdictOf = ({ rows }: ExperimentData): RowVerdict =>
  rows.length === 0 ? "none" : toneOfRows(rows);

const verdictChoices: readonly (readonly [RowVerdict, string])[] = [
  ["bad", "do not follow"],
  ["doubt", "to decide"],
  ["ok", "follow"],
  ["none", "nothing published"],
];

const counting = (
  rows: readonly AuditRow[],
  is: (verdict: AuditRow["verdict"]) => boolean,
): number => numbersIn(rows.filter(({ verdict }) => is(verdict)));

/** "✗ 1 of 48", "✓ 340" and how many follow under a convention. */
function verdictCell(experiment: ExperimentData): Content {
  const { rows } = experiment;
  const verdict = verdictOf(experiment);
  const all = thousands(numbersIn(rows));
  const off = thousands(counting(rows, (one) => toneOf(one) === verdict));
  const explained = counting(rows, isUnderConvention);
  const says: Record<RowVerdict, string> = {
    bad: `✗ ${off} of ${all}`,
    doubt: `? ${off} of ${all}`,
    ok: `✓ ${all}`,
    none: "nothing published",
  };
  const under = explained > 0 && `${thousands(explained)} under a convention`;
  const more = verdict === "doubt" ? "to decide" : verdict === "ok" && under;
  return [
    html`<span class="v ${verdict}">${says[verdict]}</span>`,
    more && html`<span class="sub">${more}</span>`,
  ];
}

const hasSides = cached(({ experiments }: PageData): boolean =>
  experiments.some(({ standings }) => standings.some(({ side }) => side !== null)),
);

const headsOf = (data: PageData) => [
  ...["Experiment", "Published numbers", "First", "Second"].map(
    (head) => ({ head, as: "plain" }) as const,
  ),
  ...["P(best)", "Votes that change it", ...(hasSides(data) ? ["Side"] : [])].map(
    (head) => ({ head, as: "num" }) as const,
  ),
];

const unknown = html`<td role="cell" class="n no">–</td>`;

function sideCell(ranking: Ranking | undefined): Html {
  const standing = ranking?.standing;
  if (standing?.left_share == null) return unknown;
  const says = withCode(`${Math.round(100 * standing.left_share)} % left`);
  return cell(
    standing.is_biased ? html`<span class="v doubt">${says}</span>` : says,
    "num",
    "Side",
  );
}

function placeCells(ranking: Ranking | undefined, ratings: number, isSided: boolean): Content {
  const none = ranking && noFirstIn(ranking);
  const why =
    ranking === undefined
      ? ratings === 0
        ? "no ratings yet"
        : "nothing to rank"
      : none?.cell(ranking);
  const side = isSided && sideCell(ranking);
  if (ranking === undefined || why !== undefined)
    return [
      html`<td role="cell" class="f mut" colspan="2" data-l="First">${why}</td>`,
      [unknown, unknown, side],
    ];
  const probability = probabilityOf(ranking);
  const flip = flipOf(ranking);
  return [
    html`<td role="cell" class="f" data-l="First"><b>${hyphened(ranking.first[0] ?? "")}</b></td>`,
    cell(ranking.second, "plain", "Second"),
    probability === null ? unknown : cell(withCode(probability), "num", "P(best)"),
    flip === null
      ? unknown
      : cell(
          [
            thousands(flip.votes),
            html`&nbsp;<span class="mut">of&nbsp;${thousands(flip.of)}</span>`,
          ],
          "num",
          "Votes that change it",
        ),
    side,
  ];
}

export function experimentsSection(data: PageData): Html {
  const { experiments, unlisted } = data;
  const opens = (one: ExperimentData, i: number): boolean =>
    i < pageLimits.opened && one.ratings > 0 && (one.rows.length > 0 || one.leaderboard.length > 0);
  const isOpen = (one: ExperimentData, i: number): boolean =>
    experiments.length === 1 ||
    (i === 0 &&
      experiments.length < pageLimits.filtered &&
      counting(one.rows, (v) => v !== "exact") > 0);
  const count = experiments.length;
  const more = counted(unlisted, "more experiment");
  return html`<section id="experiments">
    <div class="hd">
      <h2>${count === 1 ? "The experiment" : counted(count + unlisted, "experiment")}</h2>
      ${count >= pageLimits.filtered && filter}
    </div>
    <table role="table" class="exps">
      <caption class="vh">
        Experiments: verdict, first and second place, how sure the first place is
      </caption>
      ${headRow(headsOf(data))}
      <tbody role="rowgroup">
        ${experiments.map((one, i) =>
          rowsOfExperiment(data, one, `x${i}`, opens(one, i), isOpen(one, i)),
        )}
      </tbody>
    </table>
    ${unlisted > 0 && html`<p class="note">Not shown: ${more}.</p>`}
    <p class="note">
      P(best): share of draws, raters resampled, in which the first item is first. Votes that change
      it: the smallest set found whose removal puts another item first. ${sideNote(data)}
    </p>
  </section>`;
}

function sideNote(data: PageData): string | false {
  const areCompared = data.experiments.some(({ standings }) =>
    standings.some(({ estimate }) => estimate === "bradley_terry"),
  );
  return hasSides(data)
    ? "Side: share of the left among decided votes; bold if its 95 % interval leaves out a half."
    : areCompared &&
        "The ratings do not record which item was on the left: side bias cannot be checked.";
}

const filter = html`<div class="tools" hidden>
  <label>Find <input type="search" id="q" autocomplete="off" /></label>
  <label
    >Verdict
    <select id="fv">
      <option value="">all</option>
      ${verdictChoices.map(([value, says]) => html`<option value="${value}">${says}</option>`)}
    </select></label
  >
  <output id="cnt" for="q fv"></output>
</div>`;

function rowsOfExperiment(
  data: PageData,
  experiment: ExperimentData,
  id: string,
  canOpen: boolean,
  isOpen: boolean,
): Html {
  const { name, type, ratings } = experiment;
  const rankings = rankingsOf(experiment);
  const [ranking, ...others] = rankings;
  const isSided = hasSides(data);
  const text = [name, type, ...rankings.flatMap(({ first, second }) => [...first, second])];
  const about = joinParts([(type ?? "").replaceAll("_", " "), ranking?.dimension], " · ");
  const title = canOpen
    ? html`<button type="button" aria-expanded="true" aria-controls="${id}">${name}</button>`
    : html`<span class="nob">${name}</span>`;
  return html`<tr
      role="row"
      class="e"
      data-v="${verdictOf(experiment)}"
      data-t="${joinParts(text, " ").toLowerCase()}"
    >
      ${rowHead([title, html`<span class="sub">${about}</span>`])}
      <td role="cell" class="vd">${verdictCell(experiment)}</td>
      ${placeCells(ranking, ratings, isSided)}
    </tr>
    ${others.map(
      (other) =>
        html`<tr role="row" class="e cont">
          ${rowHead(html`<span class="dim">${other.dimension}</span>`)}
          <td role="cell" class="vd"></td>
          ${placeCells(other, ratings, isSided)}
        </tr> `,
    )}
    ${
      canOpen &&
      html`<tr role="row" class="x">
        <td role="cell" colspan="${headsOf(data).length}">
          <div id="${id}" class="more" ${isOpen && html`data-open`}>
            ${rankings.map((one, i) => [
              html`<p class="say">
                ${rankings.length > 1 && `${capitalized(one.dimension)}: `}
                ${boldNames(firstSentences(one, data.isOfFiles))}
              </p>`,
              plotOf(data, experiment, one, `${id}g${i}`),
            ])}
            ${resultsTable(experiment)} ${ratingsList(experiment, rankings)}
            ${sqlLine(data, experiment)}
          </div>
        </td>
      </tr>`
    }`;
}

function resultsTable({ rows }: ExperimentData): Html | null {
  if (rows.length === 0) return null;
  const results = [...groupsOf(rows, ({ kind }) => kind)];
  type Result = (typeof results)[number];
  const counts = (head: string, is: (verdict: AuditRow["verdict"]) => boolean) =>
    counting(rows, is) > 0 && column.num(head, ([, own]: Result) => counting(own, is) || null);
  const isBad = (verdict: AuditRow["verdict"]): boolean => toneOf(verdict) === "bad";
  return html`<h3>Published results</h3>
    ${table(
      results,
      [
        column.plain(
          "Result",
          ([kind]: Result) => capitalized(titleOfKind(kind)) || "Without a kind",
        ),
        column.plain("Published in", ([, own]: Result) =>
          [...new Set(own.map(({ published_in }) => published_in))].join(", "),
        ),
        column.num("Numbers", ([, own]: Result) => numbersIn(own)),
        column.num("Exact", ([, own]: Result) => counting(own, (v) => v === "exact")),
        counts("Within the tolerance", (verdict) => verdict === "within_tolerance"),
        counts("Under a convention", isUnderConvention),
        counts("Undecided", (verdict) => toneOf(verdict) === "doubt" && verdict !== "unstated"),
        counts("Do not follow", isBad),
      ],
      {
        kind: "res",
        caption: "Published results",
        isBad: ([, own]) => counting(own, isBad) > 0,
      },
    )}`;
}

function ratingsList(experiment: ExperimentData, rankings: readonly Ranking[]): Html {
  const { ratings, counted: used, raters, ledger, agreements, standings } = experiment;
  const areVotes = experiment.leaderboard.some(({ kind }) => kind === "bradley_terry");
  const votes = areVotes ? sumOf(standings.map(({ units }) => units ?? 0)) : 0;
  const left = ledger.map((one) => `${thousands(one.ratings)} ${ruleText(one.rule)}`);
  const out = sumOf(ledger.map((one) => one.ratings));
  const agreement = agreements.map(({ dimension, value, ci_low, ci_high, raters: of }) => {
    const interval =
      ci_low === null || ci_high === null
        ? ""
        : ` (${numberText(ci_low, 2)} to ${numberText(ci_high, 2)})`;
    return joinParts([
      agreements.length > 1 && dimension,
      `Krippendorff’s α ${numberText(value, 2)}${interval}`,
      counted(of, "rater"),
    ]);
  });
  const facts = [
    [
      "Counted",
      joinParts([
        `${thousands(used)} of ${counted(ratings, "rating")}`,
        votes > 0 && counted(votes, "vote"),
        counted(raters, "rater"),
      ]),
    ],
    ["Left out", out === 0 ? "" : joinParts(left)],
    [
      "Side",
      joinParts(
        // A bias is in the sentence above.
        rankings.map(({ standing }) => standing?.is_biased !== true && standing?.side),
        " ",
      ),
    ],
    ["Agreement", agreement.join("; ")],
  ] as const;
  return html`<h3>The ratings</h3>
    <dl>
      ${facts.map(
        ([term, says]) =>
          says !== "" &&
          html`<dt>${term}</dt>
            <dd>${withCode(says)}</dd>`,
      )}
    </dl>`;
}

const ruleTexts: Readonly<Record<string, string>> = {
  training: "in training",
  "session not completed": "from sessions that were not completed",
  "no score": "without a score",
};

const ruleText = (rule: string): string => ruleTexts[rule] ?? `by “${rule}”`;

function sqlLine({ audit }: PageData, { experiment_id: id, rows }: ExperimentData): Html {
  const from = rows.length > 0 ? "published_vs_recomputed" : "leaderboard";
  const sql = `from ${from} where experiment_id = ${sqlText(id)}`;
  return html`<p class="note">All rows: ${queryText(sql, audit.accepted.length > 0)}</p>`;
}

export const queryText = (sql: string, isAccepting: boolean): Html =>
  html`<code>recount query "${sql}"${isAccepting && " --pipeline FILE"}</code>`;
