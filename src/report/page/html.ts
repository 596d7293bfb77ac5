/** The blocks of a page as HTML, and what bounds its size. */
import { attentionOf, numbersIn, type AuditRow } from "../../audit/index.js";
import { counted, firstOf, joinParts, thousands } from "../../platform/index.js";
import { toneOf, toneOfRows, type Tone } from "../verdict-sentence.js";
import { filledTable, type TableColumns, type TableBlock } from "../document.js";
import { verdictText } from "../numbers.js";

const key: unique symbol = Symbol("markup");

/**
 * Markup whose texts are escaped. Only this file makes it, so plain data never passes for markup.
 */
export interface Html {
  readonly [key]: string;
}

/**
 * What a template takes: text and numbers are escaped; null, undefined and false are nothing; lists
 * are joined.
 */
export type Content = Html | string | number | null | undefined | false | readonly Content[];

const htmlEntities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escapeText = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => htmlEntities[character] ?? "");

function markupOf(content: Content): string {
  if (content === null || content === undefined || content === false) return "";
  if (typeof content === "string") return escapeText(content);
  if (typeof content === "number") return String(content);
  return isContentList(content) ? content.map(markupOf).join("") : content[key];
}

const isContentList = (content: Html | readonly Content[]): content is readonly Content[] =>
  Array.isArray(content);

/**
 * Without the indentation of the template; a number stays with its `%`. Every value is escaped, in
 * text as in quoted attributes.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Html {
  const [first = "", ...rest] = parts.map((part) =>
    part.replace(/\n\s*/g, "\n").replace(/(\d)\s%/g, "$1\u00a0%"),
  );
  return trusted(rest.reduce((markup, part, i) => markup + markupOf(values[i]) + part, first));
}

/** Markup that this project made itself: a stylesheet, a plot. Never text from a service. */
export function trusted(markup: string): Html {
  return { [key]: markup };
}

export const textOfHtml = (content: Html): string => content[key];

