/** The tables above the experiments: what does not follow, and from what the others do. */
import { numbersIn, resultKey, sourceText, type AuditRow } from "../../audit/index.js";
import {
  capitalized,
  counted,
  firstFew,
  firstOf,
  joinParts,
  thousands,
} from "../../platform/index.js";
import { judgedCauses, type JudgedCause } from "../causes.js";
import { column } from "../document.js";
import { rankChange, ownTexts, type JudgedNumber } from "../judged.js";
import { titleOfKind } from "../numbers.js";
import { experimentName } from "../results.js";
import { toneOf } from "../tones.js";
import { falseNumbers } from "../verdict-sentence.js";
import type { PageData } from "./data.js";
import { html, pageLimits, table, withCode, type Html } from "./html.js";

/** Of more false numbers, and more of their results, only the largest are shown. */
const allShown = { most: 10, share: 0.2, largest: 3 } as const;

/** "Mean score", "Bradley-Terry, n, quality (in results and metrics)". */
function numberName({ row, isMain, places }: JudgedNumber): string {
  const { kind, field, dimension, source } = row;
  const what = joinParts([
    capitalized(titleOfKind(kind)),
    !isMain && field,
    dimension,
    sourceText(source),
  ]);
  return places.length === 1 ? what : `${what} (in ${firstFew(places, 4)})`;
}

export function wrongSection(data: PageData): Html | null {
  const { numbers, experiments, audit } = data;
  const all = falseNumbers(numbers);
  if (all.length === 0) return null;
  const results = new Set(all.map(({ row }) => resultKey(row)));
  const among = numbers.filter(({ row }) => results.has(resultKey(row)));
  const isMany = all.length > Math.max(allShown.most, allShown.share * among.length);
  const { shown, more } = firstOf(all, isMany ? allShown.largest : all.length);
  const rows = shown.map((number) => ({
    number,
    texts: ownTexts(number),
    ranks: rankChange(number, numbers, audit),
  }));
  type Row = (typeof rows)[number];
  const hasRanks = rows.some(({ ranks }) => ranks !== null);
  const count = all.length === 1 ? "number that does" : `${thousands(all.length)} numbers that do`;
  const title =
    more > 0
      ? `The largest ${shown.length} of ${thousands(all.length)}`
      : `The ${count} not follow`;
  return html`<section>
    <h2>${title}</h2>
    ${table(
      rows,
      [
        column.plain("Item", ({ number }: Row) => number.row.item),
        experiments.length > 1 &&
          column.plain("Experiment", ({ number }: Row) => experimentName(number.row)),
        column.plain("Number", ({ number }: Row) => numberName(number)),
        column.num("Published", ({ texts }: Row) => texts.published),
        column.num("Recomputed", ({ texts }: Row) => texts.follows),
        column.num(
          "Difference",
          ({ texts }: Row) => html`<span class="bad">${texts.difference}</span>`,
        ),
        hasRanks && column.num("Rank published", ({ ranks }: Row) => ranks?.published),
        hasRanks && column.num("Rank recomputed", ({ ranks }: Row) => ranks?.follows),
      ],
      { kind: "wrong", caption: "Published numbers that do not follow" },
    )}
  </section>`;
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)];

/** "Voices5, percent chosen, 2 places". */
function whereText(rows: readonly AuditRow[], isOne: boolean): string {
  const experiments = unique(rows.map(experimentName));
  const places = unique(rows.map(({ published_in }) => published_in));
  return joinParts([
    !isOne &&
      (experiments.length > 3 ? counted(experiments.length, "experiment") : experiments.join("; ")),
    firstFew(unique(rows.map(({ kind }) => titleOfKind(kind))), 3),
    places.length > 1 && counted(places.length, "place"),
  ]);
}

export function causesSection({ audit, experiments, numbers }: PageData): Html | null {
  const causes = judgedCauses(audit).filter(({ verdict }) => toneOf(verdict) !== "bad");
  if (causes.length === 0) return null;
  const isFound = numbers.length > 0;
  const areConventions = causes.every(({ code }) => code !== "");
  const { shown, more } = firstOf(causes, pageLimits.causes);
  const need = isFound ? "How the others follow" : "How they follow";
  const areOpen = causes.every(({ code }) => code === "");
  const title = areConventions ? need : areOpen ? "What is open" : `${need}, and what is open`;
  return html`<section>
    <h2>${title}</h2>
    ${table(
      shown,
      [
        column.plain(
          areConventions ? "They match when" : "Reason",
          ({ says, code }: JudgedCause) => [
            withCode(says),
            code !== "" && html` <code>${code}</code>`,
          ],
        ),
        column.plain("Where", ({ rows }: JudgedCause) => whereText(rows, experiments.length === 1)),
        column.num("Numbers", ({ rows }: JudgedCause) => numbersIn(rows)),
        column.plain("Status", ({ status, verdict }: JudgedCause) =>
          verdict === "explained" ? status : html`<b>${status}</b>`,
        ),
      ],
      { kind: "causes", caption: title },
    )}
    ${more > 0 && html`<p class="note">In audit.json: ${counted(more, "more cause")}.</p>`}
  </section>`;
}
