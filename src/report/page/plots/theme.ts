/** Width of every plot in units of its view box: readable on a phone, and two or three side by side on a desk. */
export const plotWidth = 360;

/** How every plot looks: little ink, one grid, texts by the stylesheet. */
export const theme = {
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
