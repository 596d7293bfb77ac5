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
