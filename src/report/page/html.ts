import { attentionOf, numbersIn, type AuditRow } from "../../audit/index.js";
import { counted, thousands } from "../../platform/index.js";
import { toneOf, toneOfRows, type Tone } from "../verdict-sentence.js";
import { verdictText } from "../numbers.js";
import { truncated } from "../table.js";

const key: unique symbol = Symbol("markup");

/** Markup whose texts are escaped. Only this file makes it, so plain data never passes for markup. */
export interface Html {
  readonly [key]: string;
}

/** What a template takes: text and numbers are escaped; null, undefined and false are nothing; lists are joined. */
export type Content = Html | string | number | null | undefined | false | readonly Content[];

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escapeText = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? "");

function markupOf(content: Content): string {
  if (content === null || content === undefined || content === false) return "";
  if (typeof content === "string") return escapeText(content);
  if (typeof content === "number") return String(content);
  return isList(content) ? content.map(markupOf).join("") : content[key];
}

const isList = (content: Html | readonly Content[]): content is readonly Content[] => Array.isArray(content);

/** Markup from a template, without its indentation; a number stays with its `%`. Every value is escaped, in text as in quoted attributes. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Html {
  const [first = "", ...rest] = parts.map((part) => part.replace(/\n\s*/g, "\n").replace(/(\d)\s%/g, "$1\u00a0%"));
  return trusted(rest.reduce((markup, part, i) => markup + markupOf(values[i]) + part, first));
}

/** Markup that this project made itself: a stylesheet, a plot. Never text from a service. */
export function trusted(markup: string): Html {
  return { [key]: markup };
}

/** The markup as text. */
export const textOfHtml = (content: Html): string => content[key];

/** Text in which backticks enclose code. */
export function withCode(text: string): Html {
  return html`${text.split("`").map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

/** Text with subscripts as `x_{i}` and superscripts as `x^{2}`. */
export function withScripts(text: string): Html {
  const [first = "", ...rest] = text.split(/([_^])\{([^}]*)\}/);
  const pieces = rest.map((piece, i) => {
    if (i % 3 === 0) return null;
    if (i % 3 === 2) return piece;
    return rest[i - 1] === "_" ? html`<sub>${piece}</sub>` : html`<sup>${piece}</sup>`;
  });
  return html`${first}${pieces}`;
}

const signs: Record<Tone, string> = { ok: "✓", doubt: "?", bad: "✗" };

/** A verdict with a sign and a word, so that colour alone carries no meaning. */
export const badge = (tone: Tone, text: string): Html =>
  html`<span class="badge ${tone}">${signs[tone]} ${text}</span>`;

export const verdictBadge = ({ verdict }: Pick<AuditRow, "verdict">): Html =>
  badge(toneOf(verdict), verdictText(verdict));

/** One badge for some numbers: how many, and how many of them are explained, to be decided, or do not follow. */
export function badgeOfAll(rows: readonly Pick<AuditRow, "verdict" | "numbers">[]): Html {
  const tone = toneOfRows(rows);
  const all = thousands(numbersIn(rows));
  const explained = numbersIn(rows.filter(({ verdict }) => attentionOf(verdict) > 0));
  if (tone === "ok") return badge(tone, explained === 0 ? all : `${all} · ${thousands(explained)} explained`);
  return badge(tone, `${thousands(numbersIn(rows.filter(({ verdict }) => toneOf(verdict) === tone)))} of ${all}`);
}

/**
 * A column of a table: its head, and what it shows of a row. Numbers are aligned to the right, and sorted by the first; a cell
 * with `<data>` by its value.
 */
export interface TableColumn<T> {
  readonly head: Content;
  readonly as?: "num" | "item" | "text" | "mid";
  readonly cell: (row: T, i: number) => Content;
}

interface TableOptions {
  readonly caption: Content;
  /** Names the region in which a wide table scrolls. */
  readonly label: string;
  readonly id?: string;
  readonly isWide?: boolean;
  /** The tone of each row, for the filter. */
  readonly tones?: readonly Tone[] | null;
}

/** A table in a region of its own that scrolls if the page is narrow. The first column heads its row. */
export function table<T>(
  columns: readonly TableColumn<T>[],
  rows: readonly T[],
  { caption, label, id, isWide = false, tones }: TableOptions,
): Html {
  const cellsOf = (row: T, i: number): Html[] =>
    columns.map(({ as, cell }, column) => {
      const kind = as === undefined ? null : html` class="${as}"`;
      const content = cell(row, i);
      return column === 0 ? html`<th scope="row" ${kind}>${content}</th>` : html`<td${kind}>${content}</td>`;
    });
  const name = html`aria-label="${label}"`;
  return html`<p class="caption">${caption}</p>
    <div class="scroll" tabindex="0" role="group" ${name}>
      <table class="sortable${isWide ? " wide" : ""}" ${name} ${id === undefined ? null : html`id="${id}"`}>
        <thead>
          <tr>
            ${columns.map(({ head, as }) => html`<th scope="col" ${as && html`class="${as}"`}>${head}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row, i) =>
              html`<tr ${tones && html`data-tone="${tones[i]}"`}>
                ${cellsOf(row, i)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}

/** A table of which the first `unfolded` rows are open, and as many as a page has room for are there at all. */
export function longTable<T>(
  columns: readonly TableColumn<T>[],
  rows: readonly T[],
  { unfolded = limits.unfolded, ...options }: TableOptions & { readonly what: string; readonly unfolded?: number },
): Html {
  const { shown, more } = truncated(rows, limits.listed);
  const folded = shown.slice(unfolded);
  const rest =
    folded.length > 0 &&
    html`<details>
      <summary>${counted(folded.length, `more ${options.what}`)}</summary>
      ${table(columns, folded, { ...options, label: `${options.label}, continued`, tones: options.tones?.slice(unfolded) ?? null })}
    </details>`;
  return html`${table(columns, shown.slice(0, unfolded), options)}${rest}${more && html`<p class="note">${more}</p>`}`;
}

/** "and 3 more …", or nothing. */
export const moreNote = (more: number, what: string): Html | null =>
  more === 0 ? null : html`<p class="note">${more} more ${what} are not shown.</p>`;

/** What bounds the size of a page. Whatever is left out is counted on the page. */
export const limits = {
  /** Experiments with rankings, plots and raters; the others have their line in the tables of the project. */
  experiments: 30,
  /** Rows of a table unfolded; and rankings, of which otherwise only those with differences are. */
  unfolded: 12,
  /** Rankings up to which all are unfolded. */
  open: 3,
  /** Experiments with a line in a table. */
  listed: 500,
  /** Lines of the table of results, most urgent first. */
  results: 400,
  /** Characters of any text. */
  text: 1000,
  /** Findings shown, and numbers shown for each. */
  findings: 40,
  differences: 20,
  items: 1000,
  /** Items of a plot that are unfolded; letters of a name in it, and of one beside a line. */
  plotted: 60,
  name: 40,
  label: 30,
  /** Letters of separation up to which they are readable. */
  letters: 6,
  /** Rankings of jobs beside each other. */
  parts: 8,
  /** Items of a win matrix, and lines of a plot over sessions. */
  pairedItems: 120,
  lines: 120,
  /** Lines in colour, with a name. */
  named: 5,
  /** Items up to which the cells of a win matrix have numbers. */
  digits: 12,
  /** Sessions at which a history has a point. */
  points: 60,
  scores: 20,
  raters: 400,
  ratersShown: 40,
  changes: 60,
  /** Rows of a snapshot up to which it is compared with the one before row by row, and its numbers are recomputed for that. */
  comparedRows: 500_000,
} as const;
