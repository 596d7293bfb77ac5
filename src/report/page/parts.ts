import { attentionOf, type AuditRow } from "../../audit/index.js";
import { verdictText } from "../numbers.js";
import { group, toneOf, toneOfRows, type Tone } from "../verdict-sentence.js";
import { counted } from "../../platform/index.js";
import { truncated } from "../table.js";
import { html, type Content, type Html } from "./html.js";
import { limits } from "./limits.js";

const signs: Record<Tone, string> = { ok: "✓", doubt: "?", bad: "✗" };

/** A verdict with a sign and a word, so that its colour carries nothing alone. */
export const badge = (tone: Tone, text: string): Html =>
  html`<span class="badge ${tone}">${signs[tone]} ${text}</span>`;

export const verdictBadge = ({ verdict }: Pick<AuditRow, "verdict">): Html =>
  badge(toneOf(verdict), verdictText(verdict));

/** One badge for some numbers: how many, or how many of them are not exact. */
export function badgeOfAll(rows: readonly Pick<AuditRow, "verdict">[]): Html {
  const off = rows.filter(({ verdict }) => attentionOf(verdict) > 0).length;
  return badge(toneOfRows(rows), off === 0 ? group(rows.length) : `${group(off)} of ${group(rows.length)}`);
}

/** A column of a table. Numbers are aligned to the right, and sorted by the first; a cell with `<data>` by its value. */
export interface Column {
  readonly head: Content;
  readonly as?: "num" | "item" | "text" | "mid";
}

interface TableOptions {
  readonly caption: Content;
  /** Names the region in which a wide table scrolls. */
  readonly label: string;
  readonly id?: string;
  readonly isWide?: boolean;
  /** The tone of each row, for the filter. */
  readonly tones?: readonly Tone[];
}

/** A table in a region of its own that scrolls if the page is narrow. The first column heads its row. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly Content[])[],
  { caption, label, id, isWide = false, tones }: TableOptions,
): Html {
  const cell = (content: Content, i: number): Html => {
    const as = columns[i]?.as;
    const kind = as === undefined ? null : html` class="${as}"`;
    return i === 0 ? html`<th scope="row" ${kind}>${content}</th>` : html`<td${kind}>${content}</td>`;
  };
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
                ${row.map(cell)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}

/** A table of which only the first rows are unfolded, and as many as a page has room for are there at all. */
export function longTable(
  columns: readonly Column[],
  rows: readonly (readonly Content[])[],
  options: TableOptions & { readonly what: string },
): Html {
  const { shown, more } = truncated(rows, limits.listed);
  const folded = shown.slice(limits.experiments);
  const rest =
    folded.length > 0 &&
    html`<details>
      <summary>${counted(folded.length, `more ${options.what}`)}</summary>
      ${table(columns, folded, { ...options, label: `${options.label}, continued` })}
    </details>`;
  return html`${table(columns, shown.slice(0, limits.experiments), options)}${rest}${more && html`<p class="note">${more}</p>`}`;
}

/** "and 3 more …", or nothing. */
export const moreNote = (more: number, what: string): Html | null =>
  more === 0 ? null : html`<p class="note">${more} more ${what} are not shown.</p>`;
