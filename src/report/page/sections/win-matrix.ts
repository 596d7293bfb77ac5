import { shortNumber } from "../../numbers.js";
import type { PairTable } from "../data/index.js";
import { html, type Content, type Html } from "../html.js";
import { moreNote } from "../parts.js";

/** Steps of the scale of colours, from all lost to all won. */
const shades = 7;
const shade = (share: number): number => Math.min(shades, Math.max(1, Math.ceil((share / 100) * shades)));

/** The win matrix as a heat map that is a table: its numbers are its own text alternative. */
export function winMatrix({ dimension, items, share, n, more }: PairTable): Html {
  const cell = (won: number | null, comparisons: number): Content =>
    won === null
      ? html`<td></td>`
      : html`<td class="h${shade(won)}" title="${shortNumber(comparisons)} comparisons">${Math.round(won)}</td>`;
  const label = `Win matrix${dimension === "" ? "" : `, ${dimension}`}`;
  return html`<figure>
    <figcaption>
      <strong>${label}</strong>
      <span class="note"
        >Percent of comparisons that the item of the row won against that of the column; ties are half.</span
      >
    </figcaption>
    <div class="scroll" tabindex="0" role="group" aria-label="${label}">
      <table class="heat" aria-label="${label}">
        <thead>
          <tr>
            <td></td>
            ${items.map((item, i) => html`<th scope="col" title="${item}">${i + 1}<span class="hidden"> ${item}</span></th>`)}
          </tr>
        </thead>
        <tbody>
          ${items.map(
            (item, i) =>
              html`<tr>
                <th scope="row" title="${item}">${i + 1} ${item}</th>
                ${items.map((_, j) => cell(share[i]?.[j] ?? null, n[i]?.[j] ?? 0))}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${moreNote(more, "items")}
  </figure>`;
}
