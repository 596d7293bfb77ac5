import { html, trusted, type Html } from "./html.js";

/** A plot as Vega-Lite describes it. Colours are variables of the stylesheet, so that it follows light and dark. */
type Spec = Readonly<Record<string, unknown>>;

interface Labels {
  /** What the plot shows, in a few words. */
  readonly title: string;
  /** The main thing to see in it, as a sentence: the text alternative. The numbers are in the table beside it. */
  readonly says: string;
}

/** Room for a text in a plot: the library has no fonts to measure it with. In Latin letters of a wide sans serif. */
export function widthOf(text: string, size: number): number {
  let width = 0;
  for (const letter of text) {
    if (/[fijlrt .,:;|!'()[\]-]/.test(letter)) width += 0.37;
    else if (/[mwMW@%]/.test(letter)) width += 0.9;
    else if (/[A-Z]/.test(letter)) width += 0.7;
    else width += letter.charCodeAt(0) > 0x2e80 ? 1 : 0.62;
  }
  return width * size;
}

interface TextItem {
  readonly text?: string | number;
  readonly fontSize?: number;
}

async function loadVega() {
  const vega = await import("vega");
  const { compile } = await import("vega-lite");
  const { textMetrics } = vega as unknown as { textMetrics: { width: (item: TextItem, text?: string) => number } };
  textMetrics.width = ({ text, fontSize = 11 }, line) => widthOf(String(line ?? text ?? ""), fontSize);
  return { vega, compile };
}

let loaded: ReturnType<typeof loadVega> | undefined;

/** Draws a plot as SVG. The same specification gives the same text. The library is loaded by the first plot. */
export async function draw(spec: Spec, { title, says }: Labels): Promise<Html> {
  const { vega, compile } = await (loaded ??= loadVega());
  const whole = { ...spec, config: theme, autosize: { type: "fit-x", contains: "padding" } };
  const view = new vega.View(vega.parse(compile(whole as never, { logger: vega.logger(vega.Error) }).spec), {
    renderer: "none",
    logLevel: vega.Error,
  });
  const svg = await view.toSVG();
  view.finalize();
  const [head, body] = splitHead(tidy(svg));
  const viewBox = /viewBox="([\d. -]+)"/.exec(head)?.[1] ?? "";
  return html`<figure><figcaption><strong>${title}</strong> <span class="note">${says}</span></figcaption>
<svg viewBox="${viewBox}" role="img" aria-label="${title}. ${says}"><title>${title}</title><desc>${says}</desc>${trusted(body)}</figure>`;
}

function splitHead(svg: string): [string, string] {
  const end = svg.indexOf(">") + 1;
  return [svg.slice(0, end), svg.slice(end)];
}

/** Attributes that change nothing here, within tags only: texts stay as they are. */
const idle =
  / (?:aria-hidden|aria-roledescription|role|pointer-events|font-family|font-size|font-weight|stroke-miterlimit|opacity)="(?:true|none|[a-z -]*|inherit|\d+px|1|10|normal)"/g;

function tidy(svg: string): string {
  return svg
    .replace(/<path class="(?:back|fore)ground"[^>]*\/>/g, "")
    .replace(/<[^>]*>/g, (tag) =>
      tag.replace(idle, "").replace(/\d+\.\d{2,}/g, (number) => String(Number(Number(number).toFixed(1)))),
    )
    .replace(/<g class="mark-(?:rule|text|symbol|line|rect|area|group) role-(?:axis-grid|axis|frame root)">/g, "<g>");
}

/** Width of every plot in units of its view box: readable on a phone, and two or three side by side on a desk. */
export const plotWidth = 360;

/** How every plot looks: little ink, one grid, texts by the stylesheet. */
const theme = {
  aria: false,
  background: null,
  font: "inherit",
  padding: { left: 0, right: 8, top: 4, bottom: 2 },
  numberFormat: ".6~r",
  view: { stroke: null },
  axis: {
    domain: false,
    ticks: false,
    gridColor: "var(--grid)",
    labelFontSize: 11,
    titleFontSize: 11,
    titleFontWeight: "normal",
    labelPadding: 5,
    titlePadding: 6,
    labelLimit: 132,
    labelFlush: false,
  },
} as const;

/** Colours of lines, safe for colour-blind readers; the second half is dashed as well. */
export const series = [1, 2, 3, 4, 5, 6].map((i) => `var(--s${i})`);