/** Text in which backticks enclose code. */
export function withCode(text: string): Html {
  return html`${text
    .split("`")
    .map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`;
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

const badgeSigns: Record<Tone, string> = { ok: "✓", doubt: "?", bad: "✗" };

/** A verdict with a sign and a word, so that colour alone carries no meaning. */
export const badge = (tone: Tone, text: string): Html =>
  html`<span class="badge ${tone}">${badgeSigns[tone]} ${text}</span>`;

export const verdictBadge = ({ verdict }: Pick<AuditRow, "verdict">): Html =>
  badge(toneOf(verdict), verdictText(verdict));

/** What becomes of some numbers, in words. */
export function badgeInWords(rows: readonly Pick<AuditRow, "verdict" | "numbers">[]): Html {
  const tone = toneOfRows(rows);
  const all = numbersIn(rows);
  const off = numbersIn(rows.filter(({ verdict }) => attentionOf(verdict) > 0));
  const worst = numbersIn(rows.filter(({ verdict }) => toneOf(verdict) === tone));
  const exact = all > off && `${thousands(all - off)} exact`;
  const says: Record<Tone, string> = {
    ok: joinParts([exact, off > 0 && `${thousands(off)} explained`]),
    doubt: `${thousands(worst)} of ${thousands(all)} to decide`,
    bad: `${thousands(worst)} of ${thousands(all)} not reproduced`,
  };
  return badge(tone, says[tone]);
}

export function badgeOfAll(rows: readonly Pick<AuditRow, "verdict" | "numbers">[]): Html {
  const tone = toneOfRows(rows);
  const all = thousands(numbersIn(rows));
  const explained = numbersIn(rows.filter(({ verdict }) => attentionOf(verdict) > 0));
  if (tone === "ok")
    return badge(tone, explained === 0 ? all : `${all} · ${thousands(explained)} explained`);
  return badge(
    tone,
    `${thousands(numbersIn(rows.filter(({ verdict }) => toneOf(verdict) === tone)))} of ${all}`,
  );
}

interface TableOptions {
  readonly caption: Content;
  /** Names the region in which a wide table scrolls. */
  readonly label: string;
  readonly id?: string;
  readonly isWide?: boolean;
}

/** Scrolls by itself if the page is narrow. The first column heads its row. */
export function scrolling(
  { columns, lines }: TableBlock<Content>,
  { caption, label, id, isWide = false }: TableOptions,
  tones?: readonly Tone[],
): Html {
  const kinds = columns.map(({ as }) => as !== "plain" && html`class="${as}"`);
  const cellOf = (cell: Content, i: number): Html => {
    const kind = kinds[i] ? html` ${kinds[i]}` : null;
    const content = typeof cell === "number" ? thousands(cell) : cell;
    return i === 0
      ? html`<th scope="row" ${kind}>${content}</th>`
      : html`<td${kind}>${content}</td>`;
  };
  const name = html`aria-label="${label}"`;
  return html`<p class="caption">${caption}</p>
    <div class="scroll" tabindex="0" role="group" ${name}>
      <table
        class="sortable${isWide ? " wide" : ""}"
        ${name}
        ${id === undefined ? null : html`id="${id}"`}
      >
        <thead>
          <tr>
            ${columns.map(({ head }, i) => html`<th scope="col" ${kinds[i]}>${head}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${lines.map(
            (cells, i) =>
              html`<tr ${tones && html`data-tone="${tones[i]}"`}>
                ${cells.map(cellOf)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}

/** Columns of a page are sorted by their first number; a cell with `<data>` by its value. */
type PageColumns<T> = TableColumns<T, Content>;

interface BoundedTable<T> extends TableOptions {
  readonly most?: number;
  readonly what?: string;
  readonly tone?: (row: T) => Tone;
}

/** A table of the first `most` rows, and how many more `what` there are. */
export function table<T>(
  rows: readonly T[],
  columns: PageColumns<T>,
  { most = Infinity, what = "", tone, ...options }: BoundedTable<T>,
): Html {
  const { shown, more } = firstOf(rows, most);
  return html`${scrolling(
    filledTable(shown, columns),
    options,
    tone && shown.map(tone),
  )}${moreNote(more, what)}`;
}

/** The first `unfolded` rows are open; as many as a page has room for are there at all. */
export function longTable<T>(
  rows: readonly T[],
  columns: PageColumns<T>,
  {
    unfolded = pageLimits.unfolded,
    what,
    ...options
  }: TableOptions & { readonly what: string; readonly unfolded?: number },
): Html {
  const { shown, note } = firstOf(rows, pageLimits.listed);
  const all = filledTable(shown, columns);
  const part = (from: number, to: number | undefined, label: string): Html =>
    scrolling({ ...all, lines: all.lines.slice(from, to) }, { ...options, label });
  const rest =
    shown.length > unfolded &&
    folded(
      counted(shown.length - unfolded, `more ${what}`),
      part(unfolded, undefined, `${options.label}, continued`),
    );
  return html`${part(0, unfolded, options.label)}${rest}${note.map(
    (line) => html`<p class="note">${line}</p>`,
  )}`;
}

export const folded = (summary: Content, content: Content, isOpen = false): Html =>
  html`<details${isOpen && html` open`}>
    <summary>${summary}</summary>
    ${content}
  </details>`;

export const listOfLines = (lines: readonly Content[]): Html =>
  html`<ul>
    ${lines.map((line) => html`<li>${line}</li>`)}
  </ul>`;

/** "and 3 more …", or nothing. */
export const moreNote = (more: number, what: string): Html | null =>
  more === 0 ? null : html`<p class="note">${more} more ${what} are not shown.</p>`;

/** What bounds the size of a page. Whatever is left out is counted on the page. */
export const pageLimits = {
  /** Experiments with rankings, plots and raters; the others have their line. */
  experiments: 30,
  /** Rows of a table, and experiments, that are not folded. */
  unfolded: 12,
  /** Causes above the experiments. */
  causes: 5,
  /** Rankings of a dimension, each of items that can be compared. */
  classes: 8,
  /** Experiments with a line in a table. */
  listed: 500,
  /** Lines of the table of results, most urgent first. */
  results: 400,
  text: 1000,
  /** Findings shown, and numbers shown for each. */
  findings: 40,
  differences: 20,
  items: 1000,
  /** Items of a plot that are unfolded, and letters of a name in it. */
  plotted: 60,
  name: 40,
  scores: 20,
  ratersShown: 40,
  changes: 60,
  /**
   * Rows of a snapshot up to which it is compared with the one before row by row and number by
   * number.
   */
  comparedRows: 500_000,
} as const;
