/** Markup: templates that escape, and tables. */
import { thousands } from "../../platform/index.js";
import { escaped, filledTable, type TableColumn, type TableColumns } from "../document.js";
import type { NamedText } from "../verdict-sentence.js";

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

function markupOf(content: Content): string {
  if (content === null || content === undefined || content === false) return "";
  if (typeof content === "string") return escaped(content);
  if (typeof content === "number") return String(content);
  return isContentList(content) ? content.map(markupOf).join("") : content[key];
}

const isContentList = (content: Html | readonly Content[]): content is readonly Content[] =>
  Array.isArray(content);

/** Lines do not break between a number and its sign or unit. */
const unbroken = (text: string): string =>
  text.replace(/(?<=\d)\s(?=%)|(?<=[±<>])\s(?=\d)/g, "\u00a0");

/**
 * Without the indentation of the template. Every value is escaped, in text as in quoted attributes.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Html {
  const [first = "", ...rest] = parts.map((part) => unbroken(part.replace(/\n\s*/g, "\n")));
  return trusted(rest.reduce((markup, part, i) => markup + markupOf(values[i]) + part, first));
}

/** Markup that this project made itself: a stylesheet, a script. Never text from a service. */
export function trusted(markup: string): Html {
  return { [key]: markup };
}

export const textOfHtml = (content: Html): string => content[key];

/** Characters of a word that breaks at its hyphens. */
const longWord = 24;

/** Names with a hyphen, such as those of models, are whole where they fit. */
export const hyphened = (text: string): Content =>
  text
    .split(/([\w.]+-[\w.-]+)/)
    .map((part, i) =>
      i % 2 && part.length < longWord ? html`<span class="w">${part}</span>` : part,
    );

export const withCode = (text: string): Content =>
  text
    .split("`")
    .map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : hyphened(unbroken(part))));

export const boldNames = (said: NamedText): Content =>
  said.map((part) =>
    typeof part === "string" ? withCode(part) : html`<b>${hyphened(part.name)}</b>`,
  );

const classes: Partial<Record<TableColumn<never>["as"], string>> = { num: "n", mid: "strip" };

const classOf = (as: TableColumn<never>["as"]): Content =>
  classes[as] !== undefined && html`class="${classes[as]}"`;

type Heads = readonly Pick<TableColumn<never, Content>, "head" | "as">[];

// Below 700 px tables are cards: without roles they would be no tables for those who hear them.
export const headRow = (columns: Heads): Html =>
  html`<thead role="rowgroup">
    <tr role="row">
      ${columns.map(
        ({ head, as }) => html`<th role="columnheader" scope="col" ${classOf(as)}>${head}</th>`,
      )}
    </tr>
  </thead>`;

function shown(content: Content): Content {
  if (typeof content === "number") return thousands(content);
  return typeof content === "string" ? hyphened(content) : content;
}

export const rowHead = (content: Content): Html =>
  html`<th role="rowheader" scope="row">${shown(content)}</th>`;

/** @param label names the cell where the page is narrow and the heads are hidden */
export function cell(content: Content, as: TableColumn<never>["as"] = "plain", label = ""): Html {
  const named = label !== "" && html`data-l="${label}"`;
  return html`<td role="cell" ${classOf(as)} ${named}>${shown(content)}</td>`;
}

interface TableLook<T> {
  readonly kind: string;
  readonly caption: string;
  readonly isBad?: (row: T) => boolean;
}

/** A table whose first column heads its rows. */
export function table<T>(
  rows: readonly T[],
  columns: TableColumns<T, Content>,
  { kind, caption, isBad }: TableLook<T>,
): Html {
  const { columns: heads, lines } = filledTable(rows, columns);
  const lineOf = (row: T, [first, ...others]: readonly Content[] = []): Html =>
    html`<tr role="row" ${isBad?.(row) && html`class="bad"`}>
      ${rowHead(first)}
      ${others.map((content, i) => {
        const { head, as = "plain" } = heads[i + 1] ?? {};
        return cell(content, as, typeof head === "string" ? head : "");
      })}
    </tr>`;
  return html`<table role="table" class="${kind}">
    <caption class="vh">
      ${caption}
    </caption>
    ${headRow(heads)}
    <tbody role="rowgroup">
      ${rows.map((row, i) => lineOf(row, lines[i]))}
    </tbody>
  </table>`;
}

/** What bounds the size of a page. Whatever is left out is counted on the page. */
export const pageLimits = {
  /** Experiments with a line, and those that open. */
  listed: 500,
  opened: 200,
  /** Items of a plot that are all shown; of more the first and the last. */
  items: 60,
  first: 20,
  last: 5,
  causes: 40,
  /** Experiments from which on they can be filtered. */
  filtered: 20,
  text: 1000,
} as const;
